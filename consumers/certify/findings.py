"""What a check ends with: PASS, FAIL with the way out, or SKIPPED with the reason; and the list of all checks."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Verdict(StrEnum):
    """How a check ended."""

    PASS = "PASS"  # noqa: S105 - no password
    FAIL = "FAIL"
    SKIPPED = "SKIPPED"


CHECKS: Final = {
    "takes_collection": "the schema takes a collection",
    "fits_configuration": "the schema fits what the pipeline sends",
    "annotations": "the annotations match the policy",
    "all_succeed": "all items succeed",
    "some_succeed": "some items succeed and some fail",
    "none_succeed": "no item succeeds",
    "unknown_item": "an unknown item fails with a reason",
    "auxiliary_failure": "an auxiliary failure leaves finished items finished",
    "duplicate": "the same idempotency key has one effect and one result",
    "slow": "a call that outlives its caller can be recovered",
    "restart": "a restart in the middle loses and repeats nothing",
    "status_tool": "the status tool tells what became of a key",
    "malformed": "malformed arguments are refused and harmless",
    "order_and_count": "there is one result per item, in the order of the items",
    "item_fields": "every result carries its item, fate, protocol and reason",
    "structured_output": "answers are structured and keep the output schema",
}
"""Name → what is checked, in the order in which it is shown."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The end of one check."""

    check: str
    """Of CHECKS."""
    verdict: Verdict
    detail: str
    """What was seen; why it was skipped."""
    way_out: str = ""
    """What the tool's team does about a failure."""

    @property
    def sentence(self) -> str:
        """What was checked."""
        return CHECKS[self.check]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong, before it is put down under a check."""

    seen: str
    way_out: str


DETAIL_MAX = 500
"""Characters of what was seen."""


def plain(text: str) -> str:
    """A tool's words on one line, without what terminals obey and XML refuses, and not endless."""
    said = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return said if len(said) <= DETAIL_MAX else f"{said[:DETAIL_MAX]}…"


def passed(check: str, detail: str = "") -> Finding:
    """A check that held."""
    return Finding(check, Verdict.PASS, plain(detail))


def failed(check: str, fault: Fault) -> Finding:
    """A check that did not hold."""
    return Finding(check, Verdict.FAIL, plain(fault.seen), fault.way_out)


def skipped(check: str, why: str) -> Finding:
    """A check that was not made."""
    return Finding(check, Verdict.SKIPPED, plain(why))


def judged(check: str, fault: Fault | None, detail: str = "") -> Finding:
    """PASS where there is no fault."""
    return passed(check, detail) if fault is None else failed(check, fault)
