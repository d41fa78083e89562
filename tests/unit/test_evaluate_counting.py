"""`evaluate` counts: how transactions ended, where items went, how long customers waited."""

from collections.abc import Sequence
from typing import Any

import pytest

from consumers.chaos.measures import quantile
from consumers.evaluate.journey import Ending
from consumers.evaluate.measures import JUDGEMENTS, evaluate, timeline
from consumers.evaluate.results import reports
from contracts.channel_response import ResponseKind
from contracts.status import ItemOutcome, Status
from tests.unit.evaluated import (
    ANSWER,
    NAMES,
    QUESTION,
    START,
    TX,
    Step,
    at,
    counted,
    evaluated,
    event,
    fates,
    response,
    story,
)


def without(*names: str, **changes: Step) -> list[Step]:
    """The story, some steps left out, others put in."""
    return list({**{name: step for name, step in story().items() if name not in names}, **changes}.values())


@pytest.mark.parametrize("responses_first", [False, True], ids=["events first", "responses first"])
def test_a_transaction_that_went_well_is_counted_once(responses_first: bool) -> None:
    total = evaluated(story().values(), responses_first=responses_first).total
    assert (total.transactions, total.endings) == (1, {Ending.PARTIAL: 1})
    assert (total.done, total.failed, total.unsure) == (2, 1, 0)
    assert (total.questions, total.confirmed, total.asked_once) == (1, 1, 1)
    assert (total.to_question_s, total.to_answer_s) == ([0.5], [1.5])
    assert total.flow == {"asked": 3, "passed": 3, "shown": 3, "accepted": 3, "called": 3, "told": 3}
    assert total.faults == []
    assert total.judged == dict.fromkeys(JUDGEMENTS, 1)


def items(step: str, count: int) -> dict[str, Step]:
    """A step with another count of items."""
    seconds, said = story()[step]
    return {step: (seconds, said.model_copy(update={"payload": {**said.payload, "items_count": count}}))}  # type: ignore[union-attr]


def answer(text: str, names: tuple[str, ...]) -> dict[str, Step]:
    return {
        "answer": response(
            11.5, ResponseKind.FINAL, text, message="m2", status=Status.COMPLETED, items=fates(*names, done=1)
        )
    }


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        pytest.param(without(**items("shown", 2)), {"items_lost_before_question": 1}, id="the question shows fewer"),
        pytest.param(without(**items("accepted", 2)), {"items_lost_before_call": 1}, id="the yes is taken for fewer"),
        pytest.param(
            without("called", "completed", "answer", **items("accepted", 2), dead=event(10.4, "NOC.DLQ", message="m2")),
            {"items_lost_before_call": 1, "items_lost_before_answer": 2, "results_without_answer": 1},
            id="the yes is taken for fewer and the tool is never called",
        ),
        pytest.param(without(**items("called", 1)), {"items_lost_before_call": 2}, id="the tool is called with fewer"),
        pytest.param(
            without(**answer(ANSWER, NAMES[:2])), {"items_lost_before_answer": 1}, id="the answer tells of fewer"
        ),
        pytest.param(
            without("answer"), {"items_lost_before_answer": 3, "results_without_answer": 1}, id="there is no answer"
        ),
        pytest.param(
            without(**answer("Concluí tudo.", NAMES)), {"items_not_named_in_answer": 3}, id="the answer names nothing"
        ),
        pytest.param(
            without(**answer(ANSWER.replace("Neymar Jr", "o outro"), NAMES)),
            {"items_not_named_in_answer": 1},
            id="the answer leaves one out",
        ),
        pytest.param(
            without(question=response(0.5, ResponseKind.CONFIRMATION, QUESTION.replace(" e Neymar Jr", ""))),
            {"items_not_named_in_question": 1},
            id="the question leaves one out",
        ),
        pytest.param(without(**items("requested", 4)), {}, id="what the validator sets aside is not lost"),
        pytest.param(
            without(
                "accepted", "called", "completed",
                answer=response(10.4, ResponseKind.FINAL, "Não confirmado.", status=Status.CANCELLED),
                declined=event(10.4, "IC.TRANSACTION_CONFIRMATION_DECLINED", message="m2"),
            ),
            {},
            id="a declined transaction tells no fates",
        ),
        pytest.param(
            without(
                "called", "completed",
                answer=response(10.4, ResponseKind.FINAL, "Algo deu errado.", message="m2", status=Status.FAILED),
                dead=event(10.4, "NOC.DLQ", message="m2", error="ContractViolation"),
            ),
            {"items_lost_before_answer": 3},
            id="a dead letter after the yes leaves the customer without fates",
        ),
    ],
)  # fmt: skip
def test_what_must_never_happen_is_found_when(steps: list[Step], found: dict[str, int]) -> None:
    total = evaluated(steps).total
    assert {kind: total.of(kind) for kind in JUDGEMENTS if total.of(kind)} == found
    assert {fault.journey.transaction_id for fault in total.faults} <= {TX}


