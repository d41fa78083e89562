"""Logs of a process: lines for people in a terminal, JSON lines otherwise; ours and the libraries' in one shape.

Owns: the set-up of structlog and of the stdlib's root logger, through which everything goes.
Invariants: a library's logger says the same kind of thing at most RATE_LINES times a second, ours OWN_RATE_LINES; what was held back is counted in the next
line of its kind (`suppressed`). A kind is the text before its values are filled in, numbers and addresses taken out.
Source: notes on aiokafka section 4 (41 000 error lines a minute while a broker is away).
"""

import logging
import re
import sys
import time
from collections.abc import Callable, MutableMapping
from enum import StrEnum
from typing import Any, TextIO

import structlog

RATE_LINES = 3
OWN_RATE_LINES = 50
"""Of our own loggers, which back off by themselves: a bound, no more."""
OWN = "pipeline"
RATE_WINDOW_S = 1.0
KINDS_MAX = 2_000
"""Kinds of lines that are counted at once; beyond it the oldest windows are forgotten."""

_VALUES = re.compile(r"0x[0-9a-fA-F]+|'[^']*'|\"[^\"]*\"|\d+")
QUIET = ("aiokafka", "uvicorn", "httpx", "httpx2", "httpcore", "httpcore2", "mcp")
"""Libraries that tell of every request, poll and rebalance: only their warnings are logged."""


class LogFormat(StrEnum):
    """How lines look."""

    AUTO = "auto"
    CONSOLE = "console"
    JSON = "json"


class RateLimit(logging.Filter):
    """Lets the first lines of a kind through in every window and counts the others."""

    def __init__(
        self,
        *,
        lines: int = RATE_LINES,
        window_s: float = RATE_WINDOW_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._lines = lines
        self._window_s = window_s
        self._clock = clock
        self._windows: dict[tuple[str, str], list[float]] = {}  # key: begin, lines let through, lines held back

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written; one that ends a silence carries `suppressed`."""
        now, key = self._clock(), (record.name, kind_of(record.msg))
        window = self._windows.get(key)
        if window is None or now - window[0] >= self._window_s:
            held = int(window[2]) if window else 0
            self._windows.pop(key, None)
            if len(self._windows) >= KINDS_MAX:
                self._windows.pop(next(iter(self._windows)))
            self._windows[key] = [now, 1, 0]
            if held:
                _tell(record, held)
            return True
        if window[1] < (OWN_RATE_LINES if record.name.split(".", 1)[0] == OWN else self._lines):
            window[1] += 1
            return True
        window[2] += 1
        return False


def kind_of(message: object) -> str:
    """The text of a line without its values."""
    text = message.get("event", "") if isinstance(message, dict) else message
    return _VALUES.sub("#", str(text)[:300])


def _tell(record: logging.LogRecord, held: int) -> None:
    if isinstance(record.msg, dict):
        record.msg = {**record.msg, "suppressed": held}
    else:
        record.suppressed = held


def _suppressed(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Take over the count of a library's line."""
    held = getattr(event.get("_record"), "suppressed", None)
    if held:
        event["suppressed"] = held
    return event


class _ToStderr(logging.StreamHandler[TextIO]):
    """Writes to what is stderr at that moment: it may be replaced and closed (a test's capture)."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> TextIO:
        """Where lines go now."""
        return sys.stderr

    @stream.setter
    def stream(self, _: TextIO) -> None:
        """Never kept."""


def setup(
    fmt: LogFormat = LogFormat.AUTO,
    *,
    stream: TextIO | None = None,
    level: int = logging.INFO,
    rate: RateLimit | None = None,
) -> logging.Handler:
    """Make `stream` (stderr when None) the only place where logs go. Returns: the handler."""
    out = stream if stream is not None else sys.stderr
    as_json = fmt is LogFormat.JSON or (fmt is LogFormat.AUTO and not out.isatty())
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso" if as_json else "%H:%M:%S", utc=as_json),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=False,
    )
    ending: list[Any] = (
        [
            structlog.processors.format_exc_info,
            structlog.processors.EventRenamer("message"),
            structlog.processors.JSONRenderer(ensure_ascii=False, default=str),
        ]
        if as_json
        else [
            structlog.dev.ConsoleRenderer(
                colors=out.isatty(), exception_formatter=structlog.dev.plain_traceback, pad_event_to=0
            )
        ]
    )
    handler: logging.Handler = logging.StreamHandler(stream) if stream is not None else _ToStderr()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[_suppressed, structlog.stdlib.ProcessorFormatter.remove_processors_meta, *ending],
        )
    )
    handler.addFilter(rate or RateLimit())
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, level))
    return handler
