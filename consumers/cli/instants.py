"""An instant as a person types it in an option: so long ago, or written out."""

import re
from datetime import UTC, datetime, timedelta

from consumers.cli.terminal import WRONG, CommandError

UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
EARLIEST, LATEST = datetime(1971, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
"""Kafka knows no earlier instant, Python no later one, each with the margin around a period."""


def instant(option: str, text: str, now: datetime, *, ago: str = "15m") -> datetime:
    """`now`, so long ago (a sign before it is fine), or RFC 3339; UTC where it names no zone. `ago`: the example in the error.

    Raises: CommandError.
    """
    try:
        at = _read(text, now)
    except OverflowError:
        at = None
    except ValueError:
        raise CommandError(
            f"{option} {text!r} is neither like {ago} nor an instant like 2026-01-31T10:00Z.", code=WRONG
        ) from None
    if at is None or not EARLIEST <= at <= LATEST:
        raise CommandError(f"{option} {text!r} lies outside the years 1971 to 9998.", code=WRONG)
    return at


def _read(text: str, now: datetime) -> datetime:
    """Raises: ValueError, OverflowError."""
    if text == "now":
        return now
    if found := re.fullmatch(r"-?(\d{1,6})([smhd])", text):
        return now - timedelta(**{UNITS[found[2]]: int(found[1])})
    at = datetime.fromisoformat(text)
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
