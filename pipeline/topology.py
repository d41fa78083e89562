"""The five stages in flow order and every topic, once.

Owns: which stage reads what, which topics exist and how they are kept.
Invariants: input, feedback and state topics have one partition count; events and responses take p modulo theirs. Source: DESIGN 3.
"""

from dataclasses import dataclass
from enum import StrEnum

from contracts.base import Contract
from contracts.channel_response import ChannelResponse
from contracts.checkpoint import Checkpoint
from contracts.confirm_command import ConfirmCommand
from contracts.event_envelope import EventEnvelope
from contracts.execute_command import ExecuteCommand
from contracts.gateway_request import GatewayRequest
from contracts.normalize_command import NormalizeCommand
from contracts.pre_validate_command import PreValidateCommand
from contracts.transaction_status import TransactionStatus


class StageName(StrEnum):
    """Stages in flow order; each is a consumer group."""

    RECONCILE = "reconcile"
    PRE_VALIDATE = "pre-validate"
    CONFIRM = "confirm"
    EXECUTE = "execute"
    NORMALIZE = "normalize"


GATEWAY_REQUESTS = "gateway.requests"
PRE_VALIDATE = "pipeline.pre-validate"
CONFIRM = "pipeline.confirm"
EXECUTE = "pipeline.execute"
NORMALIZE = "pipeline.normalize"
STATUS = "pipeline.status"
EVENTS_IC = "events.ic"
EVENTS_NOC = "events.noc"
EVENTS_GRL = "events.grl"
EVENTS = (EVENTS_IC, EVENTS_NOC, EVENTS_GRL)


def responses(channel: str) -> str:
    """Topic on which a channel gateway reads."""
    return f"channel.{channel}.responses"


def state(stage: str) -> str:
    """Compacted topic of a stage's checkpoints."""
    return f"state.{stage}"


def dead_letters(stage: str) -> str:
    """Topic of records that a stage could not read or decide."""
    return f"dlq.{stage}"


def events(event_type: str) -> str:
    """Topic of an event type such as `IC.GATEWAY_RECEIVED`."""
    return f"events.{event_type.split('.', 1)[0].lower()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class InputSpec:
    """An input topic of a stage."""

    topic: str
    contract: type[Contract]
    urgent: bool = False
    """Taken before the other inputs, and never paused by back-pressure."""
    from_outside: bool = False
    """Written by others: keys and partitions are checked, records in the wrong place are moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSpec:
    """What the runtime has to know of a stage."""

    name: StageName
    inputs: tuple[InputSpec, ...]
    outputs: tuple[str, ...]
    """Logical topics it writes besides state, events, dead letters and responses."""

    @property
    def group(self) -> str:
        """Consumer group, without the installation's prefix."""
        return self.name.value


STAGES: dict[StageName, StageSpec] = {
    spec.name: spec
    for spec in (
        StageSpec(
            name=StageName.RECONCILE,
            inputs=(
                InputSpec(topic=STATUS, contract=TransactionStatus, urgent=True),
                InputSpec(topic=GATEWAY_REQUESTS, contract=GatewayRequest, from_outside=True),
            ),
            outputs=(GATEWAY_REQUESTS, PRE_VALIDATE, CONFIRM),
        ),
        StageSpec(
            name=StageName.PRE_VALIDATE,
            inputs=(InputSpec(topic=PRE_VALIDATE, contract=PreValidateCommand),),
            outputs=(CONFIRM, STATUS),
        ),
        StageSpec(
            name=StageName.CONFIRM,
            inputs=(InputSpec(topic=CONFIRM, contract=ConfirmCommand),),
            outputs=(EXECUTE, STATUS),
        ),
        StageSpec(
            name=StageName.EXECUTE,
            inputs=(InputSpec(topic=EXECUTE, contract=ExecuteCommand),),
            outputs=(NORMALIZE, STATUS),
        ),
        StageSpec(
            name=StageName.NORMALIZE,
            inputs=(InputSpec(topic=NORMALIZE, contract=NormalizeCommand),),
            outputs=(STATUS,),
        ),
    )
}


class TopicKind(StrEnum):
    """What a topic is for, hence how it is kept."""

    INPUT = "input"
    STATE = "state"
    EVENTS = "events"
    RESPONSES = "responses"
    DEAD_LETTERS = "dead letters"


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicSpec:
    """A topic the pipeline needs."""

    name: str
    kind: TopicKind
    contract: type[Contract] | None
    """None: original bytes of any kind."""
    key: str = "conversation"


def topics(channels: tuple[str, ...]) -> tuple[TopicSpec, ...]:
    """Every topic of an installation with these channels."""
    inputs = {spec.topic: spec.contract for stage in STAGES.values() for spec in stage.inputs}
    return (
        *(TopicSpec(name=name, kind=TopicKind.INPUT, contract=contract) for name, contract in inputs.items()),
        *(
            TopicSpec(name=state(stage), kind=TopicKind.STATE, contract=Checkpoint, key="conversation or transaction")
            for stage in STAGES
        ),
        *(TopicSpec(name=name, kind=TopicKind.EVENTS, contract=EventEnvelope) for name in EVENTS),
        *(
            TopicSpec(name=responses(channel), kind=TopicKind.RESPONSES, contract=ChannelResponse)
            for channel in channels
        ),
        *(
            TopicSpec(name=dead_letters(stage), kind=TopicKind.DEAD_LETTERS, contract=None, key="as the original")
            for stage in STAGES
        ),
    )
