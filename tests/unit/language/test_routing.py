"""The router on six domains, with words alone and with a stand-in for meaning; the grammar of clauses by itself."""

from collections.abc import Mapping

import pytest

from consumers.meaning import load_nearest
from pipeline.language.clauses import Role, read_clauses
from pipeline.language.closeness import texts_of
from pipeline.language.routing import MULTIPLE, Nearest, Route, RoutingTool, route
from tests.unit.language.agents import AIR, BANK, GYM, HEALTH, INS, RETAIL, TELECOM, UTILITY
from tests.unit.language.routing_rows import MEANT, ROWS, UNSOLVED


def chosen(found: Route) -> str | tuple[str, ...] | None:
    return found.tools if found.tool == MULTIPLE else found.tool


WORDS = [
    pytest.param(tools, text, want, id=text)
    for tools, rows in ROWS
    for text, want in rows
    if text not in MEANT | UNSOLVED
]


@pytest.mark.parametrize(("tools", "text", "want"), WORDS)
def test_router_chooses_by_words_alone(
    tools: tuple[RoutingTool, ...], text: str, want: str | tuple[str, ...] | None
) -> None:
    assert chosen(route(text, tools)) == want


@pytest.mark.parametrize(
    ("tools", "text"),
    [pytest.param(tools, text, id=text) for tools, rows in ROWS for text, _ in rows if text in MEANT | UNSOLVED],
)
def test_router_without_meaning_never_chooses_a_wrong_tool(tools: tuple[RoutingTool, ...], text: str) -> None:
    wants = {text: want for _, rows in ROWS for text, want in rows}
    want = wants[text]
    assert chosen(route(text, tools)) in {None, want, *(want if isinstance(want, tuple) else ())}


@pytest.fixture(scope="module")
def encoder() -> Nearest:
    nearest = load_nearest()
    if nearest is None:
        pytest.skip("the sentence encoder is not installed")
    return nearest


@pytest.mark.parametrize("agent", range(len(ROWS)), ids=lambda place: ROWS[place][0][0].name + f" {place}")
def test_router_with_the_encoder_chooses(agent: int, encoder: Nearest) -> None:
    tools, rows = ROWS[agent]
    got = {text: chosen(route(text, tools, nearest=encoder)) for text, _ in rows}
    assert got == {text: None if text in UNSOLVED else want for text, want in rows}


def near(**similar: float) -> Nearest:
    def nearest(text: str, tools: tuple[RoutingTool, ...]) -> Mapping[str, float]:
        del text
        return {tool.name: similar.get(tool.name, 0.1) for tool in tools}

    return nearest


def test_router_follows_meaning_when_no_word_speaks() -> None:
    found = route("e lá fora, como fica?", TELECOM, nearest=near(contratar_pacote=0.72))
    assert found.tool == "contratar_pacote"
    assert "meaning" in found.rule


def test_router_chooses_nothing_when_two_meanings_are_alike() -> None:
    found = route("e agora?", RETAIL, nearest=near(rastrear_pedido=0.6, segunda_via_nota=0.58))
    assert found.tool is None


@pytest.mark.parametrize(
    "text",
    [
        "não quero cancelar nada",
        "já cancelei o Deezer ontem",
        "se eu cancelar, perco o número?",
        "nem penso em cancelar",
    ],
)
def test_meaning_does_not_bring_back_a_clause_that_asks_for_nothing(text: str) -> None:
    assert route(text, TELECOM, nearest=near(cancelar_produtos=0.95)).tool is None


def test_router_asks_for_meaning_of_few_clauses_of_a_long_message() -> None:
    asked: list[str] = []

    def nearest(text: str, tools: tuple[RoutingTool, ...]) -> Mapping[str, float]:
        asked.append(text)
        return {tool.name: 0.0 for tool in tools}

    route("blá blá, " * 2000, TELECOM, nearest=nearest)
    assert len(asked) <= 10
    assert all(len(text) <= 400 for text in asked)


def test_two_requests_keep_their_own_text_in_order_of_mention() -> None:
    found = route("manda o boleto de novo e cancela o Babbel", TELECOM)
    assert found == Route(
        MULTIPLE,
        ("segunda_via_boleto", "cancelar_produtos"),
        ("manda o boleto de novo", "cancela o Babbel"),
        found.rule,
        found.score,
    )


