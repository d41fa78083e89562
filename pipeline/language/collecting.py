"""What a message says while one parameter of a transaction is asked for.

Owns: the verdict on it: an answer with its value, giving up, another request, or unclear; in that order.
Invariants: pure and total; an answer's value passed `coerce` (typed) or the ITEMS rules (names and lists); a value that is
there but cannot be read gives `unclear` with its error code.
Never: asks, remembers, routes by itself (`routes`, where given, leaves out the tool that is being collected for).
Source: rules ABANDON-1 to ABANDON-5; DESIGN 7, Reconcile.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from pipeline.language.asked import Asked
from pipeline.language.clause_words import spelled_out
from pipeline.language.coerce import AMBIGUOUS, OUT_OF_BOUNDS, PATTERN_MISMATCH, Coerced, CoerceError, coerce
from pipeline.language.collecting_words import GIVING_UP, NO_LONGER, TEXT_LABELS
from pipeline.language.giving_up import called_off, refused_operation, without_giving_up
from pipeline.language.items import read_items
from pipeline.language.lexemes import Kind, Lexeme, lex, word_set, words_of
from pipeline.language.modality import UNKNOWN, hear
from pipeline.language.operations import operation_of
from pipeline.language.other_matters import asks_else, without_other_matters
from pipeline.language.politeness import is_noise, only_no_answer, unhedged, without_no_longer, without_politeness
from pipeline.language.request_words import ASKS, COMPLAINTS, GIVES, NEGATIONS, WANTS
from pipeline.language.routing import Route
from pipeline.language.schemas import options_of, type_of
from pipeline.language.stems import stem

INVALID_DATE: Final = "invalid_date"


NOT_AN_INTEGER: Final = "not_an_integer"


_STATED: Final = frozenset({AMBIGUOUS, OUT_OF_BOUNDS, PATTERN_MISMATCH, INVALID_DATE, NOT_AN_INTEGER})
"""Codes that say: a value of the kind was stated, and it cannot be taken."""


MAX_NAME_WORDS: Final = 8
"""Words of one name or code; a longer "name" is a sentence."""


_SENTENCE: Final = COMPLAINTS | word_set("sao sou voces voce estao estou vcs are you is es son")
"""Words of a sentence about something, which names nothing."""
_RETURNS: Final = frozenset({"devol", "troc", "contest", "reembols"})


class AnswerVerdict(StrEnum):
    ANSWER = "answer"
    ABANDON = "abandon"
    NEW_INTENT = "new_intent"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Answer:
    verdict: AnswerVerdict
    value: Any = None
    rule: str = ""
    rest: str = ""
    """What else was said, for later."""
    error: str | None = None
    """Coerce code, when unclear because of the value."""


def read_answer(
    text: str,
    *,
    parameter: Mapping[str, Any],
    operation: str,
    question: str = "",
    locale: str = "pt-BR",
    now: datetime | None = None,
    timezone: str = "America/Sao_Paulo",
    routes: Callable[[str], Route] | None = None,
) -> Answer:
    """Read `text` as the reply to `question`, which asked for `parameter`.

    `parameter`: name, label, and the keys of its schema (type, items, options, direction, minimum, pattern, …), with
    known_values and free_text where they apply.
    """
    asked = Asked(parameter, operation_of(operation), question, locale, now, timezone, routes)
    lexemes = lex(text)
    if not lexemes:
        return Answer(AnswerVerdict.UNCLEAR, rule="ABANDON-5 nothing said")
    return _free_text(text, lexemes, asked) if asked.free_text else _valued(text, lexemes, asked)


def _valued(text: str, lexemes: tuple[Lexeme, ...], asked: Asked) -> Answer:
    refused = refused_operation(lexemes, asked) is not None
    if asked.kind == "boolean" and not asked.operation.cancels and _quits_other(lexemes, asked):
        return Answer(AnswerVerdict.ABANDON, rule="ABANDON-3 no longer wants what the operation is for")
    if asked.kind == "boolean" and not refused and (plain := _typed(text, asked)).verdict is AnswerVerdict.ANSWER:
        return plain  # "não quero receber" is a no before it is anything else
    kept, gave_up = without_giving_up(text, lexemes, asked)
    value = _named(kept, asked) if asked.kind in {"string", "array"} else _typed(kept, asked)
    if value.verdict is AnswerVerdict.ANSWER:
        return value
    other = asks_else(kept, asked)
    if gave_up and other and not asked.operation.cancels and called_off(lex(kept), asked):
        other = ""  # "não quero mais, cancela tudo"
    if gave_up:
        verdict = AnswerVerdict.NEW_INTENT if other else AnswerVerdict.ABANDON
        return Answer(verdict, rule=f"ABANDON-3 {gave_up}", rest=kept.strip() if other else "")
    if value.error in _STATED:
        return value
    if (bare := called_off(lexemes, asked)) is not None:
        return Answer(AnswerVerdict(bare), rule="ABANDON-3 a bare cancel")
    if other:
        return Answer(AnswerVerdict.NEW_INTENT, rule=f"ABANDON-4 {other}", rest=text.strip())
    return Answer(AnswerVerdict.UNCLEAR, rule=value.rule or "ABANDON-5 no value of the asked kind", error=value.error)


def _quits_other(lexemes: tuple[Lexeme, ...], asked: Asked) -> bool:
    """não quero mais o seguro, where notices are asked about: the purchase is given up, no notice refused."""
    phrase = next(NO_LONGER.find(lexemes), None)
    if phrase is None or phrase.end + 1 >= len(lexemes) or lexemes[phrase.end].folded not in _ARTICLES:
        return False
    known = {stem(word) for word in (*words_of(asked.label), *words_of(asked.question))}
    return stem(lexemes[phrase.end + 1].folded) not in known


_ARTICLES: Final = word_set("o a os as esse essa este esta the el la los las")


def _typed(text: str, asked: Asked) -> Answer:
    read = coerce(
        text,
        asked.parameter,
        locale=asked.locale,
        now=asked.now,
        timezone=asked.timezone,
        known_values=asked.known_values,
        label=asked.label or None,
        question=asked.question,
    )
    if isinstance(read, CoerceError):
        return Answer(AnswerVerdict.UNCLEAR, rule=f"ABANDON-5 {read.rule}", error=read.code)
    if asked.kind in {"number", "integer", "enum", "date"} and asks_else(text, asked):
        # "quero cancelar o plano de 50 reais" names a number, and answers nothing.
        return Answer(AnswerVerdict.UNCLEAR, rule="ABANDON-4 a value inside another request")
    return Answer(AnswerVerdict.ANSWER, read.value, f"ABANDON-2 {read.rule}")


def _named(text: str, asked: Asked) -> Answer:
    """A name, a code or a list of them, by the ITEMS rules."""
    unclear = AnswerVerdict.UNCLEAR
    spoken = only_no_answer(text)
    if spoken:
        return Answer(unclear, rule=f"ABANDON-5 {spoken}")
    kept, rest = without_other_matters(text, asked)
    plain = unhedged(without_no_longer(kept) if asked.operation.cancels else kept)
    if not plain.strip():
        return Answer(unclear, rule="ABANDON-5 nothing said")
    if asked.kind == "array" and type_of(asked.element) not in {"string", "object"}:
        return _typed(plain, asked)
    spoken = only_no_answer(plain)
    if spoken:
        return Answer(unclear, rule=f"ABANDON-5 {spoken}")
    known = asked.known_values or tuple(one for one in options_of(asked.element) if isinstance(one, str))
    reading = read_items(
        plain, label=asked.label or None, known_values=known, locale=asked.locale, operation=asked.operation.noun
    )
    items = list(reading.items)
    if _asks(plain):
        return Answer(unclear, rule="ABANDON-5 asks")
    held = [item for item in items if item in known]
    if held and _doubts(plain):
        return Answer(unclear, rule="ABANDON-5 in doubt between what is held")
    if not held and (known or not items or not _nameable(plain, items, asked)):
        return Answer(unclear, rule="ABANDON-5 nothing held is named" if known else "ABANDON-5 no name or code said")
    rule = f"ABANDON-2 {reading.rule}"
    if asked.kind == "array":
        read = coerce(items, asked.parameter, locale=asked.locale, now=asked.now, timezone=asked.timezone)
        if isinstance(read, CoerceError):
            return Answer(unclear, rule=f"ABANDON-5 {read.rule}", error=read.code)
        return Answer(AnswerVerdict.ANSWER, read.value, rule, rest or reading.rest)
    whole = not TEXT_LABELS.isdisjoint(words_of(asked.label))
    if len(items) > 1 and not whole:
        return Answer(unclear, rule="ABANDON-5 several values for one", error=AMBIGUOUS)
    one = without_politeness(plain) if whole else items[0]
    read = coerce(one, asked.parameter, locale=asked.locale)
    if isinstance(read, CoerceError):
        return Answer(unclear, rule=f"ABANDON-5 {read.rule}", error=read.code)
    return Answer(AnswerVerdict.ANSWER, read.value, rule, rest or reading.rest)


DO_ASKS = (["you"], ["i"], ["we"], ["they"])
"""What follows the English "do" of a question."""


def _doubts(text: str) -> bool:
    lexemes = lex(text)
    said = hear(lexemes, "pt-BR")
    return bool(said.of(UNKNOWN)) or any(piece.folded in {"duvida", "dudas", "doubt"} for piece in lexemes)


def _asks(text: str) -> bool:
    """A question names nothing, except where a name is proposed: "pode ser o Babbel?"."""
    lexemes = spelled_out(lex(text))
    words = [piece.folded for piece in lexemes if piece.kind is Kind.WORD]
    contracted = words[:1] == ["do"] and words[1:2] not in DO_ASKS  # "do Deezer" is Portuguese
    asks = (bool(words) and words[0] in ASKS and not contracted) or any(piece.folded == "?" for piece in lexemes)
    return asks and words[:2] != ["pode", "ser"]


def _nameable(text: str, items: list[str], asked: Asked) -> bool:
    """Unknown names are taken only where the text is nothing but names: no question, no sentence, no other request."""
    lexemes = spelled_out(lex(text))
    if any(piece.folded == "?" for piece in lexemes) or asks_else(text, asked):
        return False
    words = [piece.folded for piece in lexemes if piece.kind is Kind.WORD]
    if words and (words[0] in ASKS or (words[0] in NEGATIONS and len(items) == 0)):
        return False
    if not _SENTENCE.isdisjoint(words):
        return False
    for item in items:
        parts = words_of(item)
        if is_noise(parts):
            return False
        if not parts or len(parts) > MAX_NAME_WORDS or all(_functional(part, asked) for part in parts):
            return False
    return not only_no_answer(" ".join(items))


def _functional(word: str, asked: Asked) -> bool:
    return (
        word in WANTS
        or word in GIVES
        or word in ASKS
        or word in NEGATIONS
        or asked.operation.is_own(word)
        or asked.operation.is_noun(word)
        or (stem(word) in {stem(own) for own in words_of(asked.label)})
    )


def _free_text(text: str, lexemes: tuple[Lexeme, ...], asked: Asked) -> Answer:
    """A reason or a complaint, as written without the politeness around it."""
    value = without_politeness(text)
    words = [piece.folded for piece in lexemes if piece.kind in {Kind.WORD, Kind.NUMERAL}]
    if not words or not value:
        return Answer(AnswerVerdict.UNCLEAR, rule="ABANDON-5 nothing said")
    spoken = only_no_answer(value)
    if spoken:
        return Answer(AnswerVerdict.UNCLEAR, rule=f"ABANDON-5 {spoken}")
    if words[0] in {"porque", "pq", "pois", "because", "porq"} and len(words) > 1 and "?" not in text:
        return _checked(value, asked)
    if (bare := called_off(lexemes, asked)) is not None:
        return Answer(AnswerVerdict(bare), rule="ABANDON-3 a bare cancel")
    gave_up = _gives_up_free(text, lexemes, asked)
    if gave_up is not None:
        return gave_up
    if (other := asks_else(text, asked)) and (
        text.rstrip().endswith("?") or _orders(words) or other == "asks for a person"
    ):
        return Answer(AnswerVerdict.NEW_INTENT, rule=f"ABANDON-4 {other}", rest=text.strip())
    if text.rstrip().endswith("?"):
        return Answer(AnswerVerdict.UNCLEAR, rule="ABANDON-5 asks about the question")
    return _checked(value, asked)


def _orders(words: list[str]) -> bool:
    head = [word for word in words[:3] if word not in {"me", "eu", "oi"}]
    return bool(head) and (head[0] in GIVES or head[0] in WANTS or head[0] in ASKS)


def _gives_up_free(text: str, lexemes: tuple[Lexeme, ...], asked: Asked) -> Answer | None:
    if refused_operation(lexemes, asked) is not None:
        return Answer(AnswerVerdict.ABANDON, rule="ABANDON-3 refuses the operation")
    kept, rule = without_giving_up(text, lexemes, asked)
    if not rule:
        return None
    reasonlike = (
        all(phrase.meaning == "reasonlike" for phrase in GIVING_UP.find(lexemes)) and rule != "refuses the operation"
    )
    takes_back = asked.operation.cancels or bool(set(asked.operation.stems) & _RETURNS)
    if reasonlike and takes_back:
        return None
    left = only_no_answer(kept) if kept.strip() else "noise"
    if not left and asks_else(kept, asked):
        return Answer(AnswerVerdict.NEW_INTENT, rule=f"ABANDON-3 {rule}", rest=kept.strip())
    return Answer(AnswerVerdict.ABANDON, rule=f"ABANDON-3 {rule}")


def _checked(value: str, asked: Asked) -> Answer:
    read = coerce(value, {**asked.parameter, "type": "string"}, locale=asked.locale)
    if isinstance(read, Coerced):
        return Answer(AnswerVerdict.ANSWER, read.value, "ABANDON-2 text as written")
    return Answer(AnswerVerdict.UNCLEAR, rule=f"ABANDON-5 {read.rule}", error=read.code)
