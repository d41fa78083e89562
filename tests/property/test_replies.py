"""A yes with anything beside it that is not plainly a yes is never taken for one."""

import string

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.language.items import read_items
from pipeline.language.replies import Verdict, read_reply

ITEMS = ("TIM Fashion", "Aya Audiobooks", "Neymar Jr")
OPERATIONS = ("cancelamento", "contratação", "devolução", "cancellation", "cancelación", "renovação")
YES = (
    "sim",
    "pode",
    "pode cancelar",
    "ok",
    "claro",
    "confirmo",
    "isso",
    "beleza",
    "com certeza",
    "manda ver",
    "yes",
    "sí",
    "go ahead",
    "quero",
    "pode sim",
    "👍",
    "sim sim",
    "perfeito",
    "aham",
    "tá bom",
    "sure",
    "dale",
)
COURTESIES = (
    "por favor",
    "obrigado",
    "pfv",
    "valeu",
    "😊",
    "🙏",
    "oi",
    "bom dia",
    "por gentileza",
    "thanks",
    "gracias",
)
NEGATIONS = (
    "não",
    "não quero",
    "de jeito nenhum",
    "melhor não",
    "nem pensar",
    "deixa quieto",
    "esquece",
    "desisti",
    "não confirmo",
    "no",
    "nunca",
    "jamais",
    "negativo",
    "nada disso",
    "never",
    "don't",
    "👎",
    "❌",
    "não cancela",
    "não precisa",
)
HEDGES = (
    "talvez",
    "acho",
    "acho que",
    "não sei",
    "tanto faz",
    "quem sabe",
    "sei lá",
    "mais ou menos",
    "maybe",
    "I guess",
    "quizás",
    "creo que",
    "🤔",
    "em dúvida",
    "provavelmente",
    "pode ser",
    "depende",
)
CONDITIONS = (
    "se for de graça",
    "se não tiver multa",
    "desde que não cobre nada",
    "caso seja grátis",
    "só se for hoje",
    "if it is free",
    "unless there is a fee",
    "si es gratis",
    "a menos que cobre",
    "contanto que não tenha taxa",
    "dependendo do valor",
)
QUESTIONS = (
    "quanto custa?",
    "tem multa?",
    "?",
    "né?",
    "quando?",
    "por quê?",
    "how much?",
    "e a multa?",
    "certo?",
    "quanto vou pagar",
    "qual o valor",
    "tá?",
    "¿cuánto?",
)
EXCEPTIONS = (
    "menos o Neymar",
    "mas tira o Aya",
    "exceto o TIM Fashion",
    "só o primeiro",
    "o último não",
    "mas mantém o Neymar",
    "except Neymar",
    "tira o 2",
    "menos o segundo",
    "mas o Aya não",
    "sem o Neymar",
    "troca o Neymar pelo Deezer",
    "e inclui o Deezer também",
)
DELAYS = (
    "espera",
    "depois",
    "mais tarde",
    "amanhã",
    "um momento",
    "calma",
    "deixa eu ver",
    "wait",
    "hold on",
    "later",
    "espera un momento",
    "ainda não",
    "vou pensar",
    "só um minuto",
    "mês que vem",
)
REASONS = (
    "não uso mais",
    "porque tá caro",
    "perdi o cartão",
    "roubaram minha bolsa",
    "meu filho não usa mais",
    "tô precisando economizar",
    "tô sem dinheiro",
)
STRANGE = (
    "xyz",
    "banana",
    "o Deezer",
    "mas",
    "porém",
    "ou",
    "nenhum",
    "quinto",
    "o 7",
    "blá blá",
    "só que",
    "antes me fala o valor",
)
DISTURBING = st.sampled_from(NEGATIONS + HEDGES + CONDITIONS + QUESTIONS + EXCEPTIONS + DELAYS + STRANGE)
JOINTS = st.sampled_from((" ", ", ", ". ", " e ", "! ", "\n", " - ", "... "))


def ask(text: str, operation: str, items: tuple[str, ...] = ITEMS) -> Verdict:
    question = f"Você confirma: {operation} de {', '.join(items[:-1])} e {items[-1]}?"
    return read_reply(text, items=items, operation=operation, question=question).verdict


