"""Run a file of language cases: failing cases one a line, totals by kind, the confusion of verdicts.

`python -m tests.cases FILE [--only KIND|ID] [--json]`; exit code 1 where a case fails, 2 where the file cannot be read.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from tests.cases.comparison import passes
from tests.cases.reading import Case, Got, answer, read_cases

VERDICTS = ("accept", "decline", "amend", "unclear", "new_intent")
Outcome = tuple[Case, Got, bool]


def run(
    file: Annotated[Path, typer.Argument(help="A file of cases, such as tests/data/language.json.")],
    only: Annotated[str, typer.Option(help="Only the cases of this kind, or this one id.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON for each case.")] = False,
) -> None:
    """Run a file of language cases through the public functions of the product."""
    try:
        cases = [case for case in read_cases(file) if not only or only in (case.kind, case.id)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        typer.echo(f"{file}: no file of cases ({error!r})", err=True)
        raise typer.Exit(2) from error
    if not cases:
        typer.echo(f"{file}: no case is of kind or id {only!r}" if only else f"{file}: no cases", err=True)
        raise typer.Exit(2)
    outcomes = [_outcome(case) for case in cases]
    for line in _json_lines(outcomes) if as_json else _text_lines(outcomes):
        typer.echo(line)
    raise typer.Exit(0 if all(passed for _, _, passed in outcomes) else 1)


def _outcome(case: Case) -> Outcome:
    try:
        got = answer(case)
    except Exception as error:  # a case that breaks the product is a failing case, and the rest still runs
        got = {"raised": f"{type(error).__name__}: {error}"}
        return case, got, False
    return case, got, passes(case, got)


def _json_lines(outcomes: list[Outcome]) -> list[str]:
    return [
        json.dumps(
            {"id": case.id, "kind": case.kind, "passed": passed, "expected": dict(case.expect), "got": got},
            ensure_ascii=False,
            default=str,
        )
        for case, got, passed in outcomes
    ]


def _text_lines(outcomes: list[Outcome]) -> list[str]:
    lines = [
        f"FAIL {case.id} {case.kind} {case.text!r} expected {_shown(dict(case.expect))} got {_shown(got)}"
        for case, got, passed in outcomes
        if not passed
    ]
    kinds = list(dict.fromkeys(case.kind for case, _, _ in outcomes))
    for kind in kinds:
        results = [passed for case, _, passed in outcomes if case.kind == kind]
        lines.append(f"{kind}: {sum(results)} of {len(results)} pass")
    if len(kinds) > 1:
        lines.append(f"all: {sum(passed for _, _, passed in outcomes)} of {len(outcomes)} pass")
    if "reply" in kinds:
        lines.extend(_confusion([outcome for outcome in outcomes if outcome[0].kind == "reply"]))
    return lines


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _confusion(outcomes: list[Outcome]) -> list[str]:
    """Return the table of expected (rows) against given verdicts, and the wrong accepts."""
    counts = Counter((str(case.expect.get("verdict")), str(got.get("verdict", "raised"))) for case, got, _ in outcomes)
    columns = [*VERDICTS, *sorted({given for _, given in counts} - set(VERDICTS))]
    width = max(len(name) for name in [*columns, "expected \\ got"])
    lines = ["reply, expected \\ got:", " ".join(name.rjust(width) for name in ["", *columns])]
    lines.extend(
        " ".join([wanted.rjust(width), *(str(counts[wanted, given]).rjust(width) for given in columns)])
        for wanted in VERDICTS
    )
    wrong = [case.id for case, got, passed in outcomes if got.get("verdict") == "accept" and not passed]
    lines.append(f"wrong accepts: {len(wrong)}" + (f" ({', '.join(wrong)})" if wrong else ""))
    return lines


if __name__ == "__main__":
    typer.run(run)
