"""Events, answers and arrivals of a period, in any order between topics, into transactions and counts. Pure.

Owns: which transactions are whole: begun and ended inside the period. Invariants: what began before or ended after is counted apart,
never as lost; memory is one Journey a transaction and one instant a message. Never: keeps what a customer said. Source: issue 6.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from consumers.evaluate.journey import NAME_MAX, Journey
from consumers.evaluate.naming import Naming
from contracts.channel_response import ChannelResponse
from contracts.event_envelope import EventEnvelope

MARGIN = timedelta(seconds=60)
"""How far around the period is read: a request waits before its first event, an answer is published beside its last one."""
SETTLING = timedelta(seconds=15)
"""What was published in one Kafka transaction becomes readable on its topics at different instants; longer than that none takes."""


TRAFFIC = frozenset({"IC.GATEWAY_RECEIVED", "IC.INTENT_NOT_UNDERSTOOD", "IC.MESSAGE_DUPLICATE"})
"""Events that Traffic counts; an agent that does not exist has none of them."""
SMALL_TALK = ("greeting", "courtesy", "farewell")
"""Rules of IC.INTENT_NOT_UNDERSTOOD: nothing was asked for."""
LETTERS = frozenset({"NOC.DLQ", "NOC.CONTRACT_REJECTED"})
LETTERS_MAX = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Transactions are evaluated that began at or after `since` and ended before `until`. UTC."""

    since: datetime
    until: datetime
    read_at: datetime
    """When reading began: what was published later is not known."""

    @property
    def read_until(self) -> datetime:
        """Everything published before this instant has been read."""
        return min(self.until + MARGIN, self.read_at)

    def holds(self, instant: datetime) -> bool:
        """Whether an instant lies inside."""
        return self.since <= instant < self.until


@dataclass(slots=True)
class Traffic:
    """What one agent's customers did, apart from transactions."""

    messages: int = 0
    not_understood: int = 0
    duplicates: int = 0
    began_before: int = 0
    open_at_end: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A record that nobody could read or decide."""

    kind: str
    """Type of the event that told of it."""
    stage: str
    error: str
    origin: str
    """topic/partition/offset."""


@dataclass(frozen=True, kw_only=True)
class Counted:
    """All of a period."""

    period: Period
    journeys: Sequence[Journey]
    """Whole transactions, in the order in which they began."""
    waits: "Waits"
    traffic: dict[str, Traffic]
    """By agent."""
    operations: Counter[tuple[str, str]]
    """(event type, stage) of NOC and GRL events."""
    letters: Sequence[Letter]
    """The first dead letters and refused requests."""
    unreadable: int
    """Records on event and response topics that are no valid contract of ours."""


@dataclass(slots=True)
class Waits:
    """When messages arrived at Kafka, and with that how long customers waited."""

    arrived: dict[tuple[str, str], datetime] = field(default_factory=dict)

    def arrival(self, conversation: str, message_id: str, at: datetime, *, surely: bool) -> None:
        """Note an arrival: `surely` by the broker, else by the pipeline's receipt, which only counts where nothing better is known."""
        place = (conversation, message_id)
        known = self.arrived.get(place)
        if known is None or (surely and at < known):
            self.arrived[place] = at

    def until(self, journey: Journey, message_id: str | None, at: datetime | None) -> float | None:
        """Seconds from a message to an instant; None where one of them is not known."""
        start = self.arrived.get((journey.conversation, message_id or ""))
        return None if start is None or at is None else max(0.0, (at - start).total_seconds())


