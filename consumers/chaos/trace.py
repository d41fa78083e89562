"""Keeps what a person needs to understand a violation: everything about one conversation, in the order of time."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from consumers.chaos.history import History
from consumers.chaos.rules import Violation
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.serde import instant


def keep_trace(
    folder: Path,
    violations: Sequence[Violation],
    history: History,
    records: Mapping[str, Sequence[RawRecord]],
) -> Path:
    """Write the violations, and the trace of the first one that names a conversation. Returns: the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"{v.rule}: {v.conversation}: {v.text}\n" for v in violations]
    (folder / "violations.txt").write_text("".join(lines), encoding="utf-8")
    first = next((v.conversation for v in violations if v.conversation), None)
    if first is not None:
        trace = [*_of_topics(first, records), *_of_servers(first, history), *_of_faults(history)]
        trace.sort(key=lambda line: line["at"])
        text = "".join(json.dumps(line, ensure_ascii=False, default=str) + "\n" for line in trace)
        (folder / "trace.jsonl").write_text(text, encoding="utf-8")
    return folder


def keep_all(path: Path, records: Mapping[str, Sequence[RawRecord]]) -> None:
    """Write every record, a line each."""
    with path.open("w", encoding="utf-8") as file:
        for topic, each in records.items():
            for record in each:
                file.write(json.dumps(_line(topic, record), ensure_ascii=False) + "\n")


def _line(topic: str, record: RawRecord) -> dict[str, Any]:
    return {
        "at": instant(record.timestamp_ms).isoformat(),
        "record": f"{topic}/{record.partition}/{record.offset}",
        "key": (record.key or b"").decode("utf-8", "replace"),
        "value": _readable(record.value),
    }


def _of_topics(conversation: str, records: Mapping[str, Sequence[RawRecord]]) -> list[dict[str, Any]]:
    return [
        _line(topic, record)
        for topic, each in records.items()
        for record in each
        if (record.key or b"").decode("utf-8", "replace").split("#", 1)[0] == conversation
        or (topic == "gateway.requests" and _session_of(conversation) in (record.value or b""))
    ]


def _session_of(conversation: str) -> bytes:
    return f'"{conversation.rsplit(":", 1)[-1]}"'.encode()


def _readable(value: bytes | None) -> Any:
    if value is None:
        return None
    try:
        return json.loads(value)
    except ValueError:
        return value.decode("utf-8", "replace")


def _of_servers(conversation: str, history: History) -> list[dict[str, Any]]:
    customer = history.customers.get(conversation)
    arrivals = [
        {"at": a.at.isoformat(), "call": a.tool, "request_key": a.request_key}
        for a in history.arrivals
        if a.customer == customer
    ]
    effects = [{"at": "~", "effect": asdict(e)} for e in history.effects if e.customer == customer]
    return [*arrivals, *effects]


def _of_faults(history: History) -> list[dict[str, Any]]:
    return [
        {"at": hit.at.isoformat(), "fault": hit.kind, "target": hit.target, "until": hit.until.isoformat()}
        for hit in history.disturbances
    ]
