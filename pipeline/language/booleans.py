"""Yes and no as the value of a boolean parameter.

Owns: the words and short sentences that state true or false, in Portuguese, English and Spanish.
Invariants: a hedge, a condition, a question, both a yes and a no, or nothing known gives an error; never a guess.
Never: the verdict on a confirmation (replies.py owns that). Source: rule COERCE-4.
"""

from dataclasses import dataclass
from typing import Final

from pipeline.language.lexemes import Kind, Lexeme, Phrase, Phrases, lex, word_set
from pipeline.language.modality import CONDITIONAL, GUESSED, UNKNOWN, hear
from pipeline.language.normalize import unstretched


@dataclass(frozen=True, slots=True)
class BooleanReading:
    value: bool | None
    rule: str


_YES: Final = "yes"
_NO: Final = "no"
_WISH: Final = "wish"
_NOT: Final = "not"
_UNSURE: Final = "unsure"

_WORDS: Final = Phrases(
    {
        _YES: (
            "sim|s|ss|tô dentro|estou dentro|sím|claro|claro que sim|com certeza|certeza|certamente|certo|ok|okay|beleza|blz|fechado|isso|isso mesmo|isso aí|"
            "exato|exatamente|correto|positivo|afirmativo|verdadeiro|verdade|true|yes|y|yep|yeah|yup|sure|of course|"
            "definitely|absolutely|correct|sí|si|por supuesto|claro que sí|vale|dale|de acuerdo|verdadero|aham|uhum|"
            "arram|ahan|pode|podem|pode sim|bora|óbvio|lógico|evidente|👍|✅|ligado|ligada|ativado|ativada|ativo|ativar|ative|"
            "habilitado|habilitar|on|enabled|enable|activado|activar|1|v|quero sim|com prazer|"
            "sem dúvida|sem dúvidas|tá bom|ta certo|tá|tudo bem|bom"
        ),
        _NO: (
            "de jeito nenhum|de jeito algum|de forma alguma|de modo algum|de forma nenhuma|nem pensar|nem a pau|nem morto|jamais|nunca|negativo|"
            "falso|false|f|nope|nah|no way|never|not at all|off|disabled|disable|desligado|desligada|desativado|desativada|"
            "desativar|desabilitado|inativo|recuso|dispenso|discordo|tô fora|estou fora|nn|rejeito|nada disso|sem interesse|nenhum|👎|❌|0|"
            "para nada|ni loco|ni loca|ni hablar|not really|nunca jamás|de ninguna manera|en absoluto|desactivado|apagado|claro que não|lógico que não|"
            "óbvio que não|com certeza não|certeza que não|claro que no|por supuesto que no|of course not|deixa pra lá|"
            "prefiro não|prefiro que não|melhor não|acho melhor não|mejor no|prefiero no|rather not|i'd rather not|no thanks|"
            "no thank you|no gracias|não obrigado|não obrigada|não valeu|pode não|falsa"
        ),
        _WISH: (
            "quero|queria|desejo|gostaria|gosto|preciso|precisa|precisam|aceito|autorizo|concordo|permito|confirmo|posso|vou|tenho|"
            "tem|sou|é|era|foi|faço questão|faço|topo|interessa|me interessa|tenho interesse|quiser|usar|"
            "uso|receber|quero receber|prefiro|manda|mande|mandar|enviar|envie|envia|pode mandar|pode enviar|"
            "i do|i want|want|i would|would|i'd like|like|i am|i have|have|it is|it does|need|do|does|is|am|accept|agree|"
            "quiero|deseo|acepto|necesito|tengo|soy|es|me interesa|puede|puedes"
        ),
        _NOT: "não|nao|n|ñ|naum|nop|no|not|don't|dont|do not|doesn't|won't|wouldn't|isn't|am not|i don't|nem|tampoco",
        _UNSURE: (
            "não sei|n sei|não tenho certeza|não faço ideia|não tenho ideia|não lembro|não entendi|não me lembro|"
            "pode ser|talvez|depende|tanto faz|quem sabe|por que não|porque não|como não|pois é|pois não|acho|acho que|"
            "saber|entender|falar|cancelar|parar|desistir|outra coisa|dúvida|dúvidas|know|cancel|stop|cancelar|"
            "será|sei lá|mais ou menos|às vezes|as vezes|de vez em quando|depois|agora não|ainda não|por enquanto não|"
            "por enquanto|hoje não|só|mas|but|pero|only|apenas|somente|solo|a não ser|"
            "maybe|perhaps|not sure|i think|i guess|probably|it depends|why not|sometimes|not yet|later|"
            "quizás|quizá|tal vez|a lo mejor|creo|depende|no sé|por qué no|cómo no|a veces|todavía no"
        ),
    }
)
_COURTESY: Final = frozenset({"por", "favor", "please", "obrigado", "obrigada", "thanks", "gracias"})


def read_boolean(text: str, locale: str) -> BooleanReading:
    lexemes = _unstretch(lex(text))
    if not lexemes:
        return BooleanReading(None, "nothing said")
    if any(piece.folded == "?" for piece in lexemes):
        return BooleanReading(None, "a question")
    said = hear(lexemes, locale)
    if said.of(CONDITIONAL):
        return BooleanReading(None, "conditional")
    if said.of(GUESSED, UNKNOWN):
        return BooleanReading(None, "hedged")
    scan = _Scan(lexemes)
    refusal = scan.run()
    return BooleanReading(None, refusal) if refusal else scan.verdict()


