"""How a value is said: guessed, bounded, refused, corrected, made conditional.

Owns: the phrases that make a stated value unsafe to take, in Portuguese, English and Spanish, and the cut at a
self-correction ("foi 49,90, quer dizer, 59,90").
Invariants: phrases are data; a phrase says what it does to a value, never which value is meant.
Never: used for the verdict on a confirmation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.language.lexemes import Kind, Lexeme, Phrase, Phrases, word_set

GUESSED: Final = "guessed"
"""The speaker is not sure; counts wherever it stands."""
NEAR: Final = "near"
"""The value is approximate; counts beside the value only ("uns 50", "50 e poucos")."""
BOUNDED: Final = "bounded"
"""A limit or a span is named, not a value; counts beside the value only."""
CONDITIONAL: Final = "conditional"
UNKNOWN: Final = "unknown"
"""The speaker says that they do not know."""
CORRECTED: Final = "corrected"
NEGATED: Final = "negated"
EITHER: Final = "either"
NO: Final = "no"
"""no: a refusal in English and Spanish, "in the" in Portuguese."""

MODALITY: Final = Phrases(
    {
        GUESSED: (
            "acho que|acho|axo que|axo|achu que|penso que|creio que|creio|imagino que|suponho|talvez|quem sabe|provavelmente|"
            "possivelmente|aproximadamente|aprox|mais ou menos|+ ou -|+/-|mais o menos|"
            ""
            ""
            "se não me engano|salvo engano|não lembro bem|não tenho certeza|não sei ao certo|sei lá|ou algo assim|"
            "ou coisa assim|estimo|deve ser|devem ser|deve ter sido|"
            "parece que|tanto faz|qualquer um|qualquer uma|qualquer dia|qualquer|depende|quiçá|chuto|no chute|"
            "i think|i guess|i suppose|maybe|perhaps|possibly|probably|approximately|approx|"
            "more or less|not sure|some time|sometime|a couple|a few|"
            "give or take|i believe|it depends|whichever|whatever|might be|must be|should be|"
            "creo que|creo|quizás|quizá|tal vez|a lo mejor|probablemente|aproximadamente|más o menos|"
            "no estoy seguro|no estoy segura|me parece|supongo|da igual|cualquiera|"
            "cualquier|debe ser"
        ),
        NEAR: (
            "uns|umas|quase|perto de|por volta|por volta de|por volta do|cerca de|em torno de|na faixa de|tipo|lá pelo|lá pelos|lá pela|lá pelas|"
            "lá para|lá pro|lá por|e pouco|e poucos|e poucas|e pouquinho|e tanto|e tantos|e tantas|e alguma coisa|"
            "e uns quebrados|e quebrados|something|e lá vai|e lá vai pedrada|algo como|algo em torno de|beirando|ou por aí|por aí|"
            "about|around|nearly|almost|or so|ish|some|something like|roughly|"
            "unos|unas|casi|alrededor de|alrededor del|como unos|como unas|y pico|y tantos|~|≈|±|∼"
        ),
        BOUNDED: (
            "até|no máximo|no mínimo|pelo menos|ao menos|a partir de|a partir do|a partir da|acima de|abaixo de|"
            "mais de|mais que|mais do que|menos de|menos que|menos do que|entre|ou mais|ou menos|antes de|antes do|"
            "antes da|depois de|depois do|depois da|após|desde|"
            "at least|at most|up to|no more than|not more than|more than|less than|over|under|above|below|between|or more|or less|"
            "before|after|by|from|until|till|as of|"
            "hasta|al menos|por lo menos|como máximo|como mínimo|a partir del|más de|menos del|antes del|después de|"
            "después del|o más|o menos"
        ),
        CONDITIONAL: (
            "se|caso|desde que|contanto que|só se|somente se|a menos que|a não ser que|quando|dependendo|"
            "if|unless|provided|as long as|only if|when|"
            "si es|si no|si hay|si tiene|si me|si fuera|siempre que|con tal de|con tal que|a menos que|cuando"
        ),
        UNKNOWN: (
            "não sei|nao sei|n sei|ñ sei|num sei|não lembro|não me lembro|não faço ideia|não tenho ideia|não tenho certeza|"
            "sei não|sem ideia|esqueci|não entendi|não decidi|não sei dizer|"
            "i don't know|i dont know|don't know|dont know|no idea|i don't remember|not sure|dunno|idk|"
            "no sé|no lo sé|no se|no me acuerdo|no recuerdo|ni idea|no estoy seguro|no estoy segura"
        ),
        CORRECTED: (
            "quer dizer|quero dizer|digo|aliás|ou melhor|melhor dizendo|na verdade|corrigindo|correção|correto é|"
            "o correto é|o certo é|opa|ops|oops|errei|me enganei|me confundi|minto|não pera|não pera aí|"
            "não espera|não calma|perdão não|mentira|desculpa|desculpe|melhor|"
            "i mean|i meant|no wait|wait no|rather|actually|correction|make that|sorry no|"
            "mejor dicho|quiero decir|o sea|perdón|me equivoqué|no espera|en realidad|corrijo|mejor"
        ),
        NEGATED: (
            "não|n|ñ|naum|nem|nunca|jamais|nada de|exceto|fora|sem ser|menos o|menos a|tudo menos|todos menos|"
            "todas menos|qualquer um menos|ao invés de|em vez de|tirando|"
            "not|nor|never|don't|dont|isn't|wasn't|except|but not|instead of|rather than|anything but|"
            "ni|tampoco|menos el|menos la|excepto|salvo|en vez de|en lugar de"
        ),
        NO: "no",
        EITHER: "ou|or|e/ou|y/o|and/or",
    }
)

_BREAKS: Final = frozenset(",;.!\n:")
_TURNS: Final = frozenset({"mas", "e", "but", "pero", "sino", "and", "y", "foi", "fue", "sim", "si", "eh"})
_LINKS: Final = frozenset(
    {"ou", "or", "nem", "nor", "ni", "e", "and", "y", "o", "a", "os", "as", "el", "la", "the", "de"}
)
_PLAIN_NOES: Final = frozenset({"nao", "n", "naum", "not"})
_DISOWNING: Final = word_set(
    "reconheco reconheci comprei contratei pedi autorizei solicitei assinei fiz gastei bought buy order recognise recognize sign "
    "compre contrate reconozco autorice devo lembro conheco aceito concordo"
)
"""Verbs that, refused, disown what they are said of, and leave it as the matter."""
_REACH: Final = 6
_CANNOT: Final = word_set("da posso consigo pode podemos rola serve quero vai estarei works puedo")
_BESIDE: Final = 3
"""Lexemes from a word of approximation to the value it is beside: a preposition and a currency sign fit in."""


@dataclass(frozen=True, slots=True)
class Said:
    """The modality of one text, read once."""

    lexemes: tuple[Lexeme, ...]
    phrases: tuple[Phrase, ...]
    foreign_no: bool
    """ "no" refuses (an English or Spanish session)."""

    def of(self, *meanings: str) -> list[Phrase]:
        return [phrase for phrase in self.phrases if phrase.meaning in meanings]

    @property
    def negations(self) -> list[Phrase]:
        return self.of(NEGATED, NO) if self.foreign_no else self.of(NEGATED)

    def is_no(self, index: int) -> bool:
        if index >= len(self.lexemes):
            return False
        folded = self.lexemes[index].folded
        return folded in _PLAIN_NOES or (folded == "no" and self.foreign_no)

    def is_break(self, index: int) -> bool:
        return (
            index < len(self.lexemes)
            and self.lexemes[index].kind is Kind.MARK
            and self.lexemes[index].folded in _BREAKS
        )

    def unsure(self, spans: Sequence[tuple[int, int]]) -> str | None:
        """Why a value over one of these lexeme spans may not be taken; None: nothing speaks against it."""
        starts = {start for start, _ in spans}
        ends = {end for _, end in spans}
        for phrase in self.phrases:
            if phrase.meaning in {GUESSED, UNKNOWN}:
                return phrase.meaning
            if phrase.meaning in {NEAR, BOUNDED} and (
                phrase.start in ends or not starts.isdisjoint(range(phrase.start + 1, phrase.end + _BESIDE))
            ):
                return phrase.meaning
        if self.lexemes and self.lexemes[-1].folded == "?":
            return "asked"
        return None

    def kept(self, spans: Sequence[tuple[int, int]]) -> list[int]:
        """The positions in `spans` (in order, apart) that stay once corrections and negations are taken out."""
        stay = list(range(len(spans)))
        corrections = [phrase for phrase in self.phrases if phrase.meaning == CORRECTED]
        # The last correction that a value follows: what was said before it is taken back.
        for phrase in reversed(corrections):
            if not spans or phrase.start > spans[-1][0]:
                continue
            later = [place for place in stay if spans[place][0] >= phrase.start]
            stay = later or stay
            break
        retracted: set[int] = set()
        negations = self.negations
        cursor = 0
        for place, (start, end) in enumerate(spans):
            previous_end = spans[place - 1][1] if place else 0
            nearest: Phrase | None = None
            while cursor < len(negations) and negations[cursor].end <= start:
                nearest, cursor = negations[cursor], cursor + 1
            following = spans[place + 1][0] if place + 1 < len(spans) else None
            if self._negated_after(end, following):
                retracted.add(place)
            elif nearest is not None and nearest.start >= previous_end:
                squeezed = place > 0 and nearest.start == previous_end and self.is_no(nearest.start)
                if self._reaches(nearest.end, start) and not squeezed:
                    retracted.add(place)
            elif place - 1 in retracted and place and self._linked(previous_end, start):
                retracted.add(place)
        return [place for place in stay if place not in retracted]

    def _reaches(self, negation_end: int, start: int) -> bool:
        """Whether a negation is about the value: "não foi 49,90" reaches; "não, 49,90" and "não é isso, foi 49,90" do not."""
        if negation_end < start and self.lexemes[negation_end].folded in _DISOWNING:
            return False  # "não reconheço os 59,90": the value is what it is about
        if start - negation_end > _REACH or any(self.is_break(index) for index in range(negation_end, start)):
            return False
        return not any(self.lexemes[index].folded in _TURNS for index in range(negation_end + 1, start))

    def _negated_after(self, end: int, following: int | None) -> bool:
        """Whether a value is taken back: "49,90 não, 59,90" and "49,90, não, 59,90" take the first back; "49,90, não 59,90" does not."""
        index = end + 1 if self.is_break(end) else end
        if not self.is_no(index):
            return False
        after = index + 1
        if after < len(self.lexemes) and self.lexemes[after].folded in _CANNOT:
            after += 1  # "amanhã não dá, quinta"
        if after == len(self.lexemes) or self.is_break(after):
            return True
        return following is not None and after < following and self.lexemes[after].folded in _TURNS

    def _linked(self, previous_end: int, start: int) -> bool:
        between = [self.lexemes[index].folded for index in range(previous_end, min(start, previous_end + _REACH))]
        return 0 < start - previous_end <= 4 and all(word in _LINKS for word in between)


def hear(lexemes: tuple[Lexeme, ...], locale: str) -> Said:
    return Said(lexemes, tuple(MODALITY.find(lexemes)), not locale.lower().startswith("pt"))
