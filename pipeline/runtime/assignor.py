"""Hands out partition *numbers*: one owner per number, for all topics of a group together.

Rendezvous hashing with a cap: no state, balanced to within one, few numbers move when a member joins or leaves. The replica's
stable name travels as user_data, so a restarted replica gets its numbers back.

Invariants: a number is never split between members. Two live members with one name, or topics with unequal partition counts, are
refused: every member gets an empty assignment that carries the reason, because an exception here would stop only the leader, silently
for the others. Source: DESIGN 4; Thaler and Ravishankar, rendezvous hashing.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from aiokafka.coordinator.assignors.abstract import AbstractPartitionAssignor
from aiokafka.coordinator.protocol import ConsumerProtocolMemberAssignment, ConsumerProtocolMemberMetadata

REFUSED = b"refused:"


def owners(replicas: list[str], numbers: int) -> dict[int, str]:
    """Map each partition number to a replica: the highest hash wins while the replica has room."""
    share, spare = divmod(numbers, len(replicas))  # `spare` replicas carry one more than `share`
    load = dict.fromkeys(replicas, 0)
    bids = sorted(
        (hashlib.blake2b(f"{replica}|{number}".encode(), digest_size=8).digest(), number, replica)
        for replica in replicas
        for number in range(numbers)
    )
    owner: dict[int, str] = {}
    for _, number, replica in reversed(bids):
        if number in owner or load[replica] > share or (load[replica] == share and not spare):
            continue
        spare -= load[replica] == share
        load[replica] += 1
        owner[number] = replica
    # A cap can leave a number without a bidder with room; whoever has least takes it.
    for number in range(numbers):
        if number not in owner:
            replica = min(replicas, key=lambda name: (load[name], name))
            load[replica] += 1
            owner[number] = replica
    return owner


def refusal(names: Mapping[str, str], counts: Mapping[str, int]) -> str | None:
    """Why nothing can be assigned, or None. `names`: member id → replica; `counts`: topic → partitions."""
    seen: set[str] = set()
    for name in names.values():
        if name in seen:
            return f"two live members are called {name!r}; give each replica a name of its own (setting `replica`)"
        seen.add(name)
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{topic} has {count}" for topic, count in sorted(counts.items()))
        return f"input topics need equal partition counts, but {listed}"
    return None


class PartitionNumberAssignor(AbstractPartitionAssignor):  # type: ignore[misc]
    """Called by aiokafka as a class; each consumer gets a subclass that carries its replica's name."""

    name = "partition-number"
    version = 0
    replica: ClassVar[str] = ""
    on_refused: ClassVar[Callable[[str], None] | None] = None

    @classmethod
    def assign(cls, cluster: Any, members: Mapping[str, Any]) -> dict[str, Any]:
        """Assign numbers to members."""
        names = {member: metadata.user_data.decode() or member for member, metadata in members.items()}
        topics = sorted({topic for metadata in members.values() for topic in metadata.subscription})
        counts = {topic: len(cluster.partitions_for_topic(topic) or ()) for topic in topics}
        reason = refusal(names, counts)
        if reason is not None:
            empty = ConsumerProtocolMemberAssignment(cls.version, [], REFUSED + reason.encode())
            return dict.fromkeys(members, empty)
        numbers = next(iter(counts.values()), 0)
        member_of = {name: member for member, name in names.items()}
        mine: dict[str, list[int]] = {member: [] for member in members}
        for number, name in owners(sorted(member_of), numbers).items():
            mine[member_of[name]].append(number)
        return {
            member: ConsumerProtocolMemberAssignment(cls.version, [(topic, sorted(ns)) for topic in topics], b"")
            for member, ns in mine.items()
        }

    @classmethod
    def metadata(cls, topics: Any) -> Any:
        """Subscription plus the replica's name."""
        return ConsumerProtocolMemberMetadata(cls.version, sorted(topics), cls.replica.encode())

    @classmethod
    def on_assignment(cls, assignment: Any) -> None:
        """Hear a refusal."""
        data = assignment.user_data or b""
        if data.startswith(REFUSED) and cls.on_refused is not None:
            cls.on_refused(data.removeprefix(REFUSED).decode())