@st.composite
def disturbed(draw: st.DrawFn) -> str:
    """A yes with courtesies and at least one thing that takes it back, in any order."""
    parts = draw(st.lists(st.sampled_from(YES), min_size=1, max_size=3))
    parts += draw(st.lists(st.sampled_from(COURTESIES), max_size=2))
    parts += draw(st.lists(st.sampled_from(REASONS), max_size=1))
    parts += draw(st.lists(DISTURBING, min_size=1, max_size=2))
    parts = draw(st.permutations(parts))
    text = parts[0]
    for part in parts[1:]:
        text += draw(JOINTS) + part
    return draw(st.sampled_from((text, text.upper(), text.capitalize())))


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(disturbed(), st.sampled_from(OPERATIONS))
def test_yes_with_anything_that_takes_it_back_never_accepts(text: str, operation: str) -> None:
    assert ask(text, operation) is not Verdict.ACCEPT, text


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(YES), min_size=1, max_size=3),
    st.lists(st.sampled_from(COURTESIES), max_size=2),
    st.sampled_from((" ", ", ", "! ", ". ")),
)
def test_yes_with_courtesy_accepts(yes: list[str], courtesies: list[str], joint: str) -> None:
    assert ask(joint.join([*yes, *courtesies]), "cancelamento") is Verdict.ACCEPT


@settings(max_examples=200, deadline=None)
@given(
    st.permutations(ITEMS),
    st.sampled_from((", ", " e ", ", e ", "; ", "\n")),
    st.sampled_from(("", "sim, ", "pode cancelar ", "cancela o ")),
)
def test_naming_the_whole_set_in_any_order_accepts(items: list[str], joint: str, opening: str) -> None:
    assert ask(opening + joint.join(items), "cancelamento") is Verdict.ACCEPT


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(YES), st.sampled_from(COURTESIES), st.booleans())
def test_interrupted_yes_never_accepts(yes: str, courtesy: str, dashed: bool) -> None:
    text = f"{yes}, {courtesy}"
    reply = read_reply(text + "-" if dashed else text, items=ITEMS, operation="cancelamento", interrupted=not dashed)
    assert reply.verdict is Verdict.UNCLEAR


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(YES), st.text(alphabet=string.ascii_lowercase, min_size=4, max_size=9), st.sampled_from(OPERATIONS)
)
def test_yes_with_an_unknown_word_never_accepts_it_unread(yes: str, word: str, operation: str) -> None:
    """Random letters are a word of the vocabulary once in a while; then the verdict may be a yes, else it may not."""
    from pipeline.language.lexicon import is_listed, plain_words, respelled
    from pipeline.language.verbs import verb_stem

    plain = " ".join(respelled(part) for part in plain_words(word))
    if is_listed(plain) or verb_stem(plain) or " " in plain or plain != word:
        return
    assert ask(f"{yes} {word}", operation) is not Verdict.ACCEPT


HOSTILE = st.text(
    alphabet=st.one_of(
        st.sampled_from("\"'“”«»()[]{},;:.!?-–/\\+&*_~|<>$%#@ \n\r\t\u200d\ufe0f\u20e3👍🤔é̃ñ12345eEoOaA"),
        st.characters(),
    ),
    max_size=400,
)


@settings(max_examples=600, deadline=None)
@given(HOSTILE, st.lists(HOSTILE.filter(bool), max_size=5), st.sampled_from(("pt-BR", "en", "es", "xx")))
def test_hostile_text_never_raises(text: str, names: list[str], locale: str) -> None:
    items = tuple(names) or ITEMS
    reply = read_reply(
        text, items=items, operation="cancelamento", locale=locale, question=text[:50], known_values=tuple(names)
    )
    assert reply.verdict in Verdict
    reading = read_items(text, known_values=tuple(names), label=text[:20], locale=locale, description=text[:30])
    assert len(set(reading.items)) == len(reading.items)


@settings(max_examples=300, deadline=None)
@given(HOSTILE)
def test_reading_twice_says_the_same(text: str) -> None:
    assert read_items(text) == read_items(text)
    assert read_reply(text, items=ITEMS, operation="devolução") == read_reply(text, items=ITEMS, operation="devolução")
