"""Clauses that only give a reason or a circumstance of a verdict said beside them: "perdi a carteira", "não, isso é da minha filha".

Owns: the closed words a reason beside a yes may hold; what a clause beside a no may not hold.
Invariants: a reason beside a yes is known word for word: no condition, exception, question or other word passes.
Never: makes a verdict. Source: language.json REPLY-0, REPLY-1, REPLY-2.
"""

from collections.abc import Sequence
from itertools import pairwise

from pipeline.language.reply_segments import Clause, Matter
from pipeline.language.senses import Sense
from pipeline.language.signs import Sign
from pipeline.language.word_lists import listed

__all__ = ["explains_refusal", "explains_taking_away"]

_CORE = listed(
    "perdi perdemos perderam roubaram roubada roubado furtaram furtada furtado assaltado assaltada assaltaram clonaram clonado clonada "
    "sumiu extraviou uso usa usamos usam usava assisto assiste assistimos serve serviu servem preciso precisa caro cara caros caras "
    "pesado economizar desempregado desempregada viajar mudar duro dura grana dinheiro apertado apertada demitido demitida "
    "lost stole stolen robbed use using need watch expensive broke perdi robaron robado uso usa usamos necesito caro robada"
)
"""Words of which a reason holds at least one."""
_AROUND = listed(
    "o a os as eu ele ela eles elas a gente nos meu minha meus minhas do da de dos das no na nos nas com sem em muito muita demais ja mais "
    "nunca pois nao nem to ta esta estou estamos estao ando fui foi fomos era eh sou ficou fiquei ficaram vou vai nada isso nisso disso ne "
    "carteira bolsa mochila cartao cartoes celular telefone chave filho filha filhos marido esposa mulher mae pai irmao irma familia "
    "gasto precisando querendo trabalho emprego mes deles delas quase ultimamente hoje ontem casa desde porque "
    "i we my the it them a is it's i'm was were am don't not no longer never too very much anymore wallet purse phone bag card because "
    "me la el los las lo un una mi ya estoy esta muy es cartera tarjeta bolso que"
)
_SAYS_NO_MORE = listed("nao nem nunca no not don't never longer ya quase")
_NEGATIONS = listed("nao nem nunca no not don't never")
_UNUSED = listed(
    "uso usa usamos usam usava assisto assiste assistimos serve serviu servem preciso precisa use using need watch necesito"
)
"""Words that explain that less is wanted only where they are negated."""
_TAKEN = listed("sem")
_WORDS_MIN = 2
_MONEY = listed("grana dinheiro")


def explains_taking_away(signs: Sequence[Sign]) -> bool:
    """Whether a clause beside a yes is known word for word to be a reason for having less: a loss, no use, too dear."""
    words = [word for sign in signs for word in sign.words]
    if len(words) < _WORDS_MIN or any(word not in _CORE and word not in _AROUND for word in words):
        return False
    if any(
        sign.sense in _NEVER_BESIDE_YES or (sign.sense is Sense.AFFIRM and sign.word not in _STATES) for sign in signs
    ):
        return False
    if signs[-1].sense is Sense.POSSESSIVE or any(
        one.sense is Sense.ARTICLE and other.sense is Sense.PREPOSITION for one, other in pairwise(signs)
    ):
        return False  # 'não uso o meu', 'o da minha filha': of one of them
    if any(sign.sense is Sense.REASON for sign in signs[1:]):
        return False  # 'não porque uso'
    core = [word for word in words if word in _CORE]
    denied = any(word in _SAYS_NO_MORE for word in words)
    if sum(word in _NEGATIONS for word in words) > 1:
        return False  # 'não uso mais não': of the use, or of the yes?
    if any(word in _UNUSED for word in core):
        return denied
    if any(word in _MONEY for word in core):
        return any(word in _TAKEN for word in words) and not denied
    return bool(core) and not denied


