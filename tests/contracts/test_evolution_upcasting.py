"""Two majors read side by side: a made-up second major of an order, its upcasters, and a record that says which one it is."""

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from contracts.base import Contract, Name
from contracts.evolution.upcasting import NotLifted, Upcaster, lifted, read, version_said
from contracts.gateway_request import GatewayRequest
from pipeline.decision import Rejection
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.serde import NewerVersion, decode

REQUESTS = Path(__file__).parents[1] / "data" / "golden" / "gateway-request-v1"


class OrderLine(Contract):
    """One thing that is ordered."""

    article: Name
    """What."""
    count: int
    """How many."""


class Order(Contract):
    """In v1 a list of names; in v2 lines with a count; in v3 a customer of its own instead of a text."""

    VERSION: ClassVar[str] = "order-v3"

    lines: tuple[OrderLine, ...]
    """What is ordered."""
    customer: dict[str, Any]
    """Who orders: {name}."""


def to_v2(data: Mapping[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in data.items() if name != "articles"}
    return {**rest, "lines": [{"article": article, "count": 1} for article in data["articles"]]}


def to_v3(data: Mapping[str, Any]) -> dict[str, Any]:
    return {**data, "customer": {"name": data["customer"]}}


STEPS = (Upcaster("order-v1", "order-v2", to_v2), Upcaster("order-v2", "order-v3", to_v3))
V1 = {"articles": ["TIM Fashion", "Neymar Jr"], "customer": "Ana", "x_note": "kept"}
V2 = {"lines": [{"article": "TIM Fashion", "count": 2, "x_color": "red"}], "customer": "Ana", "x_note": "kept"}
V3 = {
    "lines": [{"article": "TIM Fashion", "count": 2, "x_color": "red"}],
    "customer": {"name": "Ana"},
    "x_note": "kept",
}
V1_LIFTED = {
    "lines": [{"article": "TIM Fashion", "count": 1}, {"article": "Neymar Jr", "count": 1}],
    "customer": {"name": "Ana"},
    "x_note": "kept",
}

CORPUS = (
    pytest.param("order-v1", V1, V1_LIFTED, id="the first major, through the second"),
    pytest.param("order-v1.4", V1, V1_LIFTED, id="a minor of the first major"),
    pytest.param("order-v2", V2, V3, id="the second major"),
    pytest.param("order-v3", V3, V3, id="this major"),
    pytest.param("order-v3.1", V3, V3, id="a minor of this major"),
    pytest.param(None, V3, V3, id="a record that says no version"),
    pytest.param("order-v4", V3, V3, id="a later major"),
    pytest.param("purchase-v1", V3, V3, id="another contract"),
    pytest.param("order-v01", V3, V3, id="no version string"),
)


@pytest.mark.parametrize(("said", "data", "expected"), CORPUS)
def test_a_record_of_an_older_major_is_lifted(said: str | None, data: dict[str, Any], expected: Any) -> None:
    before = copy.deepcopy(data)
    assert lifted(data, said, "order-v3", STEPS) == expected
    assert data == before, "an upcaster changes nothing it was given"


@pytest.mark.parametrize(("said", "data", "expected"), CORPUS)
def test_a_lifted_record_is_read_and_written_back_without_loss(said: str | None, data: Any, expected: Any) -> None:
    assert json.loads(read(data, said, Order, STEPS).model_dump_json()) == expected


def test_a_record_that_nothing_lifts_is_refused_with_the_missing_step() -> None:
    with pytest.raises(NotLifted, match="knows no way from v1 to v2"):
        lifted(V1, "order-v1", "order-v3", STEPS[1:])


# --- the recorded requests, read by a made-up second major -----------------------------------------------------------


class Customer(Contract):
    """Who speaks, in one place."""

    user_id: str | None = None
    """As the channel knows them."""
    business_context: dict[str, Any]
    """Business identity."""


class RequestV2(Contract):
    """A GatewayRequest without `payload`: what it held moved up, and the customer has an object of their own."""

    VERSION: ClassVar[str] = "gateway-request-v2"

    channel: Name
    """As in v1."""
    text: str
    """payload.message of v1."""
    session_id: Name
    """payload.session_id of v1."""
    message_id: Name
    """payload.message_id of v1."""
    customer: Customer
    """payload.user_id and payload.business_context of v1."""


def request_to_v2(data: Mapping[str, Any]) -> dict[str, Any]:
    payload = {**data["payload"], "text": data["payload"]["message"]}
    customer = {"user_id": payload.pop("user_id", None), "business_context": payload.pop("business_context", {})}
    del payload["message"]
    rest = {name: value for name, value in data.items() if name != "payload"}
    return {
        **rest,
        **payload,
        "customer": customer,
        "metadata": {**rest.get("metadata", {}), **payload.get("metadata", {})},
    }


@pytest.mark.parametrize("path", sorted(REQUESTS.glob("*.json")), ids=lambda path: str(path.stem))
def test_every_recorded_request_is_read_by_a_second_major(path: Path) -> None:
    data = json.loads(path.read_bytes())
    step = Upcaster("gateway-request-v1", "gateway-request-v2", request_to_v2)
    value = decode(record(data, None), RequestV2, "gateway.requests", internal=False, upcasts=(step,))
    assert isinstance(value, RequestV2)
    assert (value.channel, value.text, value.message_id) == (
        data["channel"],
        data["payload"]["message"],
        data["payload"]["message_id"],
    )
    assert value.customer.business_context == data["payload"].get("business_context", {})
    kept = json.loads(value.model_dump_json())
    moved = {"payload", "message", "user_id", "business_context", "metadata"}
    untouched = {name: said for name, said in {**data, **data["payload"]}.items() if name not in moved}
    assert {name: kept[name] for name in untouched} == untouched


# --- on a topic -------------------------------------------------------------------------------------------------------


def record(data: Any, version: str | None) -> RawRecord:
    headers = () if version is None else (("contract_version", version.encode()),)
    return RawRecord(
        topic="t", partition=0, offset=0, timestamp_ms=0, key=None, value=json.dumps(data).encode(), headers=headers
    )


@pytest.mark.parametrize(("said", "data", "expected"), [case for case in CORPUS if case.values[0] != "order-v4"])
def test_records_of_both_majors_are_read_from_one_topic(said: str | None, data: Any, expected: Any) -> None:
    value = decode(record(data, said), Order, "orders", internal=True, upcasts=STEPS)
    assert isinstance(value, Order)
    assert json.loads(value.model_dump_json()) == expected


def test_a_gateway_that_says_no_version_means_the_first() -> None:
    value = decode(record(V1, None), Order, "orders", internal=False, upcasts=STEPS)
    assert isinstance(value, Order)
    assert json.loads(value.model_dump_json()) == V1_LIFTED


def test_a_gateway_may_say_its_version_in_the_metadata_of_its_payload() -> None:
    said = {**V1, "payload": {"metadata": {"contract_version": "order-v1"}}}
    value = decode(record(said, None), Order, "orders", internal=True, upcasts=STEPS)
    assert isinstance(value, Order)
    assert value.lines[1].article == "Neymar Jr"


@pytest.mark.parametrize(
    ("headers", "data", "said"),
    [
        pytest.param({"contract_version": "order-v2", "ce_type": "order-v1"}, {}, "order-v2", id="its header"),
        pytest.param({"ce_type": "order-v1"}, {"contract_version": "order-v2"}, "order-v2", id="its own field"),
        pytest.param(
            {"ce_type": "order-v1"},
            {"payload": {"metadata": {"contract_version": "order-v2"}}},
            "order-v2",
            id="its payload",
        ),
        pytest.param({"ce_type": "order-v2"}, {"payload": "?"}, "order-v2", id="its CloudEvents type"),
        pytest.param({"ce_type": "com.example.order"}, {}, None, id="a type that is no version"),
        pytest.param({}, {"contract_version": 2, "payload": {"metadata": None}}, None, id="nothing readable"),
    ],
)
def test_a_record_says_its_version_by(headers: dict[str, str], data: dict[str, Any], said: str | None) -> None:
    assert version_said(headers, data) == said


@pytest.mark.parametrize("internal", [True, False])
def test_a_record_that_nothing_lifts_is_a_dead_letter(internal: bool) -> None:
    value = decode(record(V1, "order-v1"), Order, "orders", internal=internal, upcasts=())
    assert isinstance(value, Rejection)
    assert value.field == "contract_version"
    assert "knows no way from v1 to v2" in value.text


@pytest.mark.parametrize(
    "data",
    [{}, {"articles": 7, "customer": "Ana"}, {"articles": [None]}],
    ids=["a field is missing", "a number", "null"],
)
def test_a_record_that_broke_its_old_contract_is_a_dead_letter(data: Any) -> None:
    value = decode(record(data, "order-v1"), Order, "orders", internal=True, upcasts=STEPS)
    assert isinstance(value, Rejection)
    assert value.error == "ContractViolation"


def test_an_internal_record_of_a_later_major_still_stops_the_number() -> None:
    with pytest.raises(NewerVersion):
        decode(record(V3, "order-v4"), Order, "orders", internal=True, upcasts=STEPS)


def test_a_gateway_that_says_a_later_major_is_left_to_the_stage() -> None:
    """It refuses with an answer; a dead letter here would leave the customer waiting."""
    request = {"channel": "web", "payload": {"message": "oi", "session_id": "s", "message_id": "m"}}
    assert isinstance(
        decode(record(request, "gateway-request-v9"), GatewayRequest, "gateway.requests", internal=False),
        GatewayRequest,
    )
