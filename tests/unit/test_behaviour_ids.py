"""Every behaviour case has a test that is named by its id. Source: issue "Understanding customers", 1."""

import json
from pathlib import Path

TESTS = Path(__file__).parent.parent
CASES = TESTS / "data" / "behaviour.json"


def ids_without_test() -> list[str]:
    """Ids of behaviour.json that no test_behaviour_*.py names, in a function name or a parameter id."""
    sources = "\n".join(
        path.read_text(encoding="utf-8") for path in TESTS.rglob("test_behaviour_*.py") if path != Path(__file__)
    )
    ids = [case["id"] for case in json.loads(CASES.read_text(encoding="utf-8"))]
    return [name for name in ids if name.lower().replace("-", "_") not in sources]


def test_every_behaviour_case_has_a_test() -> None:
    assert ids_without_test() == []
