"""docs/evolution.md says the rules as they are."""

from pathlib import Path

from contracts.evolution.parties import PARTIES, Direction
from contracts.evolution.rule import Rule
from contracts.evolution.rules import RULES

PAGE = Path(__file__).parents[2] / "docs" / "evolution.md"


def rows() -> list[str]:
    """The table of the page."""
    return [f"| `{r.id}` | {r.grade.value} | {breaks(r)} | … {r.changed} | {r.way_out} |" for r in RULES.values()]


def breaks(rule: Rule) -> str:
    said = {Direction.BACKWARD: rule.backward, Direction.FORWARD: rule.forward}
    if rule.consequence and rule.grade.failing:
        return "always"
    return ", ".join(direction for direction, how in said.items() if how) or "nobody"


def test_the_page_lists_every_rule() -> None:
    assert [
        line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `") and "| … " in line
    ] == rows()


def test_the_page_says_in_which_directions_each_contract_is_judged() -> None:
    text = PAGE.read_text("utf-8")
    judged = {
        name.strip(): cells[2].strip()
        for cells in (line.split("|") for line in text.splitlines() if line.startswith("| ") and line.count("|") == 4)
        for name in cells[1].replace(" and ", ", ").split(",")
    }
    for name, parties in PARTIES.items():
        title = "".join(part.capitalize() for part in name.split("-")).replace("Llm", "LLM")
        said = judged.get("the stages' commands" if title.endswith("Command") else title)
        expected = "both" if len(parties.directions) == 2 else next(iter(parties.directions)).value
        assert said == expected, title
