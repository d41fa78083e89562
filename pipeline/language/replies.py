"""What a reply to one open question decides: the public reading.

Owns: what makes a text no answer at all (interrupted, a quotation of the question, too long), before it is read.
Invariants: an interrupted turn never accepts.
Never: asks a model. Source: language.json REPLY-0 to REPLY-6; DESIGN 7 Confirm.
"""

from collections.abc import Sequence
from functools import lru_cache

from pipeline.language.labels import singular
from pipeline.language.mentions import names_of
from pipeline.language.normalize import fold
from pipeline.language.operations import operation_of
from pipeline.language.page import Page
from pipeline.language.reply_judgement import Judgement
from pipeline.language.reply_reader import gather
from pipeline.language.reply_segments import Proposal, clauses
from pipeline.language.reply_verdicts import Reply, Verdict
from pipeline.language.senses import Sense
from pipeline.language.signs import Sign, read_signs
from pipeline.language.tokens import TokenKind, tokenize
from pipeline.language.word_lists import listed

__all__ = ["Reply", "Verdict", "read_reply"]

SIGNS_MAX = 400
"""Signs of the longest reply that is read for a verdict; a longer text is no answer to a yes-no question."""
_DASHES = "-–—"
_NOTED = listed(
    "ok|okay|ta|ta bom|ta bem|certo|beleza|tranquilo|tranquila|suave|de boa|legal|tudo bem|bom|vale|bueno|alright|all right",
    "|",
)
"""Words that agree when they stand alone, and only take note before a refusal."""
_THEN = listed("entao|then|entonces|ok then|ta entao|ok entao|certo entao", "|")
_BARE_NO = (("nao",), ("no",))
_QUOTE_MIN = 12
"""Letters a text shares with the question before it counts as a quotation of it."""


def read_reply(
    text: str,
    *,
    items: Sequence[str],
    operation: str,
    locale: str = "pt-BR",
    question: str = "",
    known_values: Sequence[str] = (),
    interrupted: bool = False,
) -> Reply:
    """Return the verdict of a reply to the open question about `items`.

    `operation` is the noun of what would be done ("cancelamento"); `question` the text shown;
    `known_values` what else the customer holds, for the spelling of what is added.
    """
    if interrupted or text.rstrip().endswith(tuple(_DASHES)):
        return Reply(Verdict.UNCLEAR, rule="REPLY-4 interrupted")
    if _quotes(text, question):
        return Reply(Verdict.UNCLEAR, rule="REPLY-4 quotes the question")
    tokens = tokenize(text)
    if len(tokens) == 1 and tokens[0].kind is TokenKind.QUOTED:
        text = tokens[0].text
        tokens = tokenize(text)
    shown = tuple(items)
    others = tuple(value for value in known_values if fold(value) not in {fold(item) for item in shown})
    values = shown + others
    signs = read_signs(tokens, names_of(values), locale=locale)
    if not any(
        token.kind in (TokenKind.WORD, TokenKind.NUMBER, TokenKind.CODE, TokenKind.QUOTED, TokenKind.EMOJI)
        for token in tokens
    ):
        return Reply(Verdict.UNCLEAR, rule="REPLY-4 nothing said", question="?" in text)
    if len(signs) > SIGNS_MAX:
        return Reply(Verdict.UNCLEAR, rule="REPLY-4 too long for a verdict")
    proposal = Proposal(len(shown), operation_of(operation), _echoes(question))
    page = Page(text, tokens, signs, frozenset())
    parts = clauses(signs, proposal)
    facts = gather(page, parts, proposal, values)
    reply = Judgement(page, parts, facts, proposal, values).verdict()
    said = _after_acknowledging(signs)
    if reply.verdict is Verdict.UNCLEAR and said and not facts.asks:
        page = Page(text, tokens, signs[said:], frozenset())
        parts = clauses(page.signs, proposal)
        refused = Judgement(page, parts, gather(page, parts, proposal, values), proposal, values).verdict()
        if refused.verdict is Verdict.DECLINE:
            return refused
    return reply


def _after_acknowledging(signs: Sequence[Sign]) -> int:
    """Where what is said begins after a word that only took note, 0 where none does: 'ok, então' não quero."""
    spot = noted = joined = 0
    while spot < len(signs):
        sign = signs[spot]
        if sign.sense is Sense.AFFIRM and (sign.word in _NOTED or sign.word in _THEN):
            noted = 1
        elif sign.sense not in (Sense.FILLER, Sense.COMMA, Sense.BUT):
            break
        joined = joined or sign.sense is Sense.BUT or not _THEN.isdisjoint({sign.word, sign.words[-1]})
        spot += 1
    if spot < len(signs) and not joined:
        joined = signs[spot - 1].sense is Sense.COMMA and not (signs[spot].words in _BARE_NO and spot + 1 == len(signs))
    return spot if noted and joined and spot < len(signs) else 0


def _quotes(text: str, question: str) -> bool:
    asked = fold(question).strip(" ?!.")
    said = fold(text)
    if len(asked) < _QUOTE_MIN or len(said) < _QUOTE_MIN:
        return False
    return asked in said or (asked.startswith(said.rstrip(" ?!.")) and said.count(" ") > 1)


@lru_cache(maxsize=256)
def _echoes(question: str) -> frozenset[str]:
    return frozenset(
        form for token in tokenize(question) if token.kind is TokenKind.WORD for form in singular(token.folded)
    )
