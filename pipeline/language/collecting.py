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

from pipeline.language.clauses import Clause, Role, read_clauses, spelled_out
from pipeline.language.coerce import (
    AMBIGUOUS,
    OUT_OF_BOUNDS,
    PATTERN_MISMATCH,
    Coerced,
    CoerceError,
    coerce,
    options_of,
    type_of,
)
from pipeline.language.collecting_words import (
    CALLING_OFF_AROUND,
    GIVING_UP,
    HEDGES_OF_FORM,
    NO_ANSWER,
    NO_LONGER,
    POLITE,
    TEXT_LABELS,
    TOPICS,
    TROUBLES,
    WHERE_FROM,
)
from pipeline.language.items import read_items
from pipeline.language.lexemes import Kind, Lexeme, lex, words_of
from pipeline.language.operations import CALL_OFF, Operation, operation_of
from pipeline.language.request_words import ACT_OF, ASKS, GENERIC_VERBS, GIVES, NEGATIONS, WANTS
from pipeline.language.routing import Route
from pipeline.language.stems import is_infinitive, stem

INVALID_DATE: Final = "invalid_date"
NOT_AN_INTEGER: Final = "not_an_integer"
_STATED: Final = frozenset({AMBIGUOUS, OUT_OF_BOUNDS, PATTERN_MISMATCH, INVALID_DATE, NOT_AN_INTEGER})
"""Codes that say: a value of the kind was stated, and it cannot be taken."""
MAX_CLAUSE: Final = 40
"""Lexemes looked at for the end of a clause."""
MAX_NAME_WORDS: Final = 8
"""Words of one name or code; a longer "name" is a sentence."""
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


@dataclass(frozen=True, slots=True)
class _Asked:
    """The open question."""

    parameter: Mapping[str, Any]
    operation: Operation
    question: str
    locale: str
    now: datetime | None
    timezone: str
    routes: Callable[[str], Route] | None

    @property
    def kind(self) -> str:
        return "enum" if options_of(self.parameter) and type_of(self.parameter) != "array" else type_of(self.parameter)

    @property
    def known_values(self) -> tuple[str, ...]:
        known = self.parameter.get("known_values")
        return tuple(one for one in known if isinstance(one, str)) if isinstance(known, list | tuple) else ()

    @property
    def label(self) -> str:
        label = self.parameter.get("label")
        return label if isinstance(label, str) else ""

    @property
    def own_words(self) -> frozenset[str]:
        """Stems of what the question itself is about: they make no other matter."""
        return frozenset(
            stem(word)
            for said in (self.question, self.label, self.operation.noun, *map(str, options_of(self.parameter)))
            for word in words_of(said.replace("_", " "))
        )

    @property
    def free_text(self) -> bool:
        return self.kind == "string" and bool(self.parameter.get("free_text"))


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
    asked = _Asked(parameter, operation_of(operation), question, locale, now, timezone, routes)
    lexemes = lex(text)
    if not lexemes:
        return Answer(AnswerVerdict.UNCLEAR, rule="ABANDON-5 nothing said")
    return _free_text(text, lexemes, asked) if asked.free_text else _valued(text, lexemes, asked)


# Values ------------------------------------------------------------------------------------------------------------


def _valued(text: str, lexemes: tuple[Lexeme, ...], asked: _Asked) -> Answer:
    if asked.kind == "boolean" and (plain := _typed(text, asked)).verdict is AnswerVerdict.ANSWER:
        return plain  # "não quero receber" is a no before it is anything else
    kept, gave_up = _without_giving_up(text, lexemes, asked)
    value = _named(kept, asked) if asked.kind in {"string", "array"} else _typed(kept, asked)
    if value.verdict is AnswerVerdict.ANSWER:
        return value
    other = _asks_else(kept, asked)
    if gave_up:
        verdict = AnswerVerdict.NEW_INTENT if other else AnswerVerdict.ABANDON
        return Answer(verdict, rule=f"ABANDON-3 {gave_up}", rest=kept.strip() if other else "")
    if value.error in _STATED:
        return value
    called_off = _called_off(lexemes, asked)
    if called_off is not None:
        return called_off
    if other:
        return Answer(AnswerVerdict.NEW_INTENT, rule=f"ABANDON-4 {other}", rest=text.strip())
    return Answer(AnswerVerdict.UNCLEAR, rule=value.rule or "ABANDON-5 no value of the asked kind", error=value.error)