def test_a_refusal_in_the_validators_words_is_counted_apart_and_no_fault() -> None:
    refusal = without(
        "passed", "shown", "question", "yes", "accepted", "called", "completed",
        answer=response(
            0.6, ResponseKind.FINAL, "Não encontrei esses produtos entre os seus.",
            status=Status.OUT_OF_SCOPE, items=fates(*NAMES, done=0),
        ),
        refused=event(0.6, "IC.TRANSACTION_PREVALIDATION_REJECTED", tool="cancelar_produtos", items_count=3),
    )  # fmt: skip
    total = evaluated(refusal).total
    assert (total.endings, total.faults, total.judged["items_not_named_in_answer"]) == ({Ending.OUT_OF_SCOPE: 1}, [], 0)
    [everything, *_] = reports(evaluated(refusal), "")
    [apart] = [result for result in everything.results if result.metric == "items_not_named_by_validator"]
    assert (apart.value, apart.count) == (3, 1)


def test_set_aside_items_are_told_apart() -> None:
    assert evaluated(without(**items("requested", 4))).total.set_aside == 1


def test_an_amended_revision_is_compared_with_itself() -> None:
    amended = [
        event(5, "IC.TRANSACTION_CONFIRMATION_AMENDED", message="m1b", revision=1),
        event(5.1, "IC.TRANSACTION_PREVALIDATION_REQUESTED", items_count=2, revision=2),
        event(5.2, "IC.TRANSACTION_PREVALIDATION_PASSED", items_count=2),
        event(5.3, "IC.TRANSACTION_CONFIRMATION_REQUIRED", items_count=2, revision=2),
        response(5.3, ResponseKind.CONFIRMATION, "Confirma TIM Fashion Mensal e Aya Audiobooks Premium?", revision=2),
    ]
    text = "TIM Fashion Mensal: concluído. Aya Audiobooks Premium: não."
    ending = {**items("accepted", 2), **items("called", 2), **items("completed", 2), **answer(text, NAMES[:2])}
    total = evaluated([*without(**ending), *amended]).total
    assert total.faults == []
    assert (total.amendments, total.amended, total.questions, total.asked_once) == (1, 1, 2, 0)
    assert total.flow["asked"] == total.flow["told"] == 2


@pytest.mark.parametrize(
    ("kind", "payload", "ending"),
    [
        ("IC.TRANSACTION_COMPLETED", {"status": "COMPLETED"}, Ending.SUCCESS),
        ("IC.TRANSACTION_COMPLETED", {"status": "COMPLETED", "multi_item_status": "PARTIAL_SUCCESS"}, Ending.PARTIAL),
        ("IC.TRANSACTION_COMPLETED", {"status": "FAILED", "multi_item_status": "FAILED"}, Ending.FAILED),
        ("IC.TRANSACTION_OUTCOME_UNKNOWN", {}, Ending.UNKNOWN),
        ("IC.TRANSACTION_PREVALIDATION_REJECTED", {}, Ending.OUT_OF_SCOPE),
        ("IC.TRANSACTION_PREVALIDATION_FAILED", {}, Ending.PREVALIDATION_ERROR),
        ("IC.TRANSACTION_CONFIRMATION_DECLINED", {}, Ending.DECLINED),
        ("IC.TRANSACTION_ABANDONED", {}, Ending.ABANDONED),
        ("IC.TRANSACTION_REPLACED", {}, Ending.REPLACED),
        ("IC.TRANSACTION_CONFIRMATION_EXPIRED", {}, Ending.EXPIRED),
        ("IC.TRANSACTION_EXPIRED", {}, Ending.EXPIRED),
        ("NOC.DLQ", {}, Ending.DEAD_LETTERED),
    ],
)
def test_a_transaction_ends_as_its_event_says(kind: str, payload: dict[str, Any], ending: Ending) -> None:
    total = evaluated([event(1, "IC.INTENT_DETECTED"), event(2, kind, **payload)]).total
    assert total.endings == {ending: 1}


def test_a_transaction_that_only_an_answer_ends_is_counted() -> None:
    refused = response(2, ResponseKind.FINAL, "São itens demais.", status=Status.OUT_OF_SCOPE)
    assert evaluated([event(1, "IC.INTENT_DETECTED"), refused]).total.endings == {Ending.OUT_OF_SCOPE: 1}