_NEVER_BESIDE_YES = frozenset(
    {
        Sense.MENTION, Sense.BUT, Sense.IF, Sense.BEFORE, Sense.EXCEPT, Sense.ONLY, Sense.ASK, Sense.QUESTION, Sense.REFUSE, Sense.HEDGE, Sense.WAIT,
        Sense.LATER, Sense.KEEP, Sense.DROP, Sense.ADD, Sense.SWAP, Sense.INSTEAD, Sense.REST, Sense.ORDINAL, Sense.LAST, Sense.OR, Sense.CORRECT,
        Sense.PUZZLED, Sense.CODE, Sense.OUT,
    }
)  # fmt: skip
_NEVER_BESIDE_NO = frozenset(
    {
        Sense.MENTION, Sense.BUT, Sense.IF, Sense.BEFORE, Sense.EXCEPT, Sense.ASK, Sense.QUESTION, Sense.WAIT, Sense.LATER, Sense.DROP, Sense.ADD, Sense.SWAP,
        Sense.INSTEAD, Sense.REST, Sense.ORDINAL, Sense.LAST, Sense.OR, Sense.CORRECT, Sense.PUZZLED, Sense.CODE, Sense.CONSENT, Sense.WANT, Sense.GIVE,
        Sense.YES_SIGN, Sense.DOUBT_SIGN, Sense.OTHER_SIGN, Sense.NUMBER, Sense.PERSON, Sense.VERB, Sense.ALL,
    }
)  # fmt: skip
_STATES = listed("isso ta eh esta esto eso")
"""Words that agree when they stand alone, and only speak of something when more follows."""
_REFUSALS = frozenset({Sense.NOT, Sense.REFUSE})
_BESIDE_REFUSAL = frozenset({Sense.COURTESY, Sense.FILLER, Sense.GREETING, Sense.NO_SIGN, Sense.KIND_SIGN})


def explains_refusal(signs: Sequence[Sign], parts: Sequence[Clause]) -> bool:
    """Whether a reply is a bare no and behind it only what explains it, whatever that is."""
    if len(parts) < 2 or any(sign.sense in (Sense.BUT, Sense.QUESTION, Sense.OR) for sign in signs):
        return False
    opening = signs[parts[0].first : parts[0].after]
    bare = any(sign.sense in _REFUSALS for sign in opening) and all(
        sign.sense in _REFUSALS or sign.sense in _BESIDE_REFUSAL for sign in opening
    )
    if not bare or parts[1].lead is not Sense.COMMA:
        return False
    return all(
        part.matter is Matter.PROPOSAL and not part.asks and _only_tells(signs[part.first : part.after])
        for part in parts[1:]
    )


def _only_tells(signs: Sequence[Sign]) -> bool:
    if all(sign.sense in _BESIDE_REFUSAL for sign in signs):
        return True
    for index, sign in enumerate(signs):
        if sign.sense is Sense.HEDGE:
            if not (_asks_nothing(signs) and any(other.sense is Sense.ONLY for other in signs)):
                return False
        elif sign.sense is Sense.AFFIRM:
            if sign.word not in _STATES or index + 1 >= len(signs) or len(signs) < _TELLS_MIN:
                return False
        elif sign.sense in _NEVER_BESIDE_NO or (sign.sense is Sense.ONLY and not _asks_nothing(signs)):
            return False
    opens_name = signs[0].word in _NAMES and len(signs) > 1 and signs[1].sense is Sense.ARTICLE
    return not opens_name and any(sign.sense in _TELLING or sign.word in _STATES for sign in signs)


def _asks_nothing(signs: Sequence[Sign]) -> bool:
    """Whether a clause says that the customer only wondered: 'era só uma dúvida'."""
    return any({"duvida", "doubt", "duda"} & set(sign.words) for sign in signs)


_NAMES = listed("eh era foi is was es")
"""Verbs behind which, before an article, a name comes that was meant instead: 'não, é o Deezer'."""
_TELLING = frozenset({Sense.AUXILIARY, Sense.OWN, Sense.REMARK, Sense.REASON, Sense.NOT, Sense.HEDGE})
"""Senses of which a clause that tells something holds one; without any it may be a name."""


_TELLS_MIN = 3
"""Signs of the shortest clause that tells something: 'isso é meu'."""
