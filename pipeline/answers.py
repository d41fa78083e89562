"""Reading what a tool answered: one place for every shape in use.

Owns: `ok` and `error` of a wrapper, the primary result of a workflow, `results[]` and their flags, protocols and reasons.
Invariants: booleans are booleans ("false" and 1 are none); an error without ok is a failure; never another tool's results; an
input is never changed. Every function is total on any JSON. Source: DESIGN 7 (Execute, Normalize), the multi-item guide 4 and 5.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from contracts.identity import canonical_json
from contracts.tool_result import ToolResult
from pipeline.decision import CallAnswer, CallOutcome

FLAGS = ("success", "ok")
"""Fields of an entry that say its fate."""

UNDECIDABLE = "undecidable"
"""Code of an outcome that could not be decided or written: it is unknown, never called again. Source: DESIGN 4 (Calls)."""

MALFORMED_CODES = frozenset({"schema_violation", "unreadable", "too_large", UNDECIDABLE})
"""An answer came and could not be read: no transport failure."""

_DEPTH = 4
_WRAPPING = frozenset(
    {"ok", "success", "result", "data", "error", "status", "metadata", "meta", "tool_name", "cache", "latency_ms"}
)
_PROTOCOLS = ("protocol", "protocolo", "protocol_id", "protocol_number", "operation_id", "ticket", "ticket_id")
_REASONS = ("reason", "error", "error_code", "code", "motivo", "message", "detail")
_CODE = re.compile(r"[a-zA-Z][a-zA-Z0-9]*(?:[_\-.][a-zA-Z0-9]+)*")
_TECHNICAL = re.compile(r"Traceback|\w*Exception\b|\w+Error\b|Error:|\w+\.\w+\(|[{}<>]|0x[0-9a-f]+|\bSQL|errno")
_ADDRESS = re.compile(r"https?://")

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The results of the primary tool, and where they stand in the answer."""

    path: Path
    entries: tuple[Any, ...]

    @property
    def per_item(self) -> bool:
        """Whether every entry says its own fate by a boolean."""
        return bool(self.entries) and all(flag_of(entry) is not None for entry in self.entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What an answer says of the primary operation as a whole."""

    ok: bool
    body: Any
    """The primary result itself: what a query answered, or where the protocol stands."""
    reason: str | None = None
    """Why it failed: the tool's own code or words."""
    secondary_error: str | None = None
    """A failure around an operation that succeeded."""


def said_ok(answer: Any) -> bool | None:
    """What a wrapper says by `ok` or `error`: anything but a literal true is a failure; None when it says nothing."""
    if not isinstance(answer, Mapping):
        return None
    if answer.get("ok") is not None:
        return answer["ok"] is True
    if is_error(answer.get("error")):
        return False
    return answer["success"] if isinstance(answer.get("success"), bool) else None


def is_error(error: Any) -> bool:
    """Whether a value of `error` says that there was one."""
    return error not in (None, False, "", [], {})


def error_text(error: Any) -> str | None:
    """Return the code or the words of an error, in whichever shape."""
    if not is_error(error):
        return None
    if isinstance(error, str):
        return error
    if isinstance(error, Mapping):
        for field in ("code", "reason", "message", "error", "detail"):
            if isinstance(error.get(field), str) and error[field]:
                return str(error[field])
    return "error" if error is True else canonical_json(error)[:500]


def flag_of(entry: Any) -> bool | None:
    """Fate an entry of results says: true only when every flag is literally true; None when it holds no boolean at all."""
    if not isinstance(entry, Mapping):
        return None
    flags = [entry[name] for name in FLAGS if entry.get(name) is not None]
    return all(flag is True for flag in flags) if any(isinstance(flag, bool) for flag in flags) else None


def flags_conflict(entry: Mapping[str, Any]) -> bool:
    """Whether the flags of an entry disagree."""
    flags = [entry[name] for name in FLAGS if entry.get(name) is not None]
    return len(flags) > 1 and any(flag is True for flag in flags) and not all(flag is True for flag in flags)


def results_of(answer: Any, primary_tool: str) -> Evidence | None:
    """Find the primary tool's `results`: of its workflow step, one `result` deeper, of the result, at the top or under data."""
    steps = [(*path, "output", primary_tool) for path in _BODIES]
    for path in (*((*step, "results") for step in steps), *((*body, "results") for body in _BODIES)):
        found = _at(answer, path)
        if isinstance(found, (list, tuple)):
            return Evidence(path=path, entries=tuple(found))
    return None


_PLACES: tuple[Path, ...] = (("result",), ("result", "result"), (), ("data",), ("data", "result"))
_BODIES: tuple[Path, ...] = tuple(dict.fromkeys((*_PLACES, *(("data", *place) for place in _PLACES))))
"""Where an answer keeps its body, the guide's places first; then the same inside a ToolResult, which holds an answer in data."""


def with_results(answer: Any, path: Path, entries: Sequence[Any]) -> Any:
    """Return a copy of an answer with other entries at the place of its results."""
    if not path:
        return list(entries)
    return {**answer, path[0]: with_results(answer[path[0]], path[1:], entries)}


def read_answer(answer: Any, primary_tool: str) -> Reading:
    """Say what an answer means for the primary operation as a whole, results or not."""
    wrapper = said_ok(answer)
    step = _primary_step(answer, primary_tool)
    secondary = error_text(answer.get("error")) if isinstance(answer, Mapping) else None
    if step is _MISSING:
        return Reading(ok=False, body=_body(answer), reason="primary_step_missing")
    if step is not None:
        said = flag_of(step) if isinstance(step, Mapping) else None
        if said is None and isinstance(step, Mapping) and is_error(step.get("error")):
            said = False
        if said is not None:
            failed_around = secondary or (auxiliary_error(answer, primary_tool) if wrapper is False else None)
            return Reading(
                ok=said,
                body=step,
                reason=None if said else reason_of(step) or secondary,
                secondary_error=failed_around if said else None,
            )
        return Reading(ok=wrapper is not False, body=step, reason=None if wrapper is not False else secondary)
    body = _body(answer)
    layers = [layer for layer in _layers(answer) if said_ok(layer) is False]
    if layers:
        innermost = layers[-1] if isinstance(layers[-1], Mapping) else {}
        return Reading(ok=False, body=body, reason=reason_of(innermost) or secondary)
    return Reading(ok=True, body=body)


def auxiliary_error(answer: Any, primary_tool: str) -> str | None:
    """Error of a workflow step that is not the primary one."""
    for path in _BODIES:
        output = _at(answer, (*path, "output"))
        if isinstance(output, Mapping):
            for name, step in output.items():
                if name != primary_tool and isinstance(step, Mapping) and said_ok(step) is False:
                    return error_text(step.get("error")) or reason_of(step)
    return None


def validator_answer(answer: Any, tool: str) -> Mapping[str, Any] | None:
    """Return the part of a validator's answer that holds `eligible`, in whichever wrapper; None when there is none."""
    steps = (_at(answer, (*path, "output", tool)) for path in _BODIES)
    for layer in (*_layers(answer), *steps):
        if isinstance(layer, Mapping) and "eligible" in layer:
            return layer
    return None


def reason_of(entry: Mapping[str, Any]) -> str | None:
    """Why an entry failed, as its code or words."""
    for field in _REASONS:
        text = error_text(entry.get(field))
        if text:
            return text
    return None


def protocol_of(entry: Any) -> str | None:
    """Protocol or operation id of an entry."""
    if not isinstance(entry, Mapping):
        return None
    for field in _PROTOCOLS:
        value = entry.get(field)
        if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value).strip():
            return str(value).strip()
    return None


