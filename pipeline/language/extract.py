"""The values of several parameters said in one message, the first of a request or a correction.

Owns: which part of the message belongs to which parameter: amounts and dates by kind, options by name, codes by pattern,
names by the ITEMS rules in what is left, a reason in the clause that explains.
Invariants: a value passed `coerce`; nothing is taken from a label alone ("quero cancelar uns produtos"); a value of the kind
that is stated and unreadable gives an error, silence gives nothing.
Never: asks, routes. Source: DESIGN 7, Reconcile; behaviour.json REC-04 to REC-10.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from pipeline.language.calendar import Calendar
from pipeline.language.clauses import Clause, Role, read_clauses
from pipeline.language.coerce import AMBIGUOUS, CoerceError, coerce, matches, options_of, type_of
from pipeline.language.dates import local_day
from pipeline.language.days import DayScan
from pipeline.language.extract_words import DISOWNED, MONEY_LABELS, OWNERS, REASON_LABELS, UNNAMED
from pipeline.language.items import read_items
from pipeline.language.lexemes import Kind, Lexeme, lex, words_of
from pipeline.language.numbers import Number, find_numbers
from pipeline.language.request_words import ACT_OF
from pipeline.language.stems import stem

_VAGUE: Final = frozenset({"a time without a day", "a span without a day", "a month without a day"})
_PLAIN_CHOICES: Final = frozenset(
    {
        "an option named",
        "the option itself",
        "words of one option",
        "all words of one option",
        "the number of one option",
    }
)


@dataclass(frozen=True, slots=True)
class Extraction:
    values: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    """Parameter to coerce code, where a value of its kind was stated and cannot be taken."""
    rules: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Work:
    """The message while values are taken out of it; what is taken is blanked, so that places stay."""

    text: str
    locale: str
    now: datetime | None
    timezone: str
    found: Extraction

    def take(self, start: int, end: int) -> None:
        self.text = self.text[:start] + " " * (end - start) + self.text[end:]

    def coerce(self, name: str, raw: Any, schema: Mapping[str, Any], rule: str, known: Sequence[str] = ()) -> bool:
        read = coerce(raw, schema, locale=self.locale, now=self.now, timezone=self.timezone, known_values=known)
        if isinstance(read, CoerceError):
            self.found.errors[name] = read.code
            self.found.rules[name] = read.rule
            return False
        self.found.values[name] = read.value
        self.found.rules[name] = f"{rule}: {read.rule}"
        return True


def extract(
    text: str,
    schemas: Mapping[str, Mapping[str, Any]],
    *,
    required: Sequence[str] = (),
    locale: str = "pt-BR",
    now: datetime | None = None,
    timezone: str = "America/Sao_Paulo",
    known_values: Mapping[str, Sequence[str]] | None = None,
) -> Extraction:
    """Take the values of `schemas` out of `text`; `required` comes first where two parameters could take the same words."""
    work = _Work(text, locale, now, timezone, Extraction())
    order = [name for name in required if name in schemas] + [name for name in schemas if name not in required]
    known = {name: _known(schemas[name], (known_values or {}).get(name, ())) for name in order}
    kinds = {name: _kind(name, schemas[name]) for name in order}
    _reasons(work, [name for name in order if kinds[name] == "reason"], schemas)
    _held(work, [name for name in order if kinds[name] in {"names", "name"} and known[name]], schemas, kinds, known)
    for name in order:
        if kinds[name] == "pattern":
            _pattern(work, name, schemas[name])
    for name in order:
        if kinds[name] == "date":
            _date(work, name, schemas[name])
    for name in order:
        if kinds[name] == "enum":
            _enum(work, name, schemas[name])
    _numbers(
        work,
        [name for name in order if kinds[name] == "number"],
        schemas,
        [n for n in order if kinds[n] in {"name", "names"}],
    )
    _names(work, [name for name in order if kinds[name] in {"names", "name"}], schemas, kinds, known)
    return work.found


def _known(schema: Mapping[str, Any], given: Sequence[str]) -> tuple[str, ...]:
    own = schema.get("known_values")
    return tuple(given) or (tuple(one for one in own if isinstance(one, str)) if isinstance(own, list | tuple) else ())


def _label(name: str, schema: Mapping[str, Any]) -> str:
    label = schema.get("label")
    return label if isinstance(label, str) else name.replace("_", " ")


def _kind(name: str, schema: Mapping[str, Any]) -> str:
    declared = type_of(schema)
    if declared == "array":
        return "names" if type_of(_element(schema)) in {"string", "object"} else "other"
    if options_of(schema):
        return "enum"
    if declared in {"number", "integer"}:
        return "number"
    if declared == "date":
        return "date"
    if declared != "string":
        return "other"
    if schema.get("free_text") or REASON_LABELS & {*words_of(name.replace("_", " ")), *words_of(_label(name, schema))}:
        return "reason"
    return "pattern" if isinstance(schema.get("pattern"), str) else "name"


def _element(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    element = schema.get("items")
    return element if isinstance(element, Mapping) else {"type": "string"}


# Reasons -----------------------------------------------------------------------------------------------------------


def _reasons(work: _Work, names: Sequence[str], schemas: Mapping[str, Mapping[str, Any]]) -> None:
    """The clause that explains: behind "porque", or told after the request ("…, I changed my mind")."""
    if not names:
        return
    clauses = read_clauses(work.text, infinitives=frozenset(ACT_OF))
    first = next((place for place, clause in enumerate(clauses) if clause.role is Role.REASON), None)
    if first is None:
        first = next((place for place, clause in enumerate(clauses) if place and _tells(clause, clauses[:place])), None)
    if first is None:
        return
    last = first
    while (
        last + 1 < len(clauses)
        and clauses[last + 1].sentence == clauses[first].sentence
        and clauses[last + 1].role in {Role.REASON, Role.STATEMENT, Role.COMPLAINT, Role.DETAIL}
    ):
        last += 1
    start, end = clauses[first].start, clauses[last].end
    start = _with_marker(work.text, start) if clauses[first].role is Role.REASON else start
    reason = work.text[start:end].strip(" ,.;:")
    name = names[0]
    if reason and work.coerce(name, reason, {**schemas[name], "type": "string"}, "the clause that explains"):
        work.take(start, end)


def _tells(clause: Clause, before: Sequence[Clause]) -> bool:
    asked = any(one.role in {Role.REQUEST, Role.FRAGMENT, Role.QUIT} for one in before)
    telling = clause.role in {Role.STATEMENT, Role.PAST, Role.COMPLAINT}
    return asked and telling and not clause.question and len(clause.words) > 1


def _with_marker(text: str, start: int) -> int:
    """Where the word before `start` begins: "porque" belongs to the reason as written."""
    head = text[:start].rstrip()
    for marker in (
        "por causa de",
        "por causa do",
        "por causa da",
        "já que",
        "ja que",
        "uma vez que",
        "visto que",
        "é que",
    ):
        if head.lower().endswith(marker):
            return len(head) - len(marker)
    return len(head) - len(head.split()[-1]) if head.split() else start


# Values by kind ----------------------------------------------------------------------------------------------------


def _pattern(work: _Work, name: str, schema: Mapping[str, Any]) -> None:
    pattern = str(schema["pattern"])
    words = dict.fromkeys(word.strip(".,;:!?\"'()") for word in work.text.split()[:200])
    fitting = [word for word in words if word and any(char.isdigit() for char in word) and matches(pattern, word)]
    if len(fitting) > 1:
        work.found.errors[name] = AMBIGUOUS
        work.found.rules[name] = "several words meet the pattern"
    elif fitting and work.coerce(name, fitting[0], schema, "the word that meets the pattern"):
        at = work.text.find(fitting[0])
        work.take(at, at + len(fitting[0]))


def _date(work: _Work, name: str, schema: Mapping[str, Any]) -> None:
    lexemes = lex(work.text)
    direction = schema.get("direction")
    calendar = Calendar(local_day(work.now, work.timezone), direction if isinstance(direction, str) else None)
    days = [day for day in DayScan(lexemes, work.locale, calendar).days() if day.rule not in _VAGUE]
    if not days:
        return
    if work.coerce(name, work.text, schema, "the day said"):
        for day in days:
            work.take(lexemes[day.start].start, lexemes[day.end - 1].end)


def _enum(work: _Work, name: str, schema: Mapping[str, Any]) -> None:
    read = coerce(work.text, schema, locale=work.locale)
    if isinstance(read, CoerceError):
        if (
            read.rule.removeprefix("COERCE-7 ") in {"two options named", "a number no option has"}
            and read.code == AMBIGUOUS
        ):
            work.found.errors[name] = read.code
            work.found.rules[name] = read.rule
    elif read.rule.removeprefix("COERCE-7 ") in _PLAIN_CHOICES:
        work.found.values[name] = read.value
        work.found.rules[name] = read.rule


def _numbers(work: _Work, names: Sequence[str], schemas: Mapping[str, Mapping[str, Any]], named: Sequence[str]) -> None:
    lexemes = lex(work.text)
    free = [number for number in find_numbers(lexemes, work.locale) if not number.aside]
    for name in names:
        if not free:
            return
        schema = schemas[name]
        chosen = _for_parameter(name, schema, free, lexemes, alone=len(names) == 1, named=bool(named))
        if not chosen:
            continue
        others = [number for number in free if number not in chosen]
        text = _blanked(work.text, lexemes, others)
        work.coerce(name, text, schema, "the number said")
        for number in chosen:
            start = _with_lead(lexemes, number.start)
            work.take(lexemes[start].start, lexemes[number.end - 1].end)
        free = others


def _for_parameter(
    name: str,
    schema: Mapping[str, Any],
    free: Sequence[Number],
    lexemes: tuple[Lexeme, ...],
    *,
    alone: bool,
    named: bool,
) -> list[Number]:
    """The numbers that may be this parameter's: money for an amount, a count beside its noun for a count."""
    about = {stem(word) for word in (*words_of(name.replace("_", " ")), *words_of(_label(name, schema)))}
    money = bool(
        MONEY_LABELS
        & {
            *words_of(name.replace("_", " ")),
            *words_of(_label(name, schema)),
            *words_of(str(schema.get("description", ""))),
        }
    )
    beside = [
        number
        for number in free
        if about
        & {
            stem(piece.folded)
            for piece in lexemes[max(0, number.start - 3) : number.end + 2]
            if piece.kind is Kind.WORD and len(piece.folded) > 2
        }
    ]
    if money:
        amounts = [number for number in free if number.money or _decimal(number, lexemes)]
        if amounts:
            return amounts
    if beside:
        return beside
    if type_of(schema) == "number" and alone:
        return list(free)
    return list(free) if alone and len(free) == 1 and not named else []