@pytest.mark.parametrize("responses_first", [False, True], ids=["events first", "responses first"])
def test_a_dead_letter_is_told_from_a_failed_call(responses_first: bool) -> None:
    steps = [
        event(1, "IC.INTENT_DETECTED"),
        event(2, "NOC.DLQ"),
        response(2, ResponseKind.FINAL, "Algo deu errado.", status=Status.FAILED),
    ]
    assert evaluated(steps, responses_first=responses_first).total.endings == {Ending.DEAD_LETTERED: 1}


@pytest.mark.parametrize(
    ("question", "unclear"), [(False, 1), (True, 0)], ids=["no verdict is unclear", "a question about it is not"]
)
def test_unclear_replies_are_counted(question: bool, unclear: int) -> None:
    steps = without(again=event(5, "IC.TRANSACTION_CONFIRMATION_UNCLEAR", message="m1b", question=question))
    total = evaluated(steps).total
    assert (total.unclear, total.replies) == (unclear, 2)


def test_items_of_unknown_fate_are_counted_apart() -> None:
    unsure = [item.model_copy(update={"outcome": ItemOutcome.UNKNOWN}) for item in fates(*NAMES)]
    final = response(11.5, ResponseKind.FINAL, ANSWER, message="m2", status=Status.OUTCOME_UNKNOWN, items=unsure)
    total = evaluated(without(answer=final)).total
    assert (total.done, total.failed, total.unsure) == (0, 0, 3)


# --- the edges of the period -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("period", "whole", "before", "still_open"),
    [
        pytest.param({}, 1, 0, 0, id="inside"),
        pytest.param({"since": 0.2}, 1, 0, 0, id="began with the period"),
        pytest.param({"since": 0.3}, 0, 1, 0, id="began before it"),
        pytest.param({"until": 11.5}, 0, 0, 1, id="ended with its end"),
        pytest.param({"until": 5}, 0, 0, 1, id="ended after it"),
        pytest.param({"until": 0.1}, 0, 0, 0, id="began after it"),
        pytest.param({"since": 20}, 0, 0, 0, id="ended before it"),
        pytest.param({"since": 5, "until": 6}, 0, 1, 0, id="went on all through it"),
    ],
)
def test_transactions_on_an_edge_are_counted_apart(
    period: dict[str, float], whole: int, before: int, still_open: int
) -> None:
    found = evaluated(story().values(), **period)
    assert found.total.transactions == whole
    assert (found.traffic.began_before, found.traffic.open_at_end) == (before, still_open)
    assert found.faults == []


def test_an_agent_of_whom_nothing_lies_inside_the_period_has_no_row() -> None:
    other = event(5_000, "IC.INTENT_DETECTED", agent="retail_orders", transaction="tx_2")
    assert {group.agent for group in evaluated([*story().values(), other]).groups} == {"telecom_contas"}


def test_an_answer_that_may_not_be_readable_yet_is_not_lost() -> None:
    found = evaluated(without("answer"), read_at=20)
    assert (found.total.transactions, found.traffic.open_at_end, list(found.faults)) == (0, 1, [])


def test_what_happens_around_the_period_is_not_its_traffic() -> None:
    found = evaluated(story().values(), since=5)
    assert found.counted.traffic["telecom_contas"].messages == 1


@pytest.mark.parametrize(
    ("payload", "count"),
    [
        pytest.param({"rule": "no route"}, 1, id="nothing was recognised"),
        pytest.param({}, 1, id="no rule is told"),
        pytest.param({"rule": ["?"]}, 1, id="a rule that is no text"),
        pytest.param({"rule": "courtesy"}, 0, id="thanks"),
        pytest.param({"rule": "late: REPLY-1 affirmed", "status": "COMPLETED"}, 0, id="a yes that came too late"),
    ],
)
def test_a_message_is_not_understood_when(payload: dict[str, Any], count: int) -> None:
    found = evaluated([event(1, "IC.INTENT_NOT_UNDERSTOOD", transaction=None, **payload)])
    assert found.traffic.not_understood == count


# --- waits, agents, operations -------------------------------------------------------------------------------------------


def test_waits_begin_with_the_pipelines_receipt_where_the_arrival_is_not_known() -> None:
    total = evaluated(story().values(), arrivals=()).total
    assert total.to_question_s == pytest.approx([0.3])
    assert total.to_answer_s == pytest.approx([1.4])


def test_an_expired_question_is_no_wait_for_an_answer() -> None:
    expired = response(40, ResponseKind.FINAL, "O prazo acabou.", status=Status.EXPIRED)
    steps = [*without("yes", "accepted", "called", "completed", "answer"), expired]
    assert evaluated(steps).total.to_answer_s == []