class _Scan:
    """One pass over the words: what is stated, which verbs are affirmed or negated, what is left unknown."""

    def __init__(self, lexemes: tuple[Lexeme, ...]) -> None:
        self.lexemes = lexemes
        self.stated: list[bool] = []
        self.wishes: list[bool] = []
        self.wish_end = -1
        """Where the last wish ended; -1 once its clause is over."""
        self.last = True
        """Whether the last wish was affirmed."""
        self.open_not = False
        self.negated = False
        self.unknown = 0

    def run(self) -> str:
        """Read all of it; returns why nothing can be said, or an empty text."""
        index = 0
        while index < len(self.lexemes):
            phrase = _WORDS.at(self.lexemes, index)
            if phrase is None:
                if not self._other(self.lexemes[index]):
                    return "a negation of something else"
                index += 1
                continue
            if phrase.meaning == _UNSURE:
                return "hedged"
            self._take(phrase)
            index = phrase.end
        if self.open_not:
            self.stated.append(False)
        return "too much said" if self.unknown > _MAX_UNKNOWN else ""

    def _other(self, piece: Lexeme) -> bool:
        if piece.kind is Kind.MARK and piece.folded in ",;.!:":
            if self.open_not:
                self.stated.append(False)
            self.open_not = False
            self.wish_end = -1
        elif piece.kind in {Kind.WORD, Kind.NUMERAL} and piece.folded not in _COURTESY:
            if self.open_not and piece.folded not in _SMALL:
                return False
            self.unknown += 1
        return True

    def _take(self, phrase: Phrase) -> None:
        word = self.lexemes[phrase.start].folded
        goes_on = self.wish_end >= 0 and phrase.start - self.wish_end <= _GOES_ON and not self.open_not
        match phrase.meaning:
            case "yes":
                if (self.open_not and word in _VERBAL) or (goes_on and not self.last and word in _VERBAL):
                    self._wish(phrase, wish=False)
                else:
                    self.stated.append(True)
            case "no":
                self.stated.append(False)
                self.open_not = False
                self.last, self.wish_end = False, phrase.end
            case "not":
                ends = phrase.end == len(self.lexemes) and bool(self.wishes)
                if self.wishes and (self.wish_end == phrase.start or ends) and not self.open_not:
                    self.wishes[-1] = self.last = False  # "quero não", "quero muito não"
                    self.wish_end = phrase.end
                elif self.open_not:
                    self.stated.append(False)  # "não não"
                else:
                    self.negated = self.open_not = True
            case _:
                # "não gostaria de receber": the second verb goes on with the first.
                self._wish(phrase, wish=self.last if goes_on else not self.open_not)

    def _wish(self, phrase: Phrase, *, wish: bool) -> None:
        self.wishes.append(wish)
        self.last, self.wish_end = wish, phrase.end
        self.open_not = False

    def verdict(self) -> BooleanReading:
        if self.stated:
            if len(set(self.stated)) > 1 or any(wish != self.stated[0] for wish in self.wishes):
                return BooleanReading(None, "yes and no")
            head = _WORDS.at(self.lexemes, 0)
            if self.unknown > 2 and head is None:
                return BooleanReading(None, "nothing stated plainly")
            return BooleanReading(self.stated[0], "said yes" if self.stated[0] else "said no")
        if self.wishes:
            if len(set(self.wishes)) > 1:
                return BooleanReading(None, "yes and no")
            weak = all(piece.folded not in _WISHING for piece in self.lexemes)
            if self.wishes[0] and self.unknown > (0 if weak else 6):
                return BooleanReading(None, "nothing stated plainly")
            return BooleanReading(self.wishes[0], "a verb affirmed" if self.wishes[0] else "a verb negated")
        return BooleanReading(None, "no yes and no no" if not self.negated else "a negation of nothing known")


_MAX_UNKNOWN: Final = 12
_GOES_ON: Final = 3
"""Lexemes between two verbs of one wish."""
_SMALL: Final = word_set(
    "o a os as eu me nos se que de mais muito obrigado senhor senhora moco moca amigo bem mesmo nada lo me yo i "
    "it to sir"
)
_WISHING: Final = word_set(
    "quero queria desejo gostaria aceito autorizo concordo permito confirmo prefiro want like accept agree quiero "
    "deseo acepto"
)
_VERBAL: Final = word_set(
    "aceito autorizo concordo topo desejo gostaria confirmo pode podem ativar ative habilitar activar enable quero"
)


def _unstretch(lexemes: tuple[Lexeme, ...]) -> tuple[Lexeme, ...]:
    """Stretched words ("siiim", "naaao") in their plain spelling."""
    plain: list[Lexeme] = []
    for piece in lexemes[:64]:
        shortened = piece
        if piece.kind is Kind.WORD and len(piece.folded) <= 24:
            for spelling in unstretched(piece.folded):
                candidate = Lexeme(spelling, piece.kind, piece.start, piece.end, piece.glued)
                if _WORDS.at((candidate,), 0) is not None:
                    shortened = candidate
                    break
        plain.append(shortened)
    return tuple(plain) if len(lexemes) <= 64 else lexemes