@pytest.mark.parametrize(
    ("tools", "text", "parts"),
    [
        pytest.param(
            RETAIL,
            "quero cancelar o pedido P-100, P-101 e P-102 e rastrear o P-103",
            ("quero cancelar o pedido P-100, P-101 e P-102", "rastrear o P-103"),
            id="items that choose no tool themselves",
        ),
        pytest.param(
            TELECOM,
            "cancela o TIM Fashion e o Neymar Jr. Depois manda o boleto de novo",
            ("cancela o TIM Fashion e o Neymar Jr", "manda o boleto de novo"),
            id="an item that looks like a verb",
        ),
        pytest.param(
            RETAIL,
            "cancelar P-100 e P-101, rastrear P-102 e cancelar P-104",
            ("cancelar P-100 e P-101, cancelar P-104", "rastrear P-102"),
            id="another request between two of one tool",
        ),
    ],
)
def test_no_item_is_lost_between_two_requests(
    tools: tuple[RoutingTool, ...], text: str, parts: tuple[str, ...]
) -> None:
    assert route(text, tools).parts == parts


def test_route_is_none_without_tools_or_text() -> None:
    assert route("cancela", ()).tool is None
    assert route("   ", TELECOM).tool is None


@pytest.mark.parametrize(
    ("tools", "text"),
    [
        pytest.param(RETAIL, "cancela ou troca, tanto faz", id="an alternative is no choice"),
        pytest.param(TELECOM, "teve reajuste na conta de vocês?", id="a keyword inside another word"),
        pytest.param(TELECOM, "me conta uma novidade", id="a keyword in another sense"),
        pytest.param(BANK, "passei do limite da paciência", id="a noun in an idiom"),
        pytest.param(UTILITY, "dei à luz ontem", id="a fixed expression"),
        pytest.param(HEALTH, "quero falar com a ouvidoria", id="a person"),
        pytest.param(HEALTH, "a consulta de ontem foi ótima", id="praise"),
        pytest.param(HEALTH, "obrigado pela autorização", id="thanks"),
        pytest.param(BANK, "não foi roubado não", id="a denied trouble"),
        pytest.param(BANK, "já bloqueei o cartão no site", id="done, with the Portuguese no"),
        pytest.param(BANK, "vou bloquear meu ex no zap kkkk", id="a joke"),
        pytest.param(BANK, "se eu perder o cartão um dia, vocês bloqueiam?", id="what would be done"),
        pytest.param(TELECOM, "pensei em contratar mas desisti", id="a thought given up"),
        pytest.param(GYM, "vou sair pra almoçar e já volto", id="a plan of another purpose"),
        pytest.param(UTILITY, "faltou luz ontem mas já voltou", id="a trouble that is over"),
        pytest.param(UTILITY, "ontem fiquei sem energia, depois normalizou, tudo certo", id="a trouble that went well"),
        pytest.param(TELECOM, "minha linha foi bloqueada ano passado", id="history"),
        pytest.param(RETAIL, "meu pedido chegou rapidinho, parabéns", id="praise at the end"),
        pytest.param(RETAIL, "até quando posso devolver o tênis?", id="a question about the rules"),
        pytest.param(RETAIL, "onde fica a loja?", id="the way to a place"),
        pytest.param(TELECOM, "I already cancelled Deezer yesterday", id="done, in English"),
        pytest.param(TELECOM, "ya cancelé el Deezer", id="done, in Spanish"),
        pytest.param(TELECOM, "gracias por la factura", id="thanks for something, in Spanish"),
        pytest.param(TELECOM, "comprei um pacote de balas ontem", id="told of yesterday"),
        pytest.param(BANK, "what cards do you sell?", id="what there is, in English"),
        pytest.param(HEALTH, "a consulta é muito boa", id="very good"),
        pytest.param(INS, "como é caro esse seguro, meu deus", id="a complaint that opens as a question"),
    ],
)
def test_router_chooses_nothing_where(tools: tuple[RoutingTool, ...], text: str) -> None:
    assert route(text, tools).tool is None