def test_a_further_request_of_a_message_does_not_count_the_wait_for_the_first_one() -> None:
    second = [
        event(11.6, "IC.INTENT_DETECTED", transaction="tx_2", tool="consultar_fatura"),
        event(11.9, "IC.TRANSACTION_COMPLETED", transaction="tx_2", status="COMPLETED"),
        response(11.7, ResponseKind.QUESTION, "Qual fatura?", transaction_id="tx_2"),
        response(11.9, ResponseKind.FINAL, "Pronto.", transaction_id="tx_2", status=Status.COMPLETED),
    ]
    total = evaluated([*story().values(), *second]).total
    assert (total.transactions, total.to_question_s, total.to_answer_s) == (2, [0.5], [1.5])


def test_agents_and_tools_are_groups_of_their_own() -> None:
    other = [
        event(1, "IC.INTENT_DETECTED", agent="retail_orders", transaction="tx_2", tool="cancelar_pedidos"),
        event(2, "IC.TRANSACTION_EXPIRED", agent="retail_orders", transaction="tx_2"),
    ]
    found = evaluated([*story().values(), *other])
    assert [(group.agent, group.tool, group.measures.transactions) for group in found.groups] == [
        ("retail_orders", None, 1),
        ("retail_orders", "cancelar_pedidos", 1),
        ("telecom_contas", None, 1),
        ("telecom_contas", "cancelar_produtos", 1),
    ]
    assert evaluated([*story().values(), *other], agent="retail_orders").total.endings == {Ending.EXPIRED: 1}


def test_a_validator_is_not_taken_for_the_tool() -> None:
    failed = event(0.35, "NOC.MCP_TOOL_FAILED", tool="validar_produtos_cancelamento")
    (journey,) = counted([*without("answer"), failed]).journeys
    assert journey.tool == "cancelar_produtos"


def test_dead_letters_are_told_with_their_origin() -> None:
    refused = event(
        3, "NOC.CONTRACT_REJECTED", transaction=None, agent="nobody", error="x", origin="gateway.requests/0/7"
    )
    found = evaluated([refused])
    assert found.operations("NOC.CONTRACT_REJECTED") == 1
    assert [letter.origin for letter in found.counted.letters] == ["gateway.requests/0/7"]
    assert found.groups == []


@pytest.mark.parametrize("agent", ["", " ", "x" * 600], ids=["none", "a blank one", "one without end"])
def test_a_transaction_of_an_agent_that_no_contract_allows_is_unreadable(agent: str) -> None:
    steps = [event(1, "IC.INTENT_DETECTED", agent=agent), event(2, "IC.TRANSACTION_EXPIRED", agent=agent)]
    found = evaluated([*story().values(), *steps])
    assert (found.total.transactions, found.counted.unreadable) == (1, 2)
    assert [report.run.agent_id for report in reports(found, "")] == ["*", "telecom_contas"]


def test_the_name_of_a_tool_is_cut_to_what_a_metric_may_be_called() -> None:
    steps = [event(1, "IC.INTENT_DETECTED", tool="x" * 600), event(2, "IC.TRANSACTION_EXPIRED")]
    assert [group.tool for group in evaluated(steps).groups] == [None, "x" * 256]
    assert len(reports(evaluated(steps), "")) == 2


def test_nothing_at_all_is_an_evaluation_too() -> None:
    found = evaluated([])
    assert (found.total.transactions, list(found.faults), list(found.groups)) == (0, [], [])
    assert [group.agent for group in evaluated([], agent="telecom_contas").groups] == ["telecom_contas"]


@pytest.mark.parametrize(
    ("seconds", "columns", "width_s"),
    [
        (1, 1, 1),
        (59.5, 60, 1),
        (600, 60, 10),
        (3_600, 60, 60),
        (86_400, 48, 1_800),
        (365 * 86_400, 53, 604_800),
        (9e9, 60, 1.5e8),
    ],
)
def test_time_is_cut_into_columns(seconds: float, columns: int, width_s: float) -> None:
    width, found = timeline(counted(story().values()).journeys, START, at(seconds))
    assert (len(found), width.total_seconds()) == (columns, width_s)
    assert sum(count.total() for _, count in found) == 1


@pytest.mark.parametrize(
    ("values", "share", "found"),
    [
        pytest.param([], 0.5, 0, id="of nothing"),
        pytest.param([7], 0.99, 7, id="of one"),
        pytest.param([100, 1], 0.5, 1, id="the median of two is the lower one"),
        pytest.param(range(1, 101), 0.5, 50, id="p50 of a hundred"),
        pytest.param(range(1, 101), 0.99, 99, id="p99 of a hundred is not the highest"),
        pytest.param(range(1, 21), 0.95, 19, id="p95 of twenty"),
        pytest.param(range(1, 12), 0.95, 11, id="p95 of eleven"),
    ],
)
def test_a_percentile_is_the_nearest_rank(values: Sequence[float], share: float, found: float) -> None:
    assert quantile(values, share) == found


def test_evaluating_twice_gives_the_same() -> None:
    found = counted(story().values())
    assert evaluate(found) == evaluate(found)