def _typed(text: str, asked: _Asked) -> Answer:
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
    if asked.kind in {"number", "integer", "enum", "date"} and _asks_else(text, asked):
        # "quero cancelar o plano de 50 reais" names a number, and answers nothing.
        return Answer(AnswerVerdict.UNCLEAR, rule="ABANDON-4 a value inside another request")
    return Answer(AnswerVerdict.ANSWER, read.value, f"ABANDON-2 {read.rule}")


def _named(text: str, asked: _Asked) -> Answer:
    """A name, a code or a list of them, by the ITEMS rules."""
    unclear = AnswerVerdict.UNCLEAR
    spoken = _only_no_answer(text)
    if spoken:
        return Answer(unclear, rule=f"ABANDON-5 {spoken}")
    plain = _unhedged(_ended(text) if asked.operation.cancels else text)
    if not plain.strip():
        return Answer(unclear, rule="ABANDON-5 nothing said")
    if asked.kind == "array" and type_of(_element(asked)) not in {"string", "object"}:
        return _typed(plain, asked)
    spoken = _only_no_answer(plain)
    if spoken:
        return Answer(unclear, rule=f"ABANDON-5 {spoken}")
    known = asked.known_values or tuple(one for one in options_of(_element(asked)) if isinstance(one, str))
    reading = read_items(plain, label=asked.label or None, known_values=known, locale=asked.locale)
    items = list(reading.items)
    held = [item for item in items if item in known]
    if not held and (not items or not _nameable(plain, items, asked)):
        return Answer(unclear, rule="ABANDON-5 no name or code said")
    rule = f"ABANDON-2 {reading.rule}"
    if asked.kind == "array":
        read = coerce(items, asked.parameter, locale=asked.locale, now=asked.now, timezone=asked.timezone)
        if isinstance(read, CoerceError):
            return Answer(unclear, rule=f"ABANDON-5 {read.rule}", error=read.code)
        return Answer(AnswerVerdict.ANSWER, read.value, rule, reading.rest)
    if len(items) > 1 and not (TEXT_LABELS & set(words_of(asked.label))):
        return Answer(unclear, rule="ABANDON-5 several values for one", error=AMBIGUOUS)
    one = items[0] if len(items) == 1 else _without_politeness(text)
    read = coerce(one, asked.parameter, locale=asked.locale)
    if isinstance(read, CoerceError):
        return Answer(unclear, rule=f"ABANDON-5 {read.rule}", error=read.code)
    return Answer(AnswerVerdict.ANSWER, read.value, rule, reading.rest)


def _element(asked: _Asked) -> Mapping[str, Any]:
    element = asked.parameter.get("items")
    return element if isinstance(element, Mapping) else {"type": "string"}


def _nameable(text: str, items: list[str], asked: _Asked) -> bool:
    """Unknown names are taken only where the text is nothing but names: no question, no sentence, no other request."""
    lexemes = spelled_out(lex(text))
    if any(piece.folded == "?" for piece in lexemes) or _asks_else(text, asked):
        return False
    words = [piece.folded for piece in lexemes if piece.kind is Kind.WORD]
    if words and (words[0] in ASKS or (words[0] in NEGATIONS and len(items) == 0)):
        return False
    for item in items:
        parts = words_of(item)
        if not parts or len(parts) > MAX_NAME_WORDS or all(_functional(part, asked) for part in parts):
            return False
    return not _only_no_answer(" ".join(items))


def _functional(word: str, asked: _Asked) -> bool:
    return (
        word in WANTS
        or word in GIVES
        or word in ASKS
        or word in NEGATIONS
        or asked.operation.is_own(word)
        or asked.operation.is_noun(word)
        or (stem(word) in {stem(own) for own in words_of(asked.label)})
    )


def _ended(text: str) -> str:
    """The text without "não quero mais" in front of a thing: to a cancellation it names what to end."""
    lexemes = lex(text)
    for phrase in NO_LONGER.find(lexemes):
        if phrase.end < len(lexemes) and lexemes[phrase.end].kind is not Kind.MARK:
            return text[: lexemes[phrase.start].start] + text[lexemes[phrase.end].start :]
    return text


