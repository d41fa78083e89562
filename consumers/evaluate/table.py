"""An evaluation as tables for a terminal; what came from a topic is text, never markup."""

from collections.abc import Iterator

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from consumers.chaos.measures import quantile
from consumers.evaluate.journey import EXECUTED, Ending
from consumers.evaluate.measures import JUDGEMENTS, Evaluation, Group, Measures
from consumers.evaluate.results import OPERATIONS, PERCENTILES

SHOWN_FAULTS = 10
STYLES = {Ending.SUCCESS: "green", Ending.PARTIAL: "yellow", Ending.FAILED: "red", Ending.UNKNOWN: "magenta"}


def tables(evaluation: Evaluation) -> Iterator[RenderableType]:
    """Outcomes, questions and waits of every agent and tool; what must be none; what operators saw."""
    yield _outcomes(evaluation)
    yield _talk(evaluation)
    yield _must_be_none(evaluation.total)
    if evaluation.faults:
        yield _faults(evaluation)
    yield _operations(evaluation)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        first = place == 0
        table.add_column(column, justify="left" if first else "right", no_wrap=first, overflow="fold")
    return table


def _rows(evaluation: Evaluation) -> Iterator[tuple[str, Measures]]:
    for group in evaluation.groups:
        yield name_of(group), group.measures
    yield "all", evaluation.total


def name_of(group: Group) -> str:
    """An agent, or below it one of its tools."""
    return group.agent if group.tool is None else f"  {group.tool or '(no tool)'}"


def _outcomes(evaluation: Evaluation) -> Table:
    others = [ending for ending in Ending if ending not in EXECUTED and evaluation.total.endings[ending]]
    titles = [ending.replace("_", " ") for ending in (*EXECUTED, *others)]
    table = _table("How transactions ended", "agent / tool", "all", *titles)
    for name, measures in _rows(evaluation):
        cells = [_ending(measures, ending) for ending in (*EXECUTED, *others)]
        table.add_row(Text(name), str(measures.transactions), *cells)
    return table


def _ending(measures: Measures, ending: Ending) -> Text:
    count = measures.endings[ending]
    whole = measures.executed if ending.executed else measures.transactions
    text = f"{count} ({count / whole:.0%})" if count else "·"
    return Text(text, style=STYLES.get(ending, "") if count else "dim")


def _talk(evaluation: Evaluation) -> Table:
    table = _table(
        "Questions, items and waits (seconds: p50 / p95 / p99)",
        "agent / tool",
        "questions",
        "asked once",
        "amended",
        "unclear",
        "items done / not / unknown",
        "to question",
        "to answer",
    )
    for name, measures in _rows(evaluation):
        table.add_row(
            Text(name),
            _ratio(measures.questions, measures.transactions, ".2f"),
            _ratio(measures.asked_once, measures.confirmed, ".0%"),
            str(measures.amendments),
            _ratio(measures.unclear, measures.replies, ".0%"),
            f"{measures.done} / {measures.failed} / {measures.unsure}" if measures.items else "–",
            waits(measures.to_question_s),
            waits(measures.to_answer_s),
        )
    return table


def _ratio(part: int, whole: int, form: str) -> str:
    return format(part / whole, form) if whole else "–"


def waits(seconds: list[float]) -> str:
    """Three percentiles."""
    if not seconds:
        return "–"
    return " / ".join(f"{quantile(seconds, at):.2f}" for at in PERCENTILES.values())


def _must_be_none(total: Measures) -> Table:
    table = _table("Must be none", "what", "found", "looked at")
    for kind in JUDGEMENTS:
        found = total.of(kind)
        style = "bold red" if found else "green"
        table.add_row(kind.replace("_", " "), Text(str(found), style=style), f"{total.judged[kind]} transactions")
    return table


def _faults(evaluation: Evaluation) -> Table:
    table = Table(title="Where", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("what", "items", "look at it with"):
        table.add_column(column, overflow="fold")
    for fault in evaluation.faults[:SHOWN_FAULTS]:
        table.add_row(fault.kind.replace("_", " "), str(fault.items), Text(fault.journey.command))
    return table


def _operations(evaluation: Evaluation) -> Table:
    table = _table("What else happened", "what", "count")
    traffic = evaluation.traffic
    rows = {
        "messages of customers": traffic.messages,
        "messages not understood": traffic.not_understood,
        "messages that came twice": traffic.duplicates,
        "transactions that began before the period": traffic.began_before,
        "transactions open at its end": traffic.open_at_end,
        **{name.replace("_", " "): evaluation.operations(*kinds) for name, kinds in OPERATIONS.items()},
        "unreadable records": evaluation.counted.unreadable,
    }
    for name, count in rows.items():
        table.add_row(name, str(count))
    return table
