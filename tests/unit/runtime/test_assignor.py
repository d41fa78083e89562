"""One owner per partition number, balanced, stable, and refusals that reach every member."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.runtime.assignor import PartitionNumberAssignor, owners, rightful

NAMES = st.lists(st.text("abcdefgh", min_size=1, max_size=6), min_size=1, max_size=8, unique=True)


@given(NAMES, st.integers(1, 40))
def test_every_number_has_one_owner_and_loads_differ_by_one_at_most(replicas: list[str], numbers: int) -> None:
    owner = owners(sorted(replicas), numbers)
    loads = [list(owner.values()).count(replica) for replica in replicas]
    assert sorted(owner) == list(range(numbers))
    assert max(loads) - min(loads) <= 1


@given(NAMES, st.integers(1, 40))
def test_owners_do_not_depend_on_the_order_of_members(replicas: list[str], numbers: int) -> None:
    assert owners(sorted(replicas), numbers) == owners(sorted(replicas), numbers)
    assert owners(replicas, numbers) == owners(list(reversed(replicas)), numbers)


def test_few_numbers_move_when_a_member_joins() -> None:
    before, after = owners(["a", "b", "c"], 120), owners(["a", "b", "c", "d"], 120)
    moved = sum(before[number] != after[number] for number in before)
    assert moved <= 60


def test_of_two_members_with_one_name_the_first_started_keeps_it() -> None:
    assert rightful({"m1": ("a", "2"), "m2": ("a", "1"), "m3": ("b", "9")}) == {"a": "m2", "b": "m3"}


class Cluster:
    def __init__(self, **counts: int) -> None:
        self._counts = counts

    def partitions_for_topic(self, topic: str) -> set[int] | None:
        return set(range(self._counts[topic])) if topic in self._counts else None


def members(**names: str) -> dict[str, Any]:
    return {
        member: SimpleNamespace(subscription=["status", "requests"], user_data=name.encode())
        for member, name in names.items()
    }


def test_all_topics_of_a_number_go_to_one_member() -> None:
    plan = PartitionNumberAssignor.assign(Cluster(status=5, requests=5), members(m1="a\n1", m2="b\n1"))
    for assignment in plan.values():
        numbers = dict(assignment.assignment)
        assert numbers["status"] == numbers["requests"]
    assert sorted(n for a in plan.values() for n in dict(a.assignment)["status"]) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("counts", "names", "refused", "reason"),
    [
        pytest.param(
            {"status": 3, "requests": 4}, {"m1": "a\n1"}, ["m1"], "equal partition counts", id="unequal topics"
        ),
        pytest.param(
            {"status": 3, "requests": 3}, {"m1": "a\n2", "m2": "a\n1"}, ["m1"], "called 'a'", id="one name twice"
        ),
    ],
)
def test_a_refusal_reaches_the_refused_and_nobody_else(
    counts: dict[str, int], names: dict[str, str], refused: list[str], reason: str
) -> None:
    plan = PartitionNumberAssignor.assign(Cluster(**counts), members(**names))
    for member, assignment in plan.items():
        heard: list[str] = []

        class Mine(PartitionNumberAssignor):
            on_refused = staticmethod(heard.append)

        Mine.on_assignment(assignment)
        assert bool(heard) is (member in refused)
        assert all(reason in text for text in heard)