def _unhedged(text: str) -> str:
    """The text behind a hedge of form: "deve ser o 123", "acho que é o Babbel"."""
    lexemes = lex(text)
    index = 0
    while index < len(lexemes):
        phrase = HEDGES_OF_FORM.at(lexemes, index)
        if phrase is None and not (index and lexemes[index].folded in {",", ":"}):
            break
        index = phrase.end if phrase is not None else index + 1
    return text[lexemes[index].start :] if 0 < index < len(lexemes) else text


def _only_no_answer(text: str) -> str:
    """What a text is when nothing but doubt, delay, greeting, courtesy, yes or no is in it; "" when something else is."""
    lexemes = lex(text)
    found: set[str] = set()
    index = 0
    while index < len(lexemes):
        phrase = NO_ANSWER.at(lexemes, index)
        if phrase is not None:
            found.add(phrase.meaning)
            index = phrase.end
        elif lexemes[index].kind is Kind.MARK:
            index += 1
        elif (
            found & {"doubt", "wait"}
            and len(lexemes) - index <= 6
            and not any(piece.kind is Kind.NUMERAL for piece in lexemes[index:])
        ):
            index += 1  # "não sei qual é o nome": the doubt has an object
        else:
            return ""
    return next(
        (meaning for meaning in ("doubt", "wait", "yes", "no", "greeting", "courtesy") if meaning in found), "noise"
    )


# Giving up ---------------------------------------------------------------------------------------------------------


def _without_giving_up(text: str, lexemes: tuple[Lexeme, ...], asked: _Asked) -> tuple[str, str]:
    """The text without the clauses that give the whole thing up, and by which words they do."""
    spans: list[tuple[int, int]] = []
    rule = ""
    for phrase in GIVING_UP.find(lexemes):
        if not _closes(lexemes, phrase.end, asked):
            continue
        if phrase.start and lexemes[phrase.start - 1].folded in {"nao", "que", "se"}:
            continue
        end = _clause_end(lexemes, phrase.end)
        spans.append((lexemes[phrase.start].start, lexemes[end - 1].end))
        rule = "gives the whole thing up"
    if not rule and (span := _refused_operation(lexemes, asked)) is not None:
        spans.append(span)
        rule = "refuses the operation"
    kept = text
    for start, end in reversed(spans):
        kept = kept[:start] + " " + kept[end:]
    return (kept.strip(" ,.;:!-") if rule else text), rule


def _clause_end(lexemes: tuple[Lexeme, ...], index: int) -> int:
    limit = min(len(lexemes), index + MAX_CLAUSE)
    while index < limit and not (lexemes[index].kind is Kind.MARK and lexemes[index].folded in ",.;!?\n"):
        if lexemes[index].folded in {"mas", "e", "but", "pero", "quero", "me"} | WANTS:
            break
        index += 1
    return index


def _closes(lexemes: tuple[Lexeme, ...], index: int, asked: _Asked) -> bool:
    """Nothing that could be a value hangs on the words that give up: "não quero mais", not "não quero mais o Babbel"."""
    end = _clause_end(lexemes, index)
    hanging = [piece.folded for piece in lexemes[index:end] if piece.kind in {Kind.WORD, Kind.NUMERAL}]
    small = (
        CALLING_OFF_AROUND
        | {
            "nao",
            "mais",
            "obrigado",
            "obrigada",
            "valeu",
            "de",
            "do",
            "da",
            "vou",
            "querer",
            "thanks",
            "anymore",
            "gracias",
            "nada",
            "nenhum",
            "nenhuma",
            "nenhuns",
            "any",
            "ningun",
            "ninguno",
        }
        | set(words_of(asked.label))
    )
    own = asked.operation
    return all(word in small or own.is_own(word) or own.is_noun(word) or is_infinitive(word) for word in hanging)


def _refused_operation(lexemes: tuple[Lexeme, ...], asked: _Asked) -> tuple[int, int] | None:
    """não quero (mais) agendar, não vou cancelar nada: the operation itself is refused, no item of it."""
    for index, piece in enumerate(lexemes):
        if piece.folded not in NEGATIONS:
            continue
        wish = index + 1 < len(lexemes) and lexemes[index + 1].folded in WANTS
        end = _clause_end(lexemes, index + 1 + wish)
        words = [one.folded for one in lexemes[index + 1 : end] if one.kind is Kind.WORD]
        if not any(asked.operation.is_own(word) or asked.operation.is_noun(word) for word in words[:6]):
            continue
        small = (
            CALLING_OFF_AROUND
            | WANTS
            | {
                "mais",
                "vou",
                "vai",
                "eh",
                "e",
                "para",
                "nada",
                "precisa",
                "preciso",
                "nao",
                "de",
                "fazer",
                "to",
                "anymore",
                "anything",
            }
        )
        own = asked.operation
        if all(word in small or own.is_own(word) or own.is_noun(word) for word in words):
            return piece.start, lexemes[end - 1].end
    return None


