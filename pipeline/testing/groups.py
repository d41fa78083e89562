"""The group coordinator of the simulated broker: classic protocol, eager, one assignor.

Owns: members, sessions, generations, the join barrier, committed and pending offsets.
Invariants: a member that did not join within the rebalance timeout is out; a pending transactional offset is invisible until its
marker (committed() answers the one before, at once); TxnOffsetCommit carries no generation, so anybody's is taken.
Source: Apache Kafka's GroupCoordinator; notes on aiokafka sections 0, 5.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pipeline.runtime.assignor import owners, rightful, unequal
from pipeline.runtime.ports import TopicPartition


class UnknownMember(Exception):
    """The session ended, or the rebalance went on without this member."""


@dataclass(slots=True, eq=False)
class Member:
    """A member as the coordinator sees it."""

    member_id: str
    replica: str
    incarnation: str
    topics: tuple[str, ...]
    session_s: float
    rebalance_s: float
    seen_at: float = 0.0
    joined: Callable[["Assignment"], None] | None = None
    """Answers the JoinGroup that waits."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a JoinGroup and SyncGroup bring."""

    generation: int
    partitions: tuple[TopicPartition, ...]
    refused: str | None = None


@dataclass(slots=True)
class Group:
    """One consumer group."""

    members: dict[str, Member] = field(default_factory=dict)
    generation: int = 0
    rebalancing: bool = False
    round: int = 0
    """Rebalances begun."""
    committed: dict[TopicPartition, int] = field(default_factory=dict)
    pending: dict[int, dict[TopicPartition, int]] = field(default_factory=dict)
    """Producer id → offsets of its open transaction."""


class GroupCoordinator:
    """All groups of a cluster."""

    def __init__(
        self,
        *,
        now: Callable[[], float],
        after: Callable[[float, Callable[[], None]], None],
        count: Callable[[str], int],
        delay_s: Callable[[], float],
        is_up: Callable[[], bool],
    ) -> None:
        self._now = now
        self._after = after
        self._count = count
        self._delay_s = delay_s
        self._is_up = is_up
        self.groups: dict[str, Group] = {}
        self.rebalanced: Callable[[str, Group, Mapping[str, Assignment]], None] | None = None

    def group(self, name: str) -> Group:
        """The group, new when nobody knew it."""
        return self.groups.setdefault(name, Group())

    # --- membership ---

    def join(self, name: str, member: Member, joined: Callable[[Assignment], None]) -> None:
        """JoinGroup: answered when the rebalance completes."""
        group = self.group(name)
        if member.member_id not in group.members:
            group.members[member.member_id] = member
            self._watch(name, member)
        member = group.members[member.member_id]
        member.joined = joined
        member.seen_at = self._now()
        self.rebalance(name)
        self._complete_when_all_joined(name, group)

    def rebalance(self, name: str) -> None:
        """Begin a rebalance; members hear of it by their heartbeat."""
        group = self.group(name)
        if group.rebalancing or not group.members:
            return
        group.rebalancing = True
        group.round += 1
        this = group.round
        deadline = max(member.rebalance_s for member in group.members.values())
        self._after(deadline, lambda: self._give_up_waiting(name, this))

    def _complete_when_all_joined(self, name: str, group: Group) -> None:
        if not all(member.joined for member in group.members.values()):
            return
        this = group.round
        self._after(self._delay_s(), lambda: self._complete(name, this))

    def _give_up_waiting(self, name: str, this: int) -> None:
        group = self.groups[name]
        if group.rebalancing and group.round == this:
            for member_id in [m.member_id for m in group.members.values() if m.joined is None]:
                del group.members[member_id]
            self._complete(name, this)

    def _complete(self, name: str, this: int) -> None:
        group = self.groups[name]
        if not group.rebalancing or group.round != this or not all(member.joined for member in group.members.values()):
            return
        group.rebalancing = False
        if not group.members:
            return
        group.generation += 1
        plan = self._plan(group)
        if self.rebalanced is not None:
            self.rebalanced(name, group, plan)
        for member in list(group.members.values()):
            joined, member.joined = member.joined, None
            member.seen_at = self._now()
            assert joined is not None
            joined(plan[member.member_id])

    def _plan(self, group: Group) -> dict[str, Assignment]:
        topics = sorted({topic for member in group.members.values() for topic in member.topics})
        counts = {topic: self._count(topic) for topic in topics}
        reason = unequal(counts)
        if reason is not None:
            return {member_id: Assignment(group.generation, (), reason) for member_id in group.members}
        keeper = rightful({m.member_id: (m.replica, m.incarnation) for m in group.members.values()})
        mine: dict[str, list[int]] = {member: [] for member in keeper.values()}
        for number, replica in owners(sorted(keeper), next(iter(counts.values()), 0)).items():
            mine[keeper[replica]].append(number)
        plan = {
            member: Assignment(
                group.generation, tuple(TopicPartition(topic, n) for topic in topics for n in sorted(numbers))
            )
            for member, numbers in mine.items()
        }
        for member_id, member in group.members.items():
            if member_id not in plan:
                plan[member_id] = Assignment(group.generation, (), f"another live member is called {member.replica!r}")
        return plan

    def heartbeat(self, name: str, member_id: str, generation: int) -> bool:
        """Returns: whether the member has to join again. Raises: UnknownMember."""
        group = self.group(name)
        member = group.members.get(member_id)
        if member is None or (generation != group.generation and not group.rebalancing):
            raise UnknownMember
        member.seen_at = self._now()
        return group.rebalancing

    def leave(self, name: str, member_id: str) -> None:
        """LeaveGroup."""
        group = self.group(name)
        if group.members.pop(member_id, None) is not None:
            self._after_loss(name, group)

    def _after_loss(self, name: str, group: Group) -> None:
        if group.rebalancing:
            self._complete_when_all_joined(name, group)
        else:
            self.rebalance(name)

    def _watch(self, name: str, member: Member) -> None:
        def look() -> None:
            group = self.groups[name]
            if group.members.get(member.member_id) is not member:
                return
            if not self._is_up():
                member.seen_at = self._now()
            left = member.seen_at + member.session_s - self._now()
            if left > 1e-9:
                self._after(left, look)
            elif member.joined is not None and group.rebalancing:
                self._after(member.session_s, look)  # a JoinGroup that waits keeps it alive
            else:
                del group.members[member.member_id]
                self._after_loss(name, group)

        self._after(member.session_s, look)

    # --- offsets ---

    def add_offsets(self, name: str, producer: int, offsets: dict[TopicPartition, int]) -> None:
        """TxnOffsetCommit, version 0: no generation is looked at."""
        self.group(name).pending.setdefault(producer, {}).update(offsets)

    def settle(self, name: str, producer: int, *, commit: bool) -> None:
        """The marker of the offsets partition."""
        group = self.group(name)
        offsets = group.pending.pop(producer, {})
        if commit:
            group.committed.update(offsets)
