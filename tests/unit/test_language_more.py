"""The examiner's cases: written from the rules alone, by somebody who had not read the code.

What is still read otherwise is listed with its id and may only shrink: a case that begins to pass must be taken off the list. None of
them is a wrong accept, and only one chooses a tool that was not asked for.
"""

from pathlib import Path

import pytest

from tests.cases.comparison import passes
from tests.cases.reading import Case, answer, read_cases

CASES = read_cases(Path(__file__).parents[1] / "data" / "language-more.json")

UNSOLVED = {
    "needless unclear": {"M-RE-39", "M-RE-218", "M-RE-266", "M-RE-385"},
    "paraphrase far from description and examples": {
        *(
            "M-RO-03",
            "M-RO-26",
            "M-RO-55",
            "M-RO-58",
            "M-RO-84",
            "M-RO-116",
            "M-RO-125",
            "M-RO-135",
            "M-RO-144",
            "M-RO-148",
        ),
    },
    "two tools fit alike": {"M-RO-36", "M-RO-95", "M-RO-102", "M-RO-169"},
    "another tool": {"M-RO-118"},
}
KNOWN = {name for names in UNSOLVED.values() for name in names}


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_examiner_case_is_understood_as_labelled_or_listed_as_unsolved(case: Case) -> None:
    got = answer(case)
    right = passes(case, got)
    assert right is (case.id not in KNOWN), f"{case.text!r}: expected {dict(case.expect)}, got {got}"


def test_no_examiner_case_is_a_wrong_accept() -> None:
    replies = [case for case in CASES if case.kind == "reply"]
    wrong = [case.id for case in replies if answer(case)["verdict"] == "accept" and not passes(case, answer(case))]
    assert not wrong
