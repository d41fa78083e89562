"""A certification for people, and for CI: the table with the ways out, the JSON of the contract, JUnit XML."""

from collections import Counter
from pathlib import Path

from junitparser import Failure, JUnitXml, Skipped, TestCase, TestSuite
from rich import box
from rich.console import Group
from rich.table import Table
from rich.text import Text

from consumers.certify.certifying import Certification
from consumers.certify.findings import Verdict
from consumers.cli.terminal import CommandError

STYLES = {Verdict.PASS: "green", Verdict.FAIL: "red bold", Verdict.SKIPPED: "yellow"}


def table(certification: Certification) -> Group:
    """Every check with what was seen; below, what to do about each failure; last, the verdict."""
    result, findings = certification.result, certification.findings
    rows = Table(box=box.SIMPLE_HEAD, title=f"{result.tool} on {result.server}", title_justify="left")
    rows.add_column("", no_wrap=True)
    rows.add_column("check", overflow="fold", ratio=4)
    rows.add_column("seen, or why it was skipped", overflow="fold", ratio=6)
    for each in findings:
        rows.add_row(Text(each.verdict, style=STYLES[each.verdict]), Text(each.sentence), Text(each.detail))
    checks: dict[str, list[str]] = {}
    for each in findings:
        if each.verdict is Verdict.FAIL:
            checks.setdefault(each.way_out, []).append(each.sentence)
    ways = [Text("To put right:", style="bold")] if checks else []
    ways += [Text(f"{number}. {'; '.join(of)}: {way_out}.") for number, (way_out, of) in enumerate(checks.items(), 1)]
    return Group(rows, *ways, Text(summary(certification), style="bold green" if result.passed else "bold red"))


def summary(certification: Certification) -> str:
    """One line."""
    counts = Counter(each.verdict for each in certification.findings)
    said = ", ".join(f"{counts[verdict]} {verdict.lower()}" for verdict in Verdict if counts[verdict])
    verdict = "certified" if certification.result.passed else "NOT certified"
    return f"{certification.result.tool}: {verdict} ({said}) in {certification.seconds:.1f} s"


def write_json(certification: Certification, path: Path) -> None:
    """The CertificationResult. Raises: CommandError."""
    _write(path, certification.result.model_dump_json(indent=2) + "\n")


def write_junit(certification: Certification, path: Path) -> None:
    """A test suite of the tool, a test case a check. Raises: CommandError."""
    result = certification.result
    suite = TestSuite(f"{result.server}.{result.tool}")
    suite.timestamp = result.at.isoformat()
    suite.add_property("tool_schema_hash", result.tool_schema_hash)
    for each in certification.findings:
        case = TestCase(each.sentence, classname=f"{result.server}.{result.tool}")
        if each.verdict is Verdict.FAIL:
            failure = Failure(each.detail, "contract")
            failure.text = each.way_out
            case.result = [failure]
        elif each.verdict is Verdict.SKIPPED:
            case.result = [Skipped(each.detail)]
        elif each.detail:
            case.system_out = each.detail
        suite.add_testcase(case)
    suites = JUnitXml("certify")
    suites.add_testsuite(suite)
    suites.update_statistics()  # type: ignore[no-untyped-call]
    suite.time = suites.time = round(certification.seconds, 3)  # of all checks together
    _write(path, suites.tostring().decode())  # type: ignore[no-untyped-call]


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written ({error.strerror}).") from None
