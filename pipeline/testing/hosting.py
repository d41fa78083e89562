"""One stage in memory: its inputs, its live states, its compacted state topic, its running calls.

Owns: writing checkpoints, restoring from them, the checks that hold after every step.
Invariants: live state equals the state replayed from the checkpoints as JSON; a conversation of which nothing is known has none left;
call and timer ids are unique within an agenda. Source: DESIGN 4 and 5.
"""

from collections import deque
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from contracts.checkpoint import Checkpoint
from pipeline import topology
from pipeline.decision import (
    Call,
    CallAnswer,
    CallPhase,
    Decision,
    Input,
    Received,
    Rejection,
    Stage,
    StateWrite,
    cause_of,
    conversation_of_state_key,
)


@dataclass(slots=True, kw_only=True)
class Running:
    """A call that was sent and has not come back."""

    call: Call
    answer: CallAnswer
    back_at: datetime


@dataclass(slots=True)
class Host:
    """What runs one stage."""

    stage: Stage[Any]
    inputs: dict[str, deque[Received | Rejection]] = field(init=False)
    """By topic, urgent ones first."""
    states: dict[str, Any] = field(default_factory=dict)
    """Live, by conversation."""
    log: dict[str, str] = field(default_factory=dict)
    """Compacted state topic: key → Checkpoint as JSON, in the order of the last writes."""
    running: dict[tuple[str, str, int], Running] = field(default_factory=dict)
    """By conversation, call id, attempt."""
    lives: int = 1

    def __post_init__(self) -> None:
        specs = sorted(self.spec.inputs, key=lambda spec: not spec.urgent)
        self.inputs = {spec.topic: deque() for spec in specs}

    @property
    def name(self) -> str:
        """Of the stage."""
        return self.stage.name

    @property
    def spec(self) -> topology.StageSpec:
        """What the topology says of the stage."""
        return topology.STAGES[topology.StageName(self.stage.name)]

    @property
    def incarnation(self) -> str:
        """Of the process; another one after every crash."""
        return f"{self.name}-{self.lives}"

    def state(self, conversation: str) -> Any:
        """Live state of a conversation."""
        return self.states[conversation] if conversation in self.states else self.stage.initial(conversation)

    def decide(self, conversation: str, event: Input, now: datetime) -> Decision:
        """Decide twice, and check that it comes to the same."""
        state = self.state(conversation)
        decision = self.stage.decide(state, event, now)
        again = self.stage.decide(state, event, now)
        assert decision == again, f"{self.name} decided {cause_of(event)} in two ways"
        for written in decision.writes:
            assert conversation_of_state_key(written.key) == conversation, f"{written.key} is not of {conversation}"
        return decision

    def write(self, written: StateWrite, cause: Input, now: datetime) -> None:
        """Append to the state topic and replay it."""
        conversation = conversation_of_state_key(written.key)
        checkpoint = None
        self.log.pop(written.key, None)
        if written.body is not None:
            checkpoint = Checkpoint(
                stage=self.name,
                key=written.key,
                sequence=written.sequence,
                input_position=cause_of(cause),
                written_at=now,
                body=written.body.model_dump(mode="json"),
            )
            self.log[written.key] = checkpoint.model_dump_json()
        state = self.stage.replay(self.state(conversation), written.key, checkpoint)
        if self.stage.is_empty(state):
            self.states.pop(conversation, None)
        else:
            self.states[conversation] = state

    def crash(self) -> None:
        """Another process takes over: state comes from the checkpoints, running calls are nobody's."""
        self.lives += 1
        self.running.clear()
        self.states = self.restored()

    def restored(self) -> dict[str, Any]:
        """The states that the checkpoints give."""
        states: dict[str, Any] = {}
        for key, value in self.log.items():
            conversation = conversation_of_state_key(key)
            state = states[conversation] if conversation in states else self.stage.initial(conversation)
            states[conversation] = self.stage.replay(state, key, Checkpoint.model_validate_json(value))
        return {conversation: state for conversation, state in states.items() if not self.stage.is_empty(state)}

    def orphans(self) -> list[tuple[str, Call]]:
        """Calls of an earlier incarnation, by conversation."""
        return [
            (conversation, call)
            for conversation, state in self.states.items()
            for call in self.stage.agenda(state).calls
            if call.phase is CallPhase.CALLING and call.incarnation != self.incarnation
        ]

    def instants(self, clock_skew_ms: int) -> list[datetime]:
        """When something falls due: timers, answers of running calls, losses."""
        timers = [timer.due_at for state in self.states.values() for timer in self.stage.agenda(state).timers]
        answers = [running.back_at for running in self.running.values()]
        return [*timers, *answers, *(lost_at(call, clock_skew_ms) for _, call in self.orphans())]

    def check(self) -> None:
        """The invariants of this module."""
        assert self.restored() == self.states, f"{self.name}: live state differs from the replayed one"
        left = {conversation_of_state_key(key) for key in self.log} - self.states.keys()
        assert not left, f"{self.name}: nothing is known of {left}, but checkpoints are left"
        for state in self.states.values():
            agenda = self.stage.agenda(state)
            ids = [call.call_id for call in agenda.calls]
            assert len(ids) == len(set(ids)), f"{self.name}: call ids repeat in {ids}"
            timers = [timer.timer_id for timer in agenda.timers]
            assert len(timers) == len(set(timers)), f"{self.name}: timer ids repeat in {timers}"


def lost_at(call: Call, clock_skew_ms: int) -> datetime:
    """From when on nobody can still be sending a call of another incarnation."""
    assert call.not_after is not None
    return call.not_after + timedelta(milliseconds=clock_skew_ms)
