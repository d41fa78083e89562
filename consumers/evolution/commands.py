"""`contracts check` and `contracts release`: the gate on the command line.

Invariants: verdicts on stdout, one sentence a line, failing ones as they are, others behind their grade; exit code 1 where one fails.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from consumers.cli.options import AsJson
from consumers.cli.terminal import FAILED, WRONG, CommandError, errors_in_one_sentence, say

if TYPE_CHECKING:
    from contracts.evolution.gate import Verdict

REWORDED = "description-changed"

Old = Annotated[Path | None, typer.Argument(metavar="OLD", help="Schema file or folder of the older set.", exists=True)]
New = Annotated[Path | None, typer.Argument(metavar="NEW", help="Schema file or folder of the newer set.", exists=True)]
Note = Annotated[str, typer.Option("--note", metavar="TEXT", help="What the release is about, for CHANGES.md.")]


def check(old: Old = None, new: New = None, as_json: AsJson = False) -> None:
    """Judge the models against the released schemas, or NEW against OLD; without arguments also read every example.

    Rules of a tolerant reader: new fields optional, required ones stay, types and enums grow only where readers allow it, another
    meaning is another major. Exits 1 when a change breaks somebody, or cannot be judged, or an example is not as it should be.
    """
    with errors_in_one_sentence():
        verdicts = _judged(old, new)
    _tell(verdicts, as_json=as_json)
    problems = _examples() if old is None else 0
    if problems or any(verdict.grade.failing for verdict in verdicts):
        raise typer.Exit(FAILED)


def release(note: Note = "", as_json: AsJson = False) -> None:
    """Freeze the models that changed as the next minor release; refuses what the gate refuses (exit code 1)."""
    from consumers.evolution.released import RELEASED, UnreadableSchema, current, freeze

    with errors_in_one_sentence():
        try:
            frozen = freeze(current(), datetime.now(UTC).date(), note)
        except (UnreadableSchema, OSError) as error:
            raise CommandError(str(error)) from error
    _tell(frozen.verdicts, as_json=as_json)
    if frozen.refused:
        say("nothing was released: put the sentences above right, or raise the major in the model's VERSION")
        raise typer.Exit(FAILED)
    say(f"released in {RELEASED}: {', '.join(frozen.releases) or 'nothing, since nothing changed'}")


def _judged(old: Path | None, new: Path | None) -> "tuple[Verdict, ...]":
    from consumers.evolution.released import UnreadableSchema, against_released, current, schemas_at
    from contracts.evolution.gate import compare_sets, later_major

    try:
        if old is None:
            return against_released(current())
        if new is None:
            raise CommandError("One set alone cannot be compared: give OLD and NEW, or neither.", code=WRONG)
        before, after = schemas_at(old), schemas_at(new)
        if old.is_file() and new.is_file() and not later_major(*before, *after):
            after = dict(zip(before, after.values(), strict=True))  # the same contract, whatever they are called
        if not before or not after:
            raise CommandError(f"There is no JSON Schema in {old if not before else new}.", code=WRONG)
        return compare_sets(before, {version: releases[-1] for version, releases in after.items()})
    except UnreadableSchema as error:
        raise CommandError(str(error), code=WRONG) from error


def _examples() -> int:
    """How many examples are not as they should be; each is told."""
    from consumers.schemas.known_contracts import ALL, examples_of

    examples = [example for contract in ALL for example in examples_of(contract)]
    problems = [problem for example in examples if (problem := example.problem()) is not None]
    problems += [f"{contract.VERSION}: has no examples" for contract in ALL if not any(examples_of(contract))]
    for problem in problems:
        say(problem)
    if not problems:
        say(f"{len(examples)} examples of {len(ALL)} contracts are as they should be")
    return len(problems)


def _tell(verdicts: "Sequence[Verdict]", *, as_json: bool) -> None:
    """Failing ones first. Other words for the same thing are many and harmless: they are told in one line."""
    reworded = [] if as_json else [verdict for verdict in verdicts if verdict.rule == REWORDED]
    for verdict in sorted(verdicts, key=lambda verdict: not verdict.grade.failing):
        if as_json:
            names = ("version", "path", "rule", "sentence")
            row = {"grade": verdict.grade.value, **{name: getattr(verdict, name) for name in names}}
            print(json.dumps(row, ensure_ascii=False))
        elif verdict not in reworded:
            print(verdict.sentence if verdict.grade.failing else f"{verdict.grade.value}: {verdict.sentence}")
    if len(reworded) == 1:
        print(f"{reworded[0].grade.value}: {reworded[0].sentence}")
    elif reworded:
        places = ", ".join(verdict.path for verdict in reworded)
        print(
            f"{reworded[0].grade.value}: {len(reworded)} places are described differently ({places}): better words are fine, "
            "another meaning needs a raised x-meaning and a new major"
        )
    failing = sum(verdict.grade.failing for verdict in verdicts)
    if verdicts:
        say(
            f"{len(verdicts)} {'change' if len(verdicts) == 1 else 'changes'}, {failing or 'none'} of them breaking the rules of a major version"
        )
    else:
        say("no contract changed")
