"""All stages in one process, synchronously, on a virtual clock: conversations as unit tests.

Owns: routing of records between the stages, calls against a table of tools, timers, crash and restore of a stage.
Invariants, checked after every step: the same input decided twice gives the same decision; live state equals the state replayed from
the checkpoints (as JSON, compacted); every record survives JSON and has the contract and the key its topic wants; a stage writes only
to its own outputs; call and timer ids are unique within an agenda.
Never: threads, real time, Kafka, transactions that abort (the simulation does those). Source: DESIGN 4 and 5.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import ValidationError

from contracts.base import Contract
from contracts.channel_response import ChannelResponse
from contracts.checkpoint import Checkpoint
from contracts.event_envelope import EventEnvelope
from contracts.gateway_request import GatewayRequest
from contracts.identity import conversation_key
from contracts.transaction_status import TransactionStatus
from pipeline import topology
from pipeline.decision import (
    Agenda,
    Call,
    CallAnswer,
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
    cause_of,
    conversation_of_state_key,
)
from pipeline.policy import Installation
from pipeline.testing.tools import Invocation, ScriptedTools

STARTS_AT = datetime(2026, 11, 30, 13, 0, tzinfo=UTC)
"""Monday, 10:00 in São Paulo: the `now` of the language cases."""

STEPS_MAX = 5_000
"""Bound on what one `settle` may take: more is a loop between stages."""


@dataclass(slots=True, kw_only=True)
class _Running:
    """A call that was sent and has not come back."""

    call: Call
    answer: CallAnswer
    back_at: datetime


@dataclass(slots=True, kw_only=True)
class _Host:
    """What runs one stage."""

    stage: Stage[Any]
    inputs: dict[str, deque[Received | Rejection]]
    states: dict[str, Any] = field(default_factory=dict)
    log: dict[str, str] = field(default_factory=dict)
    """Compacted state topic: key → Checkpoint as JSON, in the order of the last writes."""
    running: dict[tuple[str, str, int], _Running] = field(default_factory=dict)
    """By conversation, call id, attempt."""
    lives: int = 1

    @property
    def incarnation(self) -> str:
        return f"{self.stage.name}-{self.lives}"

    def state(self, conversation: str) -> Any:
        return self.states[conversation] if conversation in self.states else self.stage.initial(conversation)


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
        self._hosts = {
            stage.name: _Host(
                stage=stage,
                inputs={
                    spec.topic: deque()
                    for spec in sorted(
                        topology.STAGES[topology.StageName(stage.name)].inputs, key=lambda s: not s.urgent
                    )
                },
            )
            for stage in stages
        }
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
        host = self._hosts[stage]
        host.lives += 1
        host.running.clear()
        host.states = self._restored(host)

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

    def _take(self, host: _Host, taken: Received | Rejection) -> None:
        if isinstance(taken, Rejection):
            self._reject(host, taken)
            return
        try:
            conversation = host.stage.conversation_of(taken.value)
            decision = self._decided(host, conversation, taken)
        except ContractViolation as violation:
            data = taken.value.model_dump(mode="json")
            self._reject(
                host,
                rejection_of(violation, position=taken.position, at=taken.at, data=data, headers=dict(taken.headers)),
            )
            return
        self._commit(host, decision, taken)

    def _reject(self, host: _Host, rejection: Rejection) -> None:
        state = host.state(rejection.conversation) if rejection.conversation else None
        decision = host.stage.reject(state, rejection, self.now)
        assert decision.dead_letter is not None, "a rejected record must go to the dead letters"
        event = TimerFired(timer_id=f"rejected {rejection.position}", due_at=rejection.at)
        self._commit(host, decision, event)

    def _start_call(self) -> bool:
        for host in self._hosts.values():
            for conversation, state in list(host.states.items()):
                for call in host.stage.agenda(state).calls:
                    if call.phase is CallPhase.QUEUED:
                        granted = CallGranted(call_id=call.call_id, attempt=call.attempt, incarnation=host.incarnation)
                        self._commit(host, self._decided(host, conversation, granted), granted)
                        self._send(host, conversation, call.call_id, call.attempt)
                        return True
        return False

    def _send(self, host: _Host, conversation: str, call_id: str, attempt: int) -> None:
        calls = host.stage.agenda(host.state(conversation)).calls
        mine = [c for c in calls if c.call_id == call_id and c.phase is CallPhase.CALLING and c.attempt == attempt]
        assert mine, f"{host.stage.name} was granted {call_id} attempt {attempt} and did not write CALLING"
        (call,) = mine
        assert call.incarnation == host.incarnation, "CALLING names another process than the one it was granted to"
        assert call.not_after is not None and call.not_after > self.now  # noqa: PT018 (one fact)
        answer = self.tools.call(call)
        if answer.answer is None:
            self.crash(host.stage.name)
            return
        back_at = self.now + timedelta(milliseconds=answer.after_ms)
        host.running[conversation, call_id, attempt] = _Running(call=call, answer=answer.answer, back_at=back_at)

    def _report_call(self) -> bool:
        for host in self._hosts.values():
            for key, running in list(host.running.items()):
                if running.back_at <= self.now:
                    del host.running[key]
                    conversation, call_id, attempt = key
                    returned = CallReturned(call_id=call_id, attempt=attempt, answer=running.answer)
                    self._commit(host, self._decided(host, conversation, returned), returned)
                    return True
            for conversation, call in self._orphans(host):
                if self._lost_at(call) <= self.now:
                    lost = CallLost(call_id=call.call_id, attempt=call.attempt)
                    self._commit(host, self._decided(host, conversation, lost), lost)
                    return True
        return False

    def _orphans(self, host: _Host) -> list[tuple[str, Call]]:
        return [
            (conversation, call)
            for conversation, state in host.states.items()
            for call in host.stage.agenda(state).calls
            if call.phase is CallPhase.CALLING and call.incarnation != host.incarnation
        ]

    def _lost_at(self, call: Call) -> datetime:
        assert call.not_after is not None
        return call.not_after + timedelta(milliseconds=self.installation.timing.clock_skew_ms)

    def _fire_timer(self) -> bool:
        due = [
            (timer.due_at, host.stage.name, conversation, timer.timer_id)
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
        self._commit(host, self._decided(host, conversation, fired), fired)
        left = {
            timer.timer_id for timer in host.stage.agenda(host.state(conversation)).timers if timer.due_at == due_at
        }
        assert timer_id not in left, f"{name} left the fired timer {timer_id} in its agenda: it would fire for ever"
        return True

    def _next_due(self) -> datetime | None:
        instants = [
            timer.due_at
            for host in self._hosts.values()
            for state in host.states.values()
            for timer in host.stage.agenda(state).timers
        ]
        for host in self._hosts.values():
            instants += [running.back_at for running in host.running.values()]
            instants += [self._lost_at(call) for _, call in self._orphans(host)]
        return min(instants, default=None)

    # --- what the shell does ------------------------------------------------------------------------------------------

    def _decided(self, host: _Host, conversation: str, event: Input) -> Decision:
        state = host.state(conversation)
        decision = host.stage.decide(state, event, self.now)
        again = host.stage.decide(state, event, self.now)
        assert decision == again, f"{host.stage.name} decided {cause_of(event)} in two ways"
        for written in decision.writes:
            assert conversation_of_state_key(written.key) == conversation, f"{written.key} is not of {conversation}"
        return decision

    def _commit(self, host: _Host, decision: Decision, cause: Input) -> None:
        spec = topology.STAGES[topology.StageName(host.stage.name)]
        for written in decision.writes:
            self._write(host, written.key, written.sequence, written.body, cause)
        if decision.dead_letter is not None:
            self.dead_letters.append((host.stage.name, decision.dead_letter))
        for record in decision.records:
            allowed = record.topic in {*spec.outputs, *topology.EVENTS} or record.topic.startswith("channel.")
            assert allowed, f"{host.stage.name} may not write to {record.topic}"
            value = type(record.value).model_validate_json(record.value.model_dump_json())
            assert value == record.value, f"{record.topic}: {record.value!r} changed on its way through JSON"
            self.records.append(record)
            self._append(record.topic, value.model_dump(mode="json"), headers=record.headers, key=record.key)
        self._check(host)

    def _write(self, host: _Host, key: str, sequence: int, body: Any, cause: Input) -> None:
        conversation = conversation_of_state_key(key)
        checkpoint = None
        host.log.pop(key, None)
        if body is not None:
            checkpoint = Checkpoint(
                stage=host.stage.name,
                key=key,
                sequence=sequence,
                input_position=cause_of(cause),
                written_at=self.now,
                body=body.model_dump(mode="json"),
            )
            host.log[key] = checkpoint.model_dump_json()
        state = host.stage.replay(host.state(conversation), key, checkpoint)
        if host.stage.is_empty(state):
            host.states.pop(conversation, None)
        else:
            host.states[conversation] = state

    def _restored(self, host: _Host) -> dict[str, Any]:
        states: dict[str, Any] = {}
        for key, value in host.log.items():
            conversation = conversation_of_state_key(key)
            state = states[conversation] if conversation in states else host.stage.initial(conversation)
            states[conversation] = host.stage.replay(state, key, Checkpoint.model_validate_json(value))
        return {conversation: state for conversation, state in states.items() if not host.stage.is_empty(state)}

    def _check(self, host: _Host) -> None:
        restored = self._restored(host)
        assert restored == host.states, f"{host.stage.name}: live state differs from the replayed one"
        left = {conversation_of_state_key(key) for key in host.log} - host.states.keys()
        assert not left, f"{host.stage.name}: nothing is known of {left}, but checkpoints are left"
        for state in host.states.values():
            agenda = host.stage.agenda(state)
            ids = [call.call_id for call in agenda.calls]
            assert len(ids) == len(set(ids)), f"{host.stage.name}: call ids repeat in {ids}"
            timers = [timer.timer_id for timer in agenda.timers]
            assert len(timers) == len(set(timers)), f"{host.stage.name}: timer ids repeat in {timers}"

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
            if topic not in host.inputs:
                continue
            contract = next(
                spec.contract
                for spec in topology.STAGES[topology.StageName(host.stage.name)].inputs
                if spec.topic == topic
            )
            try:
                value = contract.model_validate(data)
            except ValidationError as error:
                if contract is not GatewayRequest:
                    raise
                host.inputs[topic].append(rejection_of(error, position=position, at=at, data=data, headers=headers))
                continue
            size = len(value.model_dump_json().encode())
            received = Received(value=value, position=position, at=at, headers=headers, size=size)
            if key is not None:
                assert host.stage.conversation_of(value) == key, f"{topic}: key {key} is not the one of its value"
            host.inputs[topic].append(received)


def texts(responses: Sequence[ChannelResponse]) -> list[str]:
    """What the customer reads."""
    return [response.text for response in responses]
