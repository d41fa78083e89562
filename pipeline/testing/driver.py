"""All stages in one process, synchronously, on a virtual clock: conversations as unit tests.

Owns: routing of records between the stages, calls against a table of tools, timers, crash and restore of a stage.
Invariants, checked after every step: the same input decided twice gives the same decision; every record survives JSON and has the
contract and the key its topic wants; a stage writes only to its own outputs; and those of pipeline/testing/hosting.
Never: threads, real time, Kafka, transactions that abort (the simulation does those). Source: DESIGN 4 and 5.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import ValidationError

from contracts.base import Contract
from contracts.channel_response import ChannelResponse
from contracts.event_envelope import EventEnvelope
from contracts.gateway_request import GatewayRequest
from contracts.identity import conversation_key
from contracts.transaction_status import TransactionStatus
from pipeline import topology
from pipeline.decision import (
    Agenda,
    CallGranted,
    CallLost,
    CallPhase,
    CallReturned,
    ContractViolation,
    Decision,
    Input,
    Position,
    Received,
    Record,
    Rejection,
    Stage,
    TimerFired,
)
from pipeline.policy import Installation
from pipeline.testing.hosting import Host, Running, lost_at
from pipeline.testing.tools import Invocation, ScriptedTools

STARTS_AT = datetime(2026, 11, 30, 13, 0, tzinfo=UTC)
"""Monday, 10:00 in São Paulo: the `now` of the language cases."""

STEPS_MAX = 5_000
"""Bound on what one `settle` may take: more is a loop between stages."""


def rejection_of(error: Exception, *, position: Position, at: datetime, data: Any, **more: Any) -> Rejection:
    """Name the field and the reason of a value that breaks its contract."""
    if isinstance(error, ContractViolation):
        where, text = error.field, error.text
    elif isinstance(error, ValidationError):
        first = error.errors()[0]
        where, text = ".".join(str(part) for part in first["loc"]), first["msg"]
    else:
        where, text = "", str(error)
    data = data if isinstance(data, Mapping) else None
    return Rejection(
        position=position, at=at, error="ContractViolation", text=text, field=where or None, data=data, **more
    )


class Driver:
    """Plays customers against the stages it is given; records for a stage that is not there are only kept."""

    def __init__(
        self,
        installation: Installation,
        stages: Iterable[Stage[Any]],
        tools: ScriptedTools | None = None,
        *,
        now: datetime = STARTS_AT,
    ) -> None:
        self.installation = installation
        self.tools = tools or ScriptedTools({})
        self.now = now
        self.records: list[Record] = []
        """Every output record of every stage, in order."""
        self.dead_letters: list[tuple[str, Rejection]] = []
        """(stage, rejection)"""
        self._hosts = {stage.name: Host(stage) for stage in stages}
        self._offsets: dict[str, int] = {}
        self._messages = 0

    # --- what a test does ------------------------------------------------------------------------------------------

    def say(self, text: str, **fields: Any) -> list[ChannelResponse]:
        """Send a message (fields as of `put`), run until nothing is left to do now, return what that conversation was told."""
        before = len(self.records)
        conversation = self.put(text, **fields)
        self.settle()
        return [
            record.value
            for record in self.records[before:]
            if isinstance(record.value, ChannelResponse) and record.key == conversation
        ]

    def put(
        self,
        text: str,
        *,
        session_id: str = "s-1",
        tenant_id: str | None = None,
        agent_id: str | None = None,
        channel: str | None = None,
        message_id: str | None = None,
        user_id: str | None = None,
        locale: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        business_context: Mapping[str, Any] | None = None,
        at: datetime | None = None,
        headers: Mapping[str, str] | None = None,
        **payload: Any,
    ) -> str:
        """Put a message on gateway.requests without running anything; returns the conversation key.

        Tenant, agent and channel are the installation's first ones unless given; message ids count from m-1. `at`: its broker time.
        """
        self._messages += 1
        tenant_id = tenant_id or next(iter(self.installation.tenants))
        agent_id = agent_id or next(iter(self.installation.agents))
        optional = {"user_id": user_id, "locale": locale, "metadata": metadata, "business_context": business_context}
        data = {
            "channel": channel or next(iter(self.installation.channels)),
            "tenant_id": tenant_id,
            "agent_id": agent_id,
            "payload": {
                "message": text,
                "session_id": session_id,
                "message_id": message_id or f"m-{self._messages}",
                **{name: value for name, value in optional.items() if value is not None},
                **payload,
            },
        }
        self.put_raw(data, at=at, headers=headers)
        return conversation_key(tenant_id, agent_id, session_id)

    def put_raw(self, data: Any, *, at: datetime | None = None, headers: Mapping[str, str] | None = None) -> None:
        """Put any JSON value on gateway.requests."""
        self._append(topology.GATEWAY_REQUESTS, data, at=at, headers=headers or {})

    def settle(self) -> None:
        """Run until nothing is left to do at this instant."""
        for _ in range(STEPS_MAX):
            if not self.step():
                return
        message = f"still busy after {STEPS_MAX} steps: {[str(r.value) for r in self.records[-3:]]}"
        raise AssertionError(message)

    def step(self) -> bool:
        """Do one thing: a record (urgent topics first, stages in flow order), else a call, else a due timer."""
        return self._take_record() or self._report_call() or self._start_call() or self._fire_timer()

    def advance(self, ms: int) -> list[ChannelResponse]:
        """Let virtual time pass, stopping wherever a timer or a call falls due; returns what customers were told meanwhile."""
        before = len(self.records)
        until = self.now + timedelta(milliseconds=ms)
        self.settle()
        while (due := self._next_due()) is not None and due <= until:
            self.now = max(self.now, due)
            self.settle()
        self.now = max(self.now, until)
        self.settle()
        return [record.value for record in self.records[before:] if isinstance(record.value, ChannelResponse)]

    def crash(self, stage: str) -> None:
        """Kill the process of a stage: state is restored from its checkpoints, running calls are nobody's."""
        self._hosts[stage].crash()

    # --- what a test looks at ---------------------------------------------------------------------------------------

    @property
    def responses(self) -> list[ChannelResponse]:
        """Everything customers were told."""
        return [record.value for record in self.records if isinstance(record.value, ChannelResponse)]

    @property
    def events(self) -> list[EventEnvelope]:
        """All events, in order."""
        return [record.value for record in self.records if isinstance(record.value, EventEnvelope)]

    def event_types(self, family: str = "") -> list[str]:
        """Types of the events of a family such as `IC`, in order."""
        return [event.event_type for event in self.events if event.event_type.startswith(family)]

    @property
    def statuses(self) -> list[TransactionStatus]:
        """Everything told on pipeline.status."""
        return [record.value for record in self.records if isinstance(record.value, TransactionStatus)]

    def sent_to(self, topic: str) -> list[Any]:
        """Values written to a topic."""
        return [record.value for record in self.records if record.topic == topic]

    @property
    def calls(self) -> list[Invocation]:
        """Every call that reached a tool."""
        return self.tools.calls

    def state(self, stage: str, conversation: str) -> Any:
        """Live state of a conversation."""
        return self._hosts[stage].state(conversation)

    def agenda(self, stage: str, conversation: str) -> Agenda:
        """What a conversation has due in a stage."""
        host = self._hosts[stage]
        return host.stage.agenda(host.state(conversation))

    def tell(self, topic: str, value: Contract, *, at: datetime | None = None) -> None:
        """Put a record on an internal topic, in the place of a stage that is not there."""
        self._append(topic, value.model_dump(mode="json"), at=at, headers={})

    # --- one step ---------------------------------------------------------------------------------------------------

    def _take_record(self) -> bool:
        for host in self._hosts.values():
            for queue in host.inputs.values():
                if queue:
                    self._take(host, queue.popleft())
                    return True
        return False

    def _take(self, host: Host, taken: Received | Rejection) -> None:
        if isinstance(taken, Rejection):
            self._reject(host, taken)
            return
        try:
            conversation = host.stage.conversation_of(taken.value)
            decision = host.decide(conversation, taken, self.now)
        except ContractViolation as violation:
            data = taken.value.model_dump(mode="json")
            headers = dict(taken.headers)
            self._reject(
                host, rejection_of(violation, position=taken.position, at=taken.at, data=data, headers=headers)
            )
            return
        self._commit(host, decision, taken)

    def _reject(self, host: Host, rejection: Rejection) -> None:
        state = host.state(rejection.conversation) if rejection.conversation else None
        decision = host.stage.reject(state, rejection, self.now)
        assert decision.dead_letter is not None, "a rejected record must go to the dead letters"
        self._commit(host, decision, TimerFired(timer_id=f"rejected {rejection.position}", due_at=rejection.at))

    def _start_call(self) -> bool:
        for host in self._hosts.values():
            for conversation, state in list(host.states.items()):
                for call in host.stage.agenda(state).calls:
                    if call.phase is CallPhase.QUEUED:
                        granted = CallGranted(call_id=call.call_id, attempt=call.attempt, incarnation=host.incarnation)
                        self._commit(host, host.decide(conversation, granted, self.now), granted)
                        self._send(host, conversation, call.call_id, call.attempt)
                        return True
        return False

    def _send(self, host: Host, conversation: str, call_id: str, attempt: int) -> None:
        calls = host.stage.agenda(host.state(conversation)).calls
        mine = [c for c in calls if c.call_id == call_id and c.phase is CallPhase.CALLING and c.attempt == attempt]
        assert mine, f"{host.name} was granted {call_id} attempt {attempt} and did not write CALLING"
        (call,) = mine
        assert call.incarnation == host.incarnation, "CALLING names another process than the one it was granted to"
        assert call.not_after is not None
        assert call.not_after > self.now
        answer = self.tools.call(call)
        if answer.answer is None:
            host.crash()
            return
        back_at = self.now + timedelta(milliseconds=answer.after_ms)
        host.running[conversation, call_id, attempt] = Running(call=call, answer=answer.answer, back_at=back_at)

    def _report_call(self) -> bool:
        for host in self._hosts.values():
            for key, running in list(host.running.items()):
                if running.back_at <= self.now:
                    del host.running[key]
                    conversation, call_id, attempt = key
                    returned = CallReturned(call_id=call_id, attempt=attempt, answer=running.answer)
                    self._commit(host, host.decide(conversation, returned, self.now), returned)
                    return True
            for conversation, call in host.orphans():
                if lost_at(call, self.installation.timing.clock_skew_ms) <= self.now:
                    lost = CallLost(call_id=call.call_id, attempt=call.attempt)
                    self._commit(host, host.decide(conversation, lost, self.now), lost)
                    return True
        return False

    def _fire_timer(self) -> bool:
        due = [
            (timer.due_at, host.name, conversation, timer.timer_id)
            for host in self._hosts.values()
            for conversation, state in host.states.items()
            for timer in host.stage.agenda(state).timers
            if timer.due_at <= self.now
        ]
        if not due:
            return False
        due_at, name, conversation, timer_id = min(due)
        host = self._hosts[name]
        fired = TimerFired(timer_id=timer_id, due_at=due_at)
        self._commit(host, host.decide(conversation, fired, self.now), fired)
        left = {
            timer.timer_id for timer in host.stage.agenda(host.state(conversation)).timers if timer.due_at == due_at
        }
        assert timer_id not in left, f"{name} left the fired timer {timer_id} in its agenda: it would fire for ever"
        return True

    def _next_due(self) -> datetime | None:
        skew = self.installation.timing.clock_skew_ms
        return min((instant for host in self._hosts.values() for instant in host.instants(skew)), default=None)

    # --- what the shell does ------------------------------------------------------------------------------------------

    def _commit(self, host: Host, decision: Decision, cause: Input) -> None:
        for written in decision.writes:
            host.write(written, cause, self.now)
        if decision.dead_letter is not None:
            self.dead_letters.append((host.name, decision.dead_letter))
        for record in decision.records:
            allowed = record.topic in {*host.spec.outputs, *topology.EVENTS} or record.topic.startswith("channel.")
            assert allowed, f"{host.name} may not write to {record.topic}"
            value = type(record.value).model_validate_json(record.value.model_dump_json())
            assert value == record.value, f"{record.topic}: {record.value!r} changed on its way through JSON"
            self.records.append(record)
            self._append(record.topic, value.model_dump(mode="json"), headers=record.headers, key=record.key)
        host.check()

    def _append(
        self,
        topic: str,
        data: Any,
        *,
        headers: Mapping[str, str],
        at: datetime | None = None,
        key: str | None = None,
    ) -> None:
        self.now += timedelta(milliseconds=1)
        at = at or self.now
        offset = self._offsets.get(topic, 0)
        self._offsets[topic] = offset + 1
        position = Position(topic=topic, partition=0, offset=offset)
        for host in self._hosts.values():
            contract = next((spec.contract for spec in host.spec.inputs if spec.topic == topic), None)
            if contract is None:
                continue
            try:
                value = contract.model_validate(data)
            except ValidationError as error:
                if contract is not GatewayRequest:
                    raise
                host.inputs[topic].append(rejection_of(error, position=position, at=at, data=data, headers=headers))
                continue
            if key is not None:
                assert host.stage.conversation_of(value) == key, f"{topic}: key {key} is not the one of its value"
            size = len(value.model_dump_json().encode())
            host.inputs[topic].append(Received(value=value, position=position, at=at, headers=headers, size=size))


def texts(responses: Sequence[ChannelResponse]) -> list[str]:
    """What the customer reads."""
    return [response.text for response in responses]