@pytest.mark.parametrize(
    ("tools", "text", "want"),
    [
        pytest.param(RETAIL, "cadê a minha geladeira?", "rastrear_pedido", id="a thing is missed"),
        pytest.param(RETAIL, "where's my order?", "rastrear_pedido", id="English words written together"),
        pytest.param(TELECOM, "ya no quiero el Deezer", "cancelar_produtos", id="no longer wanted, in Spanish"),
        pytest.param(TELECOM, "quero só cancelar o Deezer", "cancelar_produtos", id="only, inside a wish"),
        pytest.param(TELECOM, "vê se minha fatura já venceu", "consultar_fatura", id="whether, no condition"),
        pytest.param(
            BANK, "debitaram 80 reais que eu não autorizei", "contestar_compra", id="charged, never asked for"
        ),
        pytest.param(AIR, "preciso passar minha viagem pra sexta", "remarcar_voo", id="moved to another day"),
        pytest.param(BANK, "me dá mais limite aí", "aumentar_limite", id="give me more"),
        pytest.param(GYM, "me coloca na turma de spinning", "agendar_aula", id="to take part in something"),
        pytest.param(
            TELECOM, "quero ver se dá pra cancelar o Deezer", "cancelar_produtos", id="whether it can be done"
        ),
        pytest.param(
            UTILITY, "a luz voltou ontem, mas hoje tô sem energia de novo", "informar_falta_energia", id="again"
        ),
    ],
)
def test_router_chooses_where(tools: tuple[RoutingTool, ...], text: str, want: str) -> None:
    assert route(text, tools).tool == want


ONE_OR_MANY = (
    RoutingTool("consultar_fatura", "Consulta a fatura atual.", ("fatura", "ver a fatura", "invoice"), ()),
    RoutingTool("consultar_faturas", "Consulta faturas.", ("faturas", "faturas de abril", "invoices"), ()),
)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("quero ver a fatura de abril", "consultar_faturas", id="the phrase with more telling words"),
        pytest.param("what is my invoice?", "consultar_fatura", id="the keyword in its very form"),
        pytest.param("quero ver a fatura", "consultar_fatura", id="the phrase that is there alone"),
    ],
)
def test_router_chooses_of_two_tools_for_one_thing_the_one_named_more_closely(text: str, want: str) -> None:
    assert route(text, ONE_OR_MANY).tool == want


def test_router_takes_a_trouble_to_the_tool_for_troubles_that_is_closest() -> None:
    texts = {text.name: 0.18 for text in texts_of(UTILITY[0])}

    def nearest(text: str, tools: tuple[RoutingTool, ...]) -> Mapping[str, float]:
        del text
        return {tool.name: texts.get(tool.name, 0.1) for tool in tools}

    assert route("a geladeira não liga", UTILITY, nearest=nearest).tool == UTILITY[0].name
    assert route("a geladeira é nova", UTILITY, nearest=nearest).tool is None
    assert route("a geladeira não liga, obrigado", UTILITY, nearest=nearest).tool is None


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("não quero cancelar, só consultar a fatura", [Role.NEGATED, Role.REQUEST]),
        ("cancela o Deezer porque a fatura tá cara", [Role.REQUEST, Role.REASON]),
        ("já cancelei ontem o Deezer", [Role.PAST]),
        ("se eu cancelar, quanto pago?", [Role.HYPOTHETICAL, Role.REQUEST]),
        ("não quero mais o Babbel", [Role.QUIT]),
        ("antes de cancelar quero ver a fatura", [Role.ASIDE, Role.REQUEST]),
        ("preciso do boleto para pagar", [Role.REQUEST, Role.PURPOSE]),
        ("dá pra cancelar o Deezer?", [Role.REQUEST]),
        ("quero falar com um atendente", [Role.PERSON]),
        ("a fatura tá cara", [Role.COMPLAINT]),
        ("segunda via", [Role.FRAGMENT]),
        ("põe a conta no nome do comprador", [Role.REQUEST]),
        ("no quiero cancelar", [Role.NEGATED]),
        ("não é sobre a fatura", [Role.NEGATED]),
        ("minha linha está bloqueada", [Role.STATEMENT]),
        ("cancela o Deezer que não uso", [Role.REQUEST, Role.DETAIL]),
    ],
)
def test_clauses_have_the_roles(text: str, roles: list[Role]) -> None:
    verbs = frozenset({"cancelar", "cancela", "consultar", "desbloquear"})
    assert [clause.role for clause in read_clauses(text, infinitives=verbs)] == roles
