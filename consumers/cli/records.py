"""Records of any topic, for people and for programs behind a pipe.

Owns: which topic a name means, and the one JSON shape of a record (`tail --json`, `trace --json`).
Invariants: what a dead letter was refused for (a key twice, too many digits or levels) is shown as it came, bytes that are no text as
base64; nothing is lost.
"""

import base64
import json
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from consumers.cli.terminal import WRONG, CommandError
from pipeline.runtime import strict_json
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.serde import text_headers
from pipeline.runtime.strict_json import Refused
from pipeline.settings import PipelineSettings

DEAD_LETTERS = "dlq."
DLQ_HEADERS = ("dlq_error", "dlq_text", "dlq_field", "dlq_attempts", "dlq_origin_topic", "dlq_origin_partition")
SHOWN_CHARS = 240


def topics_meant(names: Iterable[str], settings: PipelineSettings, present: Collection[str]) -> list[str]:
    """Names on the cluster, from those or logical ones. Raises: CommandError with the nearest that exist."""
    found = []
    for name in names:
        full = next((each for each in (name, settings.named(name)) if each in present), None)
        if full is None:
            raise CommandError(f"There is no topic {name!r}: {_near(name, settings, present)}", code=WRONG)
        found.append(full)
    return list(dict.fromkeys(found))


def _near(name: str, settings: PipelineSettings, present: Collection[str]) -> str:
    import difflib

    logical = sorted(settings.logical(each) for each in present if not each.startswith("__"))
    near = difflib.get_close_matches(name, logical, n=3)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return "`python -m consumers topics list` shows those that exist."


def body(value: bytes | None) -> Any:
    """The value as JSON; text where it is no JSON, or none that keeps all it says; base64 where it is no text."""
    if value is None:
        return None
    with suppress(Refused):
        return strict_json.loads(value)
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}


def key_text(record: RawRecord) -> str | None:
    """The key as text."""
    return None if record.key is None else record.key.decode("utf-8", "backslashreplace")


def as_row(record: RawRecord, logical: str) -> dict[str, Any]:
    """The record as one JSON object."""
    return {
        "topic": logical,
        "partition": record.partition,
        "offset": record.offset,
        "at": at(record).isoformat(timespec="milliseconds"),
        "key": key_text(record),
        "headers": text_headers(record),
        "value": body(record.value),
    }


def at(record: RawRecord) -> datetime:
    """Broker time."""
    return datetime.fromtimestamp(record.timestamp_ms / 1000, UTC)


def shortened(value: Any, limit: int = SHOWN_CHARS) -> str:
    """One line of a value."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def why_dead(headers: Mapping[str, str]) -> str:
    """What the headers of a dead letter say."""
    told = {name.removeprefix("dlq_"): headers[name] for name in DLQ_HEADERS if headers.get(name)}
    origin = "/".join(headers.get(f"dlq_origin_{part}", "?") for part in ("topic", "partition", "offset") if headers)
    field = f" (field {told['field']})" if "field" in told else ""
    return f"{told.get('error', 'unknown error')}{field}: {told.get('text', '')} [from {origin}]"
