"""The gate: changes of contracts judged by the rule table, as sentences a person understands.

Owns: verdicts of one contract and of whole sets, and what becomes of versions.
Invariants: every difference gets a verdict; compatible with the latest release is not enough, every release of the major counts.
Never: reads a file, knows today's models. Source: SPEC-012 section 14, DESIGN 9.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from contracts.evolution.change import Change
from contracts.evolution.differences import changes
from contracts.evolution.parties import Direction, Parties, parties_of
from contracts.evolution.rule import Grade, Rule
from contracts.evolution.rules import RULES
from contracts.evolution.shapes import Schema

VERSION = re.compile(r"(?P<name>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)-v(?P<major>[1-9][0-9]*)")
"""A contract's version string: its name and major number."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate says of one change."""

    version: str
    """Version string of the contract it is about."""
    path: str
    """Dotted, from the contract's name."""
    rule: str
    """Id of the rule."""
    grade: Grade
    sentence: str
    """What changed, whom it breaks, the way out."""


def split(version: str) -> tuple[str, int] | None:
    """Name and major number of a version string; None when it is none."""
    match = VERSION.fullmatch(version)
    return (match["name"], int(match["major"])) if match else None


def later_major(old: str, new: str) -> bool:
    """Whether two version strings are of one contract, the second a later major."""
    before, after = split(old), split(new)
    return before is not None and after is not None and before[0] == after[0] and before[1] < after[1]


def judge(change: Change, version: str, parties: Parties | None = None) -> Verdict:
    """Apply the rule a change falls under."""
    name, major = split(version) or (version, 1)
    rule = RULES[change.rule]
    words = {"next": f"{name}-v{major + 1}", **change.words, "name": change.path}
    grade, means = _consequence(rule, parties or parties_of(name), words)
    said = f"{change.path} {rule.changed.format_map(words)}: {means}"
    if grade.failing or grade is Grade.NOTICE:
        said += f"; {rule.way_out.format_map(words)}" if rule.way_out else ""
    if grade is Grade.CANNOT_JUDGE:
        said = f"can't judge: {said}"
    return Verdict(version, change.path, rule.id, grade, said)


def _consequence(rule: Rule, parties: Parties, words: Mapping[str, str]) -> tuple[Grade, str]:
    clauses = []
    if rule.backward and Direction.BACKWARD in parties.directions:
        clauses.append(parties.backward.format(how=rule.backward.format_map(words)))
    if rule.forward and Direction.FORWARD in parties.directions:
        clauses.append(parties.forward.format(how=rule.forward.format_map(words)))
    if parties.first is Direction.FORWARD:
        clauses.reverse()
    if clauses:
        return rule.grade, ", and ".join(clauses)
    if rule.consequence:
        return rule.grade, rule.consequence.format_map(words)
    return Grade.COMPATIBLE, rule.fine.format_map(words)


def compare(old: Schema, new: Schema, version: str, parties: Parties | None = None) -> tuple[Verdict, ...]:
    """Judge every difference between two schemas of one version of a contract."""
    return tuple(judge(change, version, parties) for change in changes(old, new, str(new.get("title") or version)))


def compare_sets(
    old: Mapping[str, Sequence[Schema]], new: Mapping[str, Schema], lifted: Collection[tuple[str, str]] | None = None
) -> tuple[Verdict, ...]:
    """Judge a set of contracts, by version string, against all releases of each version, oldest first.

    `lifted`: pairs of version strings with an upcaster from the first to the second; None: it is not known which there are.
    """
    found = [
        *_versions(old, new, lifted),
        *(
            verdict
            for version in old
            if version in new
            for verdict in _all_releases(old[version], new[version], version)
        ),
    ]
    return tuple(found)


def _all_releases(releases: Sequence[Schema], schema: Schema, version: str) -> Iterator[Verdict]:
    """Verdicts against the latest release, and from those before it only what fails: a reader of any of them may be left."""
    latest = compare(releases[-1], schema, version)
    yield from latest
    told = {(verdict.rule, verdict.path) for verdict in latest}
    for release in releases[:-1]:
        for verdict in compare(release, schema, version):
            if verdict.grade.failing and (verdict.rule, verdict.path) not in told:
                told.add((verdict.rule, verdict.path))
                yield verdict


def _versions(
    old: Mapping[str, Sequence[Schema]], new: Mapping[str, Schema], lifted: Collection[tuple[str, str]] | None
) -> Iterator[Verdict]:
    titles = {str(schema.get("title")): version for version, schema in new.items() if version not in old}
    renamed: set[str] = set()
    for version in old:
        if version not in new:
            name, major = split(version) or (version, 0)
            title = str(old[version][-1].get("title"))
            later = [each for each in new if (parts := split(each)) and parts[0] == name and parts[1] > major]
            other = titles.get(title)
            if later:
                words = {"old": version, "new": later[0]}
                if lifted is None or _is_lifted(version, later[0], lifted):
                    yield judge(Change("major-replaced", version, words), version)
                elif later[0] in old:  # else it is told where the new major is judged
                    yield judge(Change("major-given-up", version, words), version)
            elif other is not None and (split(other) or ("",))[0] != name:
                renamed.add(other)
                yield judge(Change("contract-renamed", title, {"old": version, "new": other}), version)
            else:
                yield judge(Change("contract-removed", f"{title} ({version})"), version)
    for version in new:
        if split(version) is None:
            yield judge(Change("version-unreadable", str(new[version].get("title")), {"new": version}), version)
        elif version not in old and version not in renamed:
            yield _new_version(version, new, old, lifted)


def _is_lifted(version: str, later: str, lifted: Collection[tuple[str, str]]) -> bool:
    """Whether upcasters lead from one major, step by step, to a later one."""
    (name, first), (_, last) = split(version) or (version, 0), split(later) or (later, 0)
    return all((f"{name}-v{major}", f"{name}-v{major + 1}") in lifted for major in range(first, last))


def _new_version(
    version: str,
    new: Mapping[str, Schema],
    old: Mapping[str, Sequence[Schema]],
    lifted: Collection[tuple[str, str]] | None,
) -> Verdict:
    name, major = split(version) or (version, 0)
    known = [
        parts[1]
        for each in {*old, *new} - {version}
        if (parts := split(each)) and parts[0] == name and parts[1] < major
    ]
    if not known:
        return judge(Change("contract-added", f"{new[version].get('title')} ({version})"), version)
    before = f"{name}-v{max(known)}"
    words = {"old": before, "next": f"{name}-v{max(known) + 1}"}
    if max(known) + 1 < major:
        rule = "major-skipped"
    elif lifted is None or (before, version) in lifted:
        rule = "major-added"
    else:
        rule = "major-without-upcaster"
    return judge(Change(rule, version, words), version)
