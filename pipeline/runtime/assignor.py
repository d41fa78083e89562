"""Hands out partition *numbers*: one owner per number, for all topics of a group together.

Rendezvous hashing with a cap: no state, balanced to within one, few numbers move when a member joins or leaves. The replica's
stable name travels as user_data, so a restarted replica gets its numbers back.

Invariants: a number is never split between members. Two live members with one name, or topics with unequal partition counts, are
refused: every member gets an empty assignment that carries the reason, because an exception here would stop only the leader, silently
for the others. Source: DESIGN 4; Thaler and Ravishankar, rendezvous hashing.
"""

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar

from aiokafka.coordinator.assignors.abstract import AbstractPartitionAssignor
from aiokafka.coordinator.protocol import ConsumerProtocolMemberAssignment, ConsumerProtocolMemberMetadata

REFUSED = b"refused:"
SEPARATOR = "\n"


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


def unequal(counts: Mapping[str, int]) -> str | None:
    """Why these topics can't share an owner per number, or None."""
    if len(set(counts.values())) <= 1:
        return None
    listed = ", ".join(f"{topic} has {count}" for topic, count in sorted(counts.items()))
    return f"input topics need equal partition counts, but {listed}"


def rightful(members: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Replica name → member id; of several live members with one name the one that started first keeps it.

    `members`: member id → (replica, incarnation); incarnations sort by start. The design made every one of them Fatal; a second
    process started by mistake would then stop the one that works, so only the later ones are refused.
    """
    keeper: dict[str, str] = {}
    for member, (name, _) in sorted(members.items(), key=lambda entry: (entry[1][1], entry[0])):
        keeper.setdefault(name, member)
    return keeper


class PartitionNumberAssignor(AbstractPartitionAssignor):  # type: ignore[misc]
    """Called by aiokafka as a class; each consumer gets a subclass that carries its replica's name."""

    name = "partition-number"
    version = 0
    replica: ClassVar[str] = ""
    incarnation: ClassVar[str] = ""
    on_refused: ClassVar[Any] = None  # a static function of one text; a Callable here would be read as a method

    @classmethod
    def assign(cls, cluster: Any, members: Mapping[str, Any]) -> dict[str, Any]:
        """Assign numbers to members."""
        topics = sorted({topic for metadata in members.values() for topic in metadata.subscription})
        counts = {topic: len(cluster.partitions_for_topic(topic) or ()) for topic in topics}
        reason = unequal(counts)
        if reason is not None:
            return dict.fromkeys(members, cls._refuse(reason))
        said = {member: _name_of(member, metadata.user_data) for member, metadata in members.items()}
        keeper = rightful(said)
        mine: dict[str, list[int]] = {member: [] for member in keeper.values()}
        for number, name in owners(sorted(keeper), next(iter(counts.values()), 0)).items():
            mine[keeper[name]].append(number)
        plan = {
            member: ConsumerProtocolMemberAssignment(cls.version, [(topic, sorted(ns)) for topic in topics], b"")
            for member, ns in mine.items()
        }
        for member in members.keys() - plan.keys():
            name = said[member][0]
            plan[member] = cls._refuse(
                f"another live member is called {name!r}; give each replica a name of its own (setting `replica`)"
            )
        return plan

    @classmethod
    def _refuse(cls, reason: str) -> Any:
        return ConsumerProtocolMemberAssignment(cls.version, [], REFUSED + reason.encode())

    @classmethod
    def metadata(cls, topics: Any) -> Any:
        """Subscription plus the replica's name."""
        who = f"{cls.replica}{SEPARATOR}{cls.incarnation}"
        return ConsumerProtocolMemberMetadata(cls.version, sorted(topics), who.encode())

    @classmethod
    def on_assignment(cls, assignment: Any) -> None:
        """Hear a refusal."""
        data = assignment.user_data or b""
        if data.startswith(REFUSED) and cls.on_refused is not None:
            cls.on_refused(data.removeprefix(REFUSED).decode())


def _name_of(member: str, user_data: bytes | None) -> tuple[str, str]:
    name, _, incarnation = (user_data or b"").decode().partition(SEPARATOR)
    return name or member, incarnation