def _decimal(number: Number, lexemes: tuple[Lexeme, ...]) -> bool:
    return any(piece.kind is Kind.NUMERAL and "," in piece.folded for piece in lexemes[number.start : number.end])


def _with_lead(lexemes: tuple[Lexeme, ...], index: int) -> int:
    """The preposition and currency sign in front of an amount go with it: "de R$ 71,99"."""
    start = index
    while start > 0 and (
        lexemes[start - 1].kind is Kind.CURRENCY or lexemes[start - 1].folded in {"de", "of", "no", "valor", "por"}
    ):
        start -= 1
    return start


def _blanked(text: str, lexemes: tuple[Lexeme, ...], numbers: Sequence[Number]) -> str:
    for number in numbers:
        start, end = lexemes[number.start].start, lexemes[number.end - 1].end
        text = text[:start] + " " * (end - start) + text[end:]
    return text


# Names and codes ---------------------------------------------------------------------------------------------------


def _held(
    work: _Work,
    names: Sequence[str],
    schemas: Mapping[str, Mapping[str, Any]],
    kinds: Mapping[str, str],
    known: Mapping[str, tuple[str, ...]],
) -> None:
    """What the customer holds is recognised first, before its digits are read as amounts or days."""
    for name in names:
        reading = read_items(work.text, label=_label(name, schemas[name]), known_values=known[name], locale=work.locale)
        held = [item for item in reading.items if item in known[name]]
        if not held:
            continue
        _assign(
            work,
            name,
            held if len(held) == len(reading.items) else list(reading.items),
            schemas[name],
            kinds[name],
            reading.rule,
        )
        folded = work.text.casefold()
        for item in held:
            at = folded.find(item.casefold())
            if at >= 0:
                work.take(at, at + len(item))