def _called_off(lexemes: tuple[Lexeme, ...], asked: _Asked) -> Answer | None:
    """A bare "cancela": gives up, except where the operation is itself a cancellation."""
    words = [piece.folded for piece in lexemes if piece.kind in {Kind.WORD, Kind.NUMERAL}]
    offs = [word for word in words if any(word.startswith(off) for off in CALL_OFF)]
    own = asked.operation
    if not offs or any(word in NEGATIONS for word in words):
        return None
    if any(word not in offs and word not in CALLING_OFF_AROUND and not own.is_noun(word) for word in words):
        return None
    if own.cancels:
        return Answer(AnswerVerdict.UNCLEAR, rule="ABANDON-3 a bare cancel while a cancellation is collected")
    return Answer(AnswerVerdict.ABANDON, rule="ABANDON-3 called off")


# Another request ---------------------------------------------------------------------------------------------------


def _asks_else(text: str, asked: _Asked) -> str:
    """By what a text is unmistakably another request or question; "" when it is none."""
    if not text.strip():
        return ""
    lexemes = spelled_out(lex(text))
    if next(WHERE_FROM.find(lexemes), None) is not None:
        return ""
    own = asked.own_words
    for clause in read_clauses(text, infinitives=frozenset(ACT_OF)):
        if clause.role is Role.PERSON:
            return "asks for a person"
        if clause.role is Role.STATEMENT and not asked.free_text and _trouble(clause, own):
            return "tells of another trouble"
        if clause.role is not Role.REQUEST and not (clause.role is Role.QUIT and not asked.operation.cancels):
            continue
        if other := _other(clause, asked, own):
            return other
    if asked.routes is not None and not _only_no_answer(text):
        route = asked.routes(text)
        framed = any(clause.role is Role.REQUEST for clause in read_clauses(text, infinitives=frozenset(ACT_OF)))
        if route.tool is not None and framed:
            return f"the router: {route.rule}"
    return ""


def _trouble(clause: Clause, own: frozenset[str]) -> bool:
    """A matter of its own that does not work: "minha internet caiu"."""
    pieces = tuple(Lexeme(word, Kind.WORD, 0, 0, False) for word in clause.words)
    return not TROUBLES.isdisjoint(clause.words) and any(
        stem(clause.words[phrase.start]) not in own for phrase in TOPICS.find(pieces)
    )


def _other(clause: Clause, asked: _Asked, own: frozenset[str]) -> str:
    words = clause.words
    pieces = tuple(Lexeme(word, Kind.WORD, 0, 0, False) for word in words)
    topics = [
        phrase
        for phrase in TOPICS.find(pieces)
        if not own & {stem(word) for word in words[phrase.start : phrase.end] if len(word) > 2}
    ]
    operation_acts = frozenset().union(*(ACT_OF.get(word, frozenset()) for word in _verbs_of(asked.operation)))
    verbs = [
        word
        for word in words[:6]
        if word in ACT_OF
        and word not in GENERIC_VERBS
        and word not in ASKS
        and word not in GIVES
        and not asked.operation.is_own(word)
        and stem(word) not in own
    ]
    acting = [word for word in verbs if not (ACT_OF[word] & operation_acts) and ACT_OF[word] != frozenset({"see"})]
    known = {part for value in asked.known_values for part in words_of(value)}
    named = bool(known & set(words))
    wants = any(word in WANTS or word in GIVES for word in words[:4])
    if clause.question and topics:
        return "a question about another matter"
    if topics and wants and not named:
        return "a request about another matter"
    if acting and not named and (wants or words[0] in acting or clause.question) and not asked.free_text:
        return "a request of another kind"
    return ""


def _verbs_of(operation: Operation) -> frozenset[str]:
    return frozenset(word for word in ACT_OF if operation.is_own(word))


# Free text ---------------------------------------------------------------------------------------------------------