class Counting:
    """Takes records one by one."""

    def __init__(self, period: Period, naming: Naming, *, agent: str | None = None) -> None:
        """`agent`: count only this one's conversations; None: all."""
        self._period = period
        self._naming = naming
        self._agent = agent
        self._journeys: dict[str, Journey] = {}
        self._openers: dict[tuple[str, str], str] = {}
        """The first transaction of a message."""
        self._waits = Waits()
        self._traffic: defaultdict[str, Traffic] = defaultdict(Traffic)
        self._operations: Counter[tuple[str, str]] = Counter()
        self._letters: list[Letter] = []
        self.unreadable = 0
        if agent is not None:
            self._traffic[agent] = Traffic()

    def arrival(self, conversation: str, message_id: str, at: datetime) -> None:
        """Take a request's broker time."""
        self._waits.arrival(conversation, message_id, at, surely=True)

    def event(self, event: EventEnvelope) -> None:
        """Take an event; events of one conversation come in order."""
        kind = event.event_type
        inside = self._period.holds(event.timestamp)
        if kind.startswith(("NOC.", "GRL.")) and inside:
            self._operations[kind, event.stage or ""] += 1
            if kind in LETTERS and len(self._letters) < LETTERS_MAX:
                self._letters.append(letter_of(event))
        if not is_name(event.agent_id):
            self.unreadable += event.transaction_id is not None
            return
        if not self._is_meant(event.agent_id):
            return
        if inside and kind in TRAFFIC:
            traffic = self._traffic[event.agent_id]
            traffic.messages += kind == "IC.GATEWAY_RECEIVED"
            traffic.not_understood += kind == "IC.INTENT_NOT_UNDERSTOOD" and not is_understood(event)
            traffic.duplicates += kind == "IC.MESSAGE_DUPLICATE"
        if kind == "IC.GATEWAY_RECEIVED":
            self._waits.arrival(event.conversation_key or "", event.message_id or "", event.timestamp, surely=False)
        if event.transaction_id:
            journey = self._journey(event.transaction_id)
            journey.event(event)
            if kind == "IC.INTENT_DETECTED":
                opener = self._openers.setdefault((journey.conversation, journey.opening_message), event.transaction_id)
                journey.deferred = opener != event.transaction_id

    def response(self, response: ChannelResponse, at: datetime) -> None:
        """Take a response, published `at`."""
        if not is_name(response.metadata.agent_id):
            self.unreadable += 1
            return
        if self._is_meant(response.metadata.agent_id) and response.metadata.transaction_id:
            self._journey(response.metadata.transaction_id).response(response, at, self._naming)

    def counted(self) -> Counted:
        """All that was taken."""
        whole: list[Journey] = []
        traffic = {
            agent: Traffic(each.messages, each.not_understood, each.duplicates) for agent, each in self._traffic.items()
        }
        for journey in self._journeys.values():
            if not self._touches(journey):
                continue
            mine = traffic.setdefault(journey.agent, Traffic())
            if journey.began_at is None or journey.began_at < self._period.since:
                mine.began_before += 1
            elif self._has_ended(journey):
                whole.append(journey)
            else:
                mine.open_at_end += 1
        whole.sort(key=lambda journey: (journey.began_at or self._period.since, journey.transaction_id))
        return Counted(
            period=self._period,
            journeys=whole,
            waits=self._waits,
            traffic=traffic,
            operations=self._operations,
            letters=self._letters,
            unreadable=self.unreadable,
        )

    def _is_meant(self, agent: str) -> bool:
        return self._agent is None or agent == self._agent

    def _touches(self, journey: Journey) -> bool:
        """Whether any of it lies inside the period."""
        begins, ends = journey.began_at or self._period.since, journey.last_at
        return ends is not None and ends >= self._period.since and begins < self._period.until

    def _journey(self, transaction_id: str) -> Journey:
        found = self._journeys.get(transaction_id)
        if found is None:
            found = self._journeys[transaction_id] = Journey(transaction_id=transaction_id)
        return found

    def _has_ended(self, journey: Journey) -> bool:
        """Whether it ended inside the period, and long enough before the end of what was read that its answer must be there."""
        ended = journey.ended_at
        if ended is None or ended >= self._period.until:
            return False
        answered = journey.answer_at is not None or not journey.expects_answer
        return answered or ended < self._period.read_until - SETTLING


def is_name(agent: str) -> bool:
    """Whether an agent can be reported on; an event about a request that named none has none."""
    return bool(agent.strip()) and len(agent) <= NAME_MAX


def is_understood(event: EventEnvelope) -> bool:
    """Whether a message without intent was answered for what it is: small talk, or a reply about a transaction that has ended."""
    return event.payload.get("rule") in SMALL_TALK or "status" in event.payload


def letter_of(event: EventEnvelope) -> Letter:
    """What an event tells of a record that was put aside."""
    payload = event.payload
    return Letter(
        kind=event.event_type,
        stage=event.stage or "",
        error=str(payload.get("error", "")),
        origin=str(payload.get("origin") or payload.get("position") or ""),
    )