def _assign(work: _Work, name: str, items: list[str], schema: Mapping[str, Any], kind: str, rule: str) -> None:
    if kind == "name" and len(items) > 1:
        work.found.errors[name] = AMBIGUOUS
        work.found.rules[name] = "several values for one"
        return
    work.coerce(name, items if kind == "names" else items[0], schema, rule)


def _names(
    work: _Work,
    names: Sequence[str],
    schemas: Mapping[str, Mapping[str, Any]],
    kinds: Mapping[str, str],
    known: Mapping[str, tuple[str, ...]],
) -> None:
    open_names = [name for name in names if name not in work.found.values and name not in work.found.errors]
    if not open_names:
        return
    text = _owned(work.text)
    beside = [name for name in open_names if _beside_label(text, _label(name, schemas[name]))]
    # One set of words has one owner: the parameter whose noun stands beside it, else the first one open.
    for name in (beside or open_names)[:1]:
        reading = read_items(text, label=_label(name, schemas[name]), known_values=known[name], locale=work.locale)
        about = f"{_label(name, schemas[name])} {name.replace('_', ' ')}"
        items = [named for item in reading.items if (named := _bare(item, about))]
        if items:
            _assign(work, name, items, schemas[name], kinds[name], reading.rule)


def _beside_label(text: str, label: str) -> bool:
    nouns = {stem(word) for word in words_of(label) if len(word) > 2}
    return any(stem(word) in nouns for word in words_of(text))


