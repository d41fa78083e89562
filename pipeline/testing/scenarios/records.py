"""Records: read and not decided, in wrong places, unreadable, repeated, too many, refused by the broker."""

from collections.abc import Callable

from pipeline import topology
from pipeline.runtime.ports import TopicPartition
from pipeline.testing.plan import FaultKind
from pipeline.testing.scenarios.scenario import (
    SLOW_SERVER,
    Scenario,
    all_of,
    append,
    at,
    customer,
    ended,
    fault,
    plan,
    stopped,
)
from pipeline.testing.world import World
from pipeline.topology import StageName


def _garbage(world: World) -> None:
    """A verdict that can't be read, in a conversation whose question is open."""
    for one in world.customers:
        append(world, topology.CONFIRM, one.conversation, b'{"command": {"kind": "verdict"}}')
        append(world, topology.STATUS, one.conversation, b"not JSON")


def _newer_record(world: World) -> None:
    append(world, topology.EXECUTE, world.customers[0].conversation, b"{}", contract_version="execute-command-v9")


def _say_again_otherwise(world: World) -> None:
    """A counter that restarted: the same message id with other words."""
    for _, request in list(world.gateway.sent):
        changed = {**request, "payload": {**request["payload"], "message": "quero outra coisa"}}
        world.gateway.put_raw(changed)


def _flood(world: World) -> None:
    """Many messages while the call runs."""
    one = world.customers[0]
    for number in range(60):
        world.gateway.put(one.request(f"flood-{number}", f"e aí {number}?"))


def _refuse_on_voice(words: bytes) -> Callable[[World], None]:
    """From now on the broker refuses values with these bytes on the voice channel."""

    def act(world: World) -> None:
        topic = world.settings.named(topology.responses("voice"))
        for number in range(world.broker.counts[topic]):
            world.broker.logs[TopicPartition(topic, number)].refused = words

    return act


RECORDS: tuple[Scenario, ...] = (
    Scenario(
        number=3,
        name="getmany-loses-records",
        tells="getmany raises for one partition and has lost what it drained of others",
        plan=plan(
            3,
            *(customer(n, "plain", at=1.0 + n * 0.05) for n in range(1, 5)),
            faults=tuple(
                fault(FaultKind.FETCH_ERROR, 0.9 + n * 0.1, stage, index=n % 2)
                for n in range(12)
                for stage in (StageName.RECONCILE, StageName.CONFIRM, StageName.EXECUTE)
            ),
        ),
        finish=all_of(*(ended(n, "COMPLETED") for n in range(1, 5))),
    ),
    Scenario(
        number=4,
        name="read-and-not-decided",
        tells="a process dies between getmany and the decision, with records read and not decided",
        plan=plan(
            4,
            *(customer(n, "chatter", at=1.0 + n * 0.02, pace_s=0.02) for n in range(1, 6)),
            batch_max_records=1,
            partitions=1,
            replicas=1,
            faults=tuple(
                fault(FaultKind.KILL, 1.0 + n * 0.6, StageName.RECONCILE, request="produce", for_s=0.05)
                for n in range(4)
            ),
        ),
    ),
    Scenario(
        number=7,
        name="one-closes-another-opens",
        tells="one message closes one transaction and opens another; item retries have keys of their own",
        plan=plan(
            7,
            customer(1, "replace"),
            customer(2, "second_request", agent="retail_orders"),
            *(customer(n, "plain", items=4) for n in range(3, 9)),
        ),
    ),
    Scenario(
        number=11,
        name="unreadable-internal-record",
        tells="internal records that can't be read are dead-lettered, the conversation does not hang",
        plan=plan(11, customer(1, "expire"), customer(2, "plain")),
        prepare=at(2.5, _garbage),
        allow_alarms=True,
    ),
    Scenario(
        number=11,
        name="newer-internal-record",
        tells="a newer major version of an internal record stops the number instead of being dead-lettered",
        plan=plan(11, customer(1, "plain")),
        prepare=at(6.0, _newer_record),
        finish=stopped(StageName.EXECUTE, "deploy the newer readers first"),
        allow_alarms=True,
        stops=True,
    ),
    Scenario(
        number=17,
        name="batch-sees-itself-and-aborts",
        tells="later records of a batch see earlier writes; the transaction aborts and none of them stays",
        plan=plan(
            17,
            *(customer(n, "chatter", at=1.0, pace_s=0.001) for n in range(1, 5)),
            partitions=1,
            replicas=1,
            faults=tuple(
                fault(FaultKind.TRANSACTION_TIMEOUT, 1.0 + n * 0.2, stage, request="offset_commit")
                for n in range(5)
                for stage in (StageName.RECONCILE, StageName.CONFIRM)
            ),
        ),
    ),
    Scenario(
        number=18,
        name="misplaced-requests",
        tells="a gateway hashes otherwise, leaves the key out, or uses a foreign one",
        plan=plan(
            18,
            *(
                customer(n, "amend", glitches={1: glitch, 2: other, 3: glitch})
                for n, (glitch, other) in enumerate(
                    (("partition", "keyless"), ("keyless", "key"), ("key", "partition")), start=1
                )
            ),
            partitions=3,
        ),
    ),
    Scenario(
        number=22,
        name="message-id-used-twice",
        tells="the same message id twice, with the same and with other words",
        plan=plan(
            22, customer(1, "plain", glitches={1: "twice", 2: "twice"}), customer(2, "amend", glitches={2: "twice"})
        ),
        prepare=at(12.0, _say_again_otherwise),
        allow_alarms=True,
    ),
    Scenario(
        number=23,
        name="flood-in-one-conversation",
        tells="many messages in one conversation while its call runs",
        plan=plan(23, customer(1, "plain"), customer(2, "plain"), fates=SLOW_SERVER),
        prepare=at(1.9, _flood),
    ),
    Scenario(
        number=23,
        name="commit-that-always-fails",
        tells="one answer is refused by the broker every time: dead-lettered, the others go on",
        plan=plan(23, customer(1, "query", channel="voice"), customer(2, "plain", channel="web")),
        prepare=at(0.5, _refuse_on_voice(b"feito")),
        finish=all_of(ended(1, "FAILED"), ended(2, "COMPLETED")),
        allow_alarms=True,
    ),
    Scenario(
        number=23,
        name="not-even-dead-lettered",
        tells="the broker refuses the answer and what is said instead of it: the number stops for an operator",
        plan=plan(23, customer(1, "query", channel="voice")),
        prepare=at(0.5, _refuse_on_voice(b"final")),
        finish=stopped(StageName.NORMALIZE, "its dead letter too"),
        allow_alarms=True,
        stops=True,
    ),
)
