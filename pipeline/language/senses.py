"""What a word or a fixed phrase can do in a sentence: the alphabet of the grammar.

Owns: the names of the senses and the groups that the grammars ask about.
Never: lists words (vocabulary_*.py do).
"""

from enum import StrEnum

__all__ = ["FUNCTION_WORDS", "Sense"]


class Sense(StrEnum):
    """One sense of a phrase; the grammars see only these."""

    __hash__ = str.__hash__
    """Enum hashes by name, in Python; senses are looked up some hundred times a message."""

    # verdicts
    AFFIRM = "affirm"
    """sim, claro, isso mesmo, manda bala: a yes whatever stands beside it, except a negation."""
    CONSENT = "consent"
    """pode, confirmo, quero: a verb that says yes, and no when it is negated."""
    REFUSE = "refuse"
    """deixa quieto, claro que não, melhor não: a no as a whole."""
    NOT = "not"
    NONE = "none"
    """nenhum, nada."""
    HEDGE = "hedge"
    """acho que, talvez, tanto faz."""
    WAIT = "wait"
    """espera um pouco, depois eu vejo."""
    IF = "if"
    BEFORE = "before"
    """mas antes, primeiro me diz: something has to come first."""
    PUZZLED = "puzzled"
    """não entendi, como assim: no verdict at all."""
    # the set
    ALL = "all"
    ONLY = "only"
    EXCEPT = "except"
    REST = "rest"
    """o resto, os outros."""
    DROP = "drop"
    """tira, exclui: out of the set (in a request that is itself a removal: the request)."""
    KEEP = "keep"
    """mantém, deixa, fica com: left as it is."""
    ADD = "add"
    ALSO = "also"
    SWAP = "swap"
    INSTEAD = "instead"
    CORRECT = "correct"
    """quer dizer, ops, na verdade: what was said last is taken back."""
    OWN = "own"
    """pago, tenho, assino: says what is held, asks for nothing."""
    OUT = "out"
    """de fora, da lista: where something is dropped from."""
    # numbers and positions
    NUMBER = "number"
    ORDINAL = "ordinal"
    LAST = "last"
    POSITION = "position"
    """item, número, opção: what stands before a position."""
    RANGE = "range"
    """até, ao: from one position to another."""
    # requests and questions
    WANT = "want"
    GIVE = "give"
    """me manda, quero ver, mostra: asks for something else than the proposal."""
    ASK = "ask"
    """quanto, quando, por que."""
    ABOUT = "about"
    """valor, multa, prazo: what one asks about a proposal."""
    TOPIC = "topic"
    """fatura, boleto, senha: matters of their own."""
    PERSON = "person"
    VERB = "verb"
    """A verb of request: cancela, consultar, bloqueiem. Which operation it is, operations.py knows."""
    GIVES_UP = "gives_up"
    """Reserved word of an operation that is called off: cancela, para."""
    # frames
    GREETING = "greeting"
    COURTESY = "courtesy"
    FILLER = "filler"
    NOW = "now"
    """agora, hoje mesmo: a time that delays nothing."""
    LATER = "later"
    """amanhã, mês que vem, depois: a time that does."""
    REASON = "reason"
    """porque, já que: what follows explains."""
    REMARK = "remark"
    """não uso mais, tá caro: an explanation that is whole by itself."""
    PLACE = "place"
    """conta, plano, linha: where something is, when 'da minha' stands before it."""
    AUXILIARY = "auxiliary"
    ARTICLE = "article"
    PREPOSITION = "preposition"
    POSSESSIVE = "possessive"
    PRONOUN = "pronoun"
    DEMONSTRATIVE = "demonstrative"
    """esses, aqueles, eles: the set as a whole."""
    FOR = "for"
    """por, pelo: what comes in the place of something."""
    QUANTITY = "quantity"
    """alguns, uns, vários."""
    BOTH_AND = "both_and"
    """tanto, both, either: opens a pair."""
    # joints
    AND = "and"
    OR = "or"
    BUT = "but"
    THAT = "that"
    """que, como."""
    COMMA = "comma"
    STOP = "stop"
    """End of a sentence: . ! … and a line break."""
    QUESTION = "question"
    COLON = "colon"
    BREAK = "break"
    """Bullet, line break, slash, plus: cuts a list, ends no sentence."""
    DASH = "dash"
    BRACKET = "bracket"
    # emoji
    YES_SIGN = "yes_sign"
    NO_SIGN = "no_sign"
    DOUBT_SIGN = "doubt_sign"
    KIND_SIGN = "kind_sign"
    """A face or heart that changes nothing."""
    OTHER_SIGN = "other_sign"
    # the rest
    MENTION = "mention"
    """A known value."""
    QUOTED = "quoted"
    CODE = "code"
    """Digits, or letters and digits."""
    UNKNOWN = "unknown"


FUNCTION_WORDS = frozenset(
    {
        Sense.ARTICLE,
        Sense.PREPOSITION,
        Sense.PRONOUN,
        Sense.POSSESSIVE,
        Sense.DEMONSTRATIVE,
        Sense.FOR,
        Sense.AND,
        Sense.COMMA,
    }
)
"""Senses that say nothing alone."""