def _free_text(text: str, lexemes: tuple[Lexeme, ...], asked: _Asked) -> Answer:
    """A reason or a complaint, as written without the politeness around it."""
    value = _without_politeness(text)
    words = [piece.folded for piece in lexemes if piece.kind in {Kind.WORD, Kind.NUMERAL}]
    if not words or not value:
        return Answer(AnswerVerdict.UNCLEAR, rule="ABANDON-5 nothing said")
    spoken = _only_no_answer(value)
    if spoken:
        return Answer(AnswerVerdict.UNCLEAR, rule=f"ABANDON-5 {spoken}")
    if words[0] in {"porque", "pq", "pois", "because", "porq"} and len(words) > 1 and "?" not in text:
        return _checked(value, asked)
    called_off = _called_off(lexemes, asked)
    if called_off is not None:
        return called_off
    gave_up = _gives_up_free(text, lexemes, asked)
    if gave_up is not None:
        return gave_up
    if (other := _asks_else(text, asked)) and (
        text.rstrip().endswith("?") or _orders(words) or other == "asks for a person"
    ):
        return Answer(AnswerVerdict.NEW_INTENT, rule=f"ABANDON-4 {other}", rest=text.strip())
    if text.rstrip().endswith("?"):
        return Answer(AnswerVerdict.UNCLEAR, rule="ABANDON-5 asks about the question")
    return _checked(value, asked)


def _orders(words: list[str]) -> bool:
    head = [word for word in words[:3] if word not in {"me", "eu", "oi"}]
    return bool(head) and (head[0] in GIVES or head[0] in WANTS or head[0] in ASKS)


def _gives_up_free(text: str, lexemes: tuple[Lexeme, ...], asked: _Asked) -> Answer | None:
    if _refused_operation(lexemes, asked) is not None:
        return Answer(AnswerVerdict.ABANDON, rule="ABANDON-3 refuses the operation")
    kept, rule = _without_giving_up(text, lexemes, asked)
    if not rule:
        return None
    reasonlike = (
        all(phrase.meaning == "reasonlike" for phrase in GIVING_UP.find(lexemes)) and rule != "refuses the operation"
    )
    takes_back = asked.operation.cancels or bool(set(asked.operation.stems) & _RETURNS)
    if reasonlike and takes_back:
        return None
    left = _only_no_answer(kept) if kept.strip() else "noise"
    if not left and _asks_else(kept, asked):
        return Answer(AnswerVerdict.NEW_INTENT, rule=f"ABANDON-3 {rule}", rest=kept.strip())
    return Answer(AnswerVerdict.ABANDON, rule=f"ABANDON-3 {rule}")


def _checked(value: str, asked: _Asked) -> Answer:
    read = coerce(value, {**asked.parameter, "type": "string"}, locale=asked.locale)
    if isinstance(read, Coerced):
        return Answer(AnswerVerdict.ANSWER, read.value, "ABANDON-2 text as written")
    return Answer(AnswerVerdict.UNCLEAR, rule=f"ABANDON-5 {read.rule}", error=read.code)


def _without_politeness(text: str) -> str:
    """The text without greeting and courtesy at its ends."""
    lexemes = lex(text)
    start, end = 0, len(lexemes)
    while start < end:
        phrase = _polite_at(lexemes, start)
        if phrase is not None and phrase <= end:
            start = phrase
        elif start and lexemes[start].kind is Kind.MARK and lexemes[start].folded in ",.!;:-":
            start += 1
        else:
            break
    trimmed = True
    while trimmed and end > start:
        trimmed = False
        for size in range(min(5, end - start), 0, -1):
            if _polite_at(lexemes, end - size) == end:
                end -= size
                trimmed = True
                break
        if trimmed:
            while end > start and lexemes[end - 1].kind is Kind.MARK and lexemes[end - 1].folded in ",;:-":
                end -= 1
    if start >= end:
        return ""
    tail = text[lexemes[end - 1].end :] if end == len(lexemes) else ""
    return (text[lexemes[start].start : lexemes[end - 1].end] + tail).strip()


def _polite_at(lexemes: tuple[Lexeme, ...], index: int) -> int | None:
    """The end of a greeting or courtesy that starts here."""
    phrase = NO_ANSWER.at(lexemes, index)
    if phrase is not None and phrase.meaning in {"greeting", "courtesy"}:
        return phrase.end
    other = POLITE.at(lexemes, index)
    if (
        other is not None
        and other.meaning == "polite"
        and lexemes[index].folded not in {"agora", "hoje", "urgente", "ai", "eu"}
    ):
        return other.end
    return None