def is_code(text: str) -> bool:
    """Whether a reason is a code (already_shipped) and no sentence."""
    return _CODE.fullmatch(text.strip()) is not None


def is_presentable(text: str, *, max_chars: int = 300, addresses: bool = False) -> bool:
    """Whether words of a tool may be shown to a customer: short, and no stack trace or code in them; addresses where asked for."""
    if _TECHNICAL.search(text) or (_ADDRESS.search(text) and not addresses):
        return False
    return 0 < len(text.strip()) <= max_chars


def tool_result(tool: str, answer: CallAnswer) -> ToolResult:
    """Put a readable answer into the one shape of ToolResult; `is_error` is read before anything else."""
    reading = read_answer(answer.payload, tool)
    failed = answer.outcome is CallOutcome.TOOL_ERROR
    ok = reading.ok and not failed
    wrapper_error = answer.payload.get("error") if isinstance(answer.payload, Mapping) else None
    error = error_text(wrapper_error) or (None if ok else reading.reason or answer.error)
    return ToolResult(
        tool_name=tool,
        ok=ok,
        data=answer.payload,
        error=error,
        latency_ms=answer.latency_ms,
        metadata={"code": answer.code} if answer.code else {},
    )


def failure_event(answer: CallAnswer) -> str:
    """Name the NOC event of a call that failed."""
    match answer.code:
        case "timeout":
            return "NOC.MCP_TIMEOUT"
        case "breaker_open":
            return "NOC.MCP_CIRCUIT_OPENED"
        case _:
            return "NOC.MCP_TOOL_FAILED"


_MISSING = object()


def _primary_step(answer: Any, primary_tool: str) -> Any:
    """Return the primary tool's step of a workflow; None: no workflow; _MISSING: a workflow in which it did not run."""
    workflow = False
    for path in _BODIES:
        body = _at(answer, path)
        output = body.get("output") if isinstance(body, Mapping) else None
        if not isinstance(output, Mapping):
            continue
        if output.get(primary_tool) is not None:
            return output[primary_tool]
        workflow = workflow or "status" in body
    if not workflow:
        return None
    return None if results_of(answer, primary_tool) else _MISSING


def _layers(answer: Any) -> Iterator[Any]:
    """Yield an answer and what it wraps, outermost first."""
    layer = answer
    for _ in range(_DEPTH):
        yield layer
        inner = next(
            (
                layer[name]
                for name in ("result", "data")
                if isinstance(layer, Mapping) and isinstance(layer.get(name), Mapping)
            ),
            None,
        )
        if inner is None:
            return
        layer = inner


def _body(answer: Any) -> Any:
    """Return what is inside the wrappers; a mapping with fields of its own is the body."""
    body = answer
    for _ in range(_DEPTH):
        if not isinstance(body, Mapping):
            break
        inside = [name for name in ("result", "data") if body.get(name) is not None]
        if not inside or set(body) - _WRAPPING:
            break
        body = body[inside[0]]
    return body


def _at(answer: Any, path: Path) -> Any:
    for name in path:
        if not isinstance(answer, Mapping):
            return None
        answer = answer.get(name)
    return answer