def _owned(text: str) -> str:
    """What is disowned is what the request is about, no negated item: "I never bought Cinema pack"."""
    lexemes = lex(text)
    for phrase in DISOWNED.find(lexemes):
        return text[lexemes[phrase.end - 1].end :] if phrase.end < len(lexemes) else ""
    return text


def _bare(item: str, label: str) -> str:
    """The name in an item, without an owner noun in front ("cobrança do Cinema pack"); "" when it names nothing."""
    lexemes = lex(item)
    own = {stem(word) for word in words_of(label)}
    start = 0
    while start < len(lexemes):
        word = lexemes[start].folded
        owner = word in OWNERS or stem(word) in own
        linked = start + 1 < len(lexemes) and lexemes[start + 1].folded in {
            "do",
            "da",
            "de",
            "dos",
            "das",
            "of",
            "del",
            "for",
        }
        if owner and linked and start + 2 < len(lexemes):
            start += 2
        elif (owner and start + 1 < len(lexemes) and any(char.isdigit() for char in lexemes[start + 1].folded)) or (owner and start + 2 < len(lexemes) and any(piece.kind is Kind.NUMERAL for piece in lexemes[start + 1 :])) or (word in {"do", "da", "de", "dos", "das", "del", "o", "a", "the"} and start + 1 < len(lexemes)):
            start += 1
        else:
            break
    rest = [piece.folded for piece in lexemes[start:] if piece.kind in {Kind.WORD, Kind.NUMERAL}]
    if not rest or all(word in UNNAMED or word in OWNERS or stem(word) in own for word in rest):
        return ""
    return item[lexemes[start].start :]
