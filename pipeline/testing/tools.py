"""A table of tools that answer what a test says, in the place of MCP servers.

Owns: scripts (a function, or a list of answers used in order, the last one for ever), the list of calls that were sent.
Invariants: every call that reaches the table is recorded before it is answered, so a double call can't hide.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.decision import Call, CallAnswer, CallOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """A call as the tool saw it."""

    tool: str
    server: str
    arguments: Mapping[str, Any]
    idempotency_key: str
    attempt: int
    call_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What comes back, and when."""

    answer: CallAnswer | None
    """None: the calling process dies while the call runs; nobody will ever report."""
    after_ms: int = 0
    """Virtual milliseconds between the call and its answer."""


def answered(payload: Any, *, after_ms: int = 0) -> Answer:
    """A readable answer."""
    return Answer(answer=CallAnswer(outcome=CallOutcome.OK, payload=payload, latency_ms=after_ms), after_ms=after_ms)


def failed(payload: Any = None, *, error: str = "refused", code: str | None = None, after_ms: int = 0) -> Answer:
    """A readable answer that says it failed."""
    answer = CallAnswer(outcome=CallOutcome.TOOL_ERROR, payload=payload, error=error, code=code, latency_ms=after_ms)
    return Answer(answer=answer, after_ms=after_ms)


def not_sent(*, error: str = "server is down", code: str = "unreachable", after_ms: int = 0) -> Answer:
    """It never reached the tool (the call is recorded all the same: the script was asked)."""
    return Answer(answer=CallAnswer(outcome=CallOutcome.NOT_SENT, error=error, code=code), after_ms=after_ms)


def unknown(*, error: str = "no answer in time", code: str = "timeout", after_ms: int = 0) -> Answer:
    """It may have been executed."""
    return Answer(answer=CallAnswer(outcome=CallOutcome.UNKNOWN, error=error, code=code), after_ms=after_ms)


def lost() -> Answer:
    """The calling process dies while the call runs: another incarnation finds CALLING and waits for not_after."""
    return Answer(answer=None)


Script = Callable[[Invocation], Any] | Sequence[Any]
"""Gives an Answer, a CallAnswer, or any JSON value (a readable answer with it)."""


@dataclass(slots=True)
class ScriptedTools:
    """Tools by name; a tool without a script can't be called."""

    scripts: dict[str, Script]
    calls: list[Invocation] = field(default_factory=list)
    """Everything that was sent, in order."""

    def call(self, call: Call) -> Answer:
        """Record the call and answer it. Raises: AssertionError when nobody scripted the tool."""
        invocation = Invocation(
            tool=call.tool,
            server=call.server,
            arguments=dict(call.arguments),
            idempotency_key=call.idempotency_key,
            attempt=call.attempt,
            call_id=call.call_id,
        )
        assert call.tool in self.scripts, f"nobody scripted {call.tool}; scripted are {sorted(self.scripts)}"
        before = len(self.calls_of(call.tool))
        self.calls.append(invocation)
        script = self.scripts[call.tool]
        said = script(invocation) if callable(script) else script[min(before, len(script) - 1)]
        match said:
            case Answer():
                return said
            case CallAnswer():
                return Answer(answer=said)
            case _:
                return answered(said)

    def calls_of(self, tool: str) -> list[Invocation]:
        """What one tool was called with, in order."""
        return [invocation for invocation in self.calls if invocation.tool == tool]
