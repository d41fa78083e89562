"""Names, codes and reasons of several parameters in one message.

Owns: what the customer holds, recognised before its digits are read; names in what the other kinds leave; the clause that
explains.
Invariants: one set of words has one owner; a name is more than the noun of a label.
Never: amounts, dates, options. Source: rules ITEMS-1 to ITEMS-7; behaviour.json REC-04, REC-05.
"""

from collections.abc import Sequence

from pipeline.language.clauses import Clause, Role, read_clauses
from pipeline.language.coerce import AMBIGUOUS, Coerced, coerce
from pipeline.language.extract_words import DISOWNED, OWNERS, UNNAMED
from pipeline.language.items import ItemsReading, read_items
from pipeline.language.labels import label_nouns
from pipeline.language.lexemes import Kind, lex, words_of
from pipeline.language.request_words import ACT_OF
from pipeline.language.slots import Slot, Work
from pipeline.language.stems import stem


def fill_reason(work: Work, slots: Sequence[Slot]) -> None:
    """The clause that explains: behind "porque", or told after the request ("…, I changed my mind")."""
    if not slots:
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
    slot = slots[0]
    if reason and work.fill(slot, reason, "the clause that explains", schema={**slot.schema, "type": "string"}):
        work.take(start, end)


def _tells(clause: Clause, before: Sequence[Clause]) -> bool:
    asked = any(one.role in {Role.REQUEST, Role.FRAGMENT, Role.QUIT} for one in before)
    telling = clause.role in {Role.STATEMENT, Role.PAST, Role.OVER, Role.COMPLAINT}
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


def fill_held(work: Work, slots: Sequence[Slot]) -> None:
    """What the customer holds is recognised first, before its digits are read as amounts or days."""
    for slot in slots:
        reading = _read(work, slot, work.text)
        held = [item for item in reading.items if item in slot.known]
        if not held:
            continue
        # "a cobrança de 71,99 do Deezer": beside a name that is held, a number is of another parameter.
        named = [item for item in reading.items if item in held or not _is_number(item, work)]
        _assign(work, slot, named if slot.kind == "name" else list(reading.items), reading.rule)
        folded = work.text.casefold()
        for item in held:
            at = folded.find(item.casefold())
            if at >= 0:
                work.take(at, at + len(item))


def _read(work: Work, slot: Slot, text: str) -> ItemsReading:
    return read_items(text, label=slot.label, known_values=slot.known, locale=work.locale, operation=work.operation)


def _is_number(item: str, work: Work) -> bool:
    return isinstance(
        coerce(item, {"type": "number"}, locale=work.locale, now=work.now, timezone=work.timezone), Coerced
    )


def _assign(work: Work, slot: Slot, items: list[str], rule: str) -> None:
    if slot.kind == "name" and len(items) > 1:
        work.fail(slot, AMBIGUOUS, "several values for one")
    else:
        work.fill(slot, items if slot.kind == "names" else items[0], rule)


def fill_names(work: Work, slots: Sequence[Slot]) -> None:
    free = [slot for slot in slots if work.is_open(slot)]
    if not free:
        return
    text = _owned(work.text)
    beside = [slot for slot in free if _beside_label(text, slot.label)]
    # One set of words has one owner: the parameter whose noun stands beside it, else the first one open.
    slot = (beside or free)[0]
    reading = _read(work, slot, text)
    about = " ".join((slot.label, slot.name.replace("_", " "), *label_nouns(slot.label)))
    items = [named for item in reading.items if (named := _bare(item, about))]
    if items:
        _assign(work, slot, items, reading.rule)


def _beside_label(text: str, label: str) -> bool:
    nouns = {stem(word) for word in words_of(label) if len(word) > 2}
    return any(stem(word) in nouns for word in words_of(text))


def _owned(text: str) -> str:
    """What is disowned is what the request is about, no negated item: "I never bought Cinema pack"."""
    lexemes = lex(text)
    for phrase in DISOWNED.find(lexemes):
        behind = any(piece.kind is not Kind.MARK for piece in lexemes[phrase.end :])
        # "não reconheço a compra do X", "a compra do X, que não reconheço"
        return text[lexemes[phrase.end - 1].end :] if behind else text[: lexemes[phrase.start].start]
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
        elif (
            (owner and start + 1 < len(lexemes) and any(char.isdigit() for char in lexemes[start + 1].folded))
            or (
                owner and start + 2 < len(lexemes) and any(piece.kind is Kind.NUMERAL for piece in lexemes[start + 1 :])
            )
            or (word in {"do", "da", "de", "dos", "das", "del", "o", "a", "the"} and start + 1 < len(lexemes))
        ):
            start += 1
        else:
            break
    rest = [piece.folded for piece in lexemes[start:] if piece.kind in {Kind.WORD, Kind.NUMERAL}]
    if not rest or all(word in UNNAMED or word in OWNERS or stem(word) in own for word in rest):
        return ""
    end = len(lexemes)
    while end - 1 > start and lexemes[end - 1].kind is Kind.WORD and stem(lexemes[end - 1].folded) in own:
        end -= 1  # "April invoice"
    return item[lexemes[start].start : lexemes[end - 1].end] if end < len(lexemes) else item[lexemes[start].start :]
