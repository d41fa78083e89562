"""What may have become of a call: the whole table, without a wire."""

from typing import Any

import pydantic
import pytest
from mcp import MCPError

from pipeline.tools.answers import Outcome
from pipeline.tools.errors import failed, timed_out
from pipeline.tools.exchange import Exchange, Unsent

OK, TOOL_ERROR, NOT_SENT, UNKNOWN = Outcome
JSON = "application/json"


def rpc(code: int, message: str = "said by the server", data: Any = None) -> MCPError:
    return MCPError(code, message, data)


def sent(status: int | None = None, content_type: str = JSON, **facts: Any) -> Exchange:
    return Exchange(sending=True, status=status, content_type=content_type if status else "", **facts)


def not_valid() -> pydantic.ValidationError:
    try:
        pydantic.TypeAdapter(int).validate_python("x")
    except pydantic.ValidationError as error:
        return error
    raise AssertionError


@pytest.mark.parametrize(
    ("error", "exchange", "outcome", "code"),
    [
        pytest.param(
            rpc(-32000), Exchange(unsent=True, failure="ConnectError"), NOT_SENT, "connect_failed", id="nobody listens"
        ),
        pytest.param(
            rpc(-32000),
            Exchange(unsent=True, failure="PoolTimeout"),
            NOT_SENT,
            "connect_failed",
            id="no connection was free",
        ),
        pytest.param(rpc(-32000), sent(failure="ReadError"), UNKNOWN, "connection_lost", id="reset after sending"),
        pytest.param(
            rpc(-32000), sent(failure="RemoteProtocolError"), UNKNOWN, "connection_lost", id="closed without an answer"
        ),
        pytest.param(rpc(-32000), sent(200, too_large=True), UNKNOWN, "too_large", id="too large"),
        pytest.param(
            rpc(-32000, "Connection closed"), sent(), UNKNOWN, "connection_lost", id="session died while it ran"
        ),
        pytest.param(
            rpc(-32000, "Connection closed"), Exchange(), NOT_SENT, "connection_lost", id="session was dead before"
        ),
        pytest.param(rpc(-32603), sent(503), UNKNOWN, "http_503", id="503 that nobody declared"),
        pytest.param(rpc(-32603), sent(429), UNKNOWN, "http_429", id="429 that nobody declared"),
        pytest.param(rpc(-32603), sent(500), UNKNOWN, "http_500", id="500"),
        pytest.param(rpc(-32602), sent(500), UNKNOWN, "http_500", id="500 with a JSON-RPC refusal inside"),
        pytest.param(rpc(-32603), sent(502), UNKNOWN, "http_502", id="502"),
        pytest.param(rpc(-32603), sent(408), UNKNOWN, "http_408", id="408"),
        pytest.param(rpc(-32603), sent(401), TOOL_ERROR, "unauthorized", id="401"),
        pytest.param(rpc(-32603), sent(403), TOOL_ERROR, "forbidden", id="403"),
        pytest.param(rpc(-32603), sent(413), TOOL_ERROR, "http_413", id="413"),
        pytest.param(rpc(-32602), sent(400), TOOL_ERROR, "invalid_params", id="400 with a JSON-RPC refusal inside"),
        pytest.param(rpc(-32601), sent(404), TOOL_ERROR, "method_not_found", id="404 of a stateless server"),
        pytest.param(rpc(-32020), sent(400), NOT_SENT, "header_mismatch", id="headers refused before execution"),
        pytest.param(rpc(-32600), sent(202), UNKNOWN, "unreadable", id="202 Accepted and no answer"),
        pytest.param(rpc(-32600), sent(303), UNKNOWN, "unreadable", id="redirect that is not followed"),
        pytest.param(rpc(-32600), sent(200, "text/html"), UNKNOWN, "unreadable", id="an HTML page"),
        pytest.param(rpc(-32700), sent(200), UNKNOWN, "unreadable", id="not JSON"),
        pytest.param(not_valid(), sent(200), UNKNOWN, "unreadable", id="a result of the wrong shape"),
        pytest.param(rpc(-32602), sent(200), TOOL_ERROR, "invalid_params", id="invalid params"),
        pytest.param(rpc(-32601), sent(200), TOOL_ERROR, "method_not_found", id="method not found"),
        pytest.param(rpc(-32600), sent(200), TOOL_ERROR, "invalid_request", id="invalid request"),
        pytest.param(rpc(1234), sent(200), TOOL_ERROR, "rpc_1234", id="a code of the server's own"),
        pytest.param(rpc(-32603), sent(200), UNKNOWN, "internal_error", id="internal error"),
        pytest.param(rpc(-32001), sent(200), UNKNOWN, "timeout", id="the server gave up"),
        pytest.param(rpc(-32602), sent(), TOOL_ERROR, "invalid_params", id="invalid params over stdio"),
        pytest.param(not_valid(), Exchange(), NOT_SENT, "unsendable", id="arguments that are no JSON"),
        pytest.param(Unsent(), Exchange(unsent=True), NOT_SENT, "connect_failed", id="the gate was shut"),
        pytest.param(OSError(), sent(), UNKNOWN, "connection_lost", id="anything else after sending"),
        pytest.param(OSError(), Exchange(), NOT_SENT, "connection_lost", id="anything else before sending"),
    ],
)
def test_failed_call_comes_to(error: BaseException, exchange: Exchange, outcome: Outcome, code: str) -> None:
    verdict = failed(error, exchange, refusal_statuses=frozenset(), legacy=False)
    assert (verdict.outcome, verdict.code) == (outcome, code)


@pytest.mark.parametrize("status", [429, 503])
def test_declared_refusal_is_not_sent_with_the_wait_it_asks_for(status: int) -> None:
    verdict = failed(rpc(-32603), sent(status, retry_after_s=7.0), refusal_statuses={429, 503}, legacy=False)
    assert (verdict.outcome, verdict.code, verdict.retry_after_s) == (NOT_SENT, f"http_{status}", 7.0)


def test_only_the_declared_status_is_a_refusal() -> None:
    assert failed(rpc(-32603), sent(503), refusal_statuses={429}, legacy=False).outcome is UNKNOWN


def test_session_a_legacy_server_no_longer_knows_was_not_executed_and_is_lost() -> None:
    verdict = failed(rpc(-32600, "Session not found"), sent(404), refusal_statuses=frozenset(), legacy=True)
    assert (verdict.outcome, verdict.code, verdict.session_lost) == (NOT_SENT, "session_lost", True)


def test_answer_cannot_claim_that_its_call_was_not_sent() -> None:
    claim = rpc(-32000, "x", {"not_sent": True, "exc": "ConnectError"})
    assert failed(claim, sent(200), refusal_statuses=frozenset(), legacy=False).outcome is UNKNOWN


def test_error_sentence_never_quotes_the_server() -> None:
    verdict = failed(rpc(-32602, "customer 123 unknown"), sent(200), refusal_statuses=frozenset(), legacy=False)
    assert "123" not in verdict.error
    assert verdict.payload == {"error": {"code": -32602, "message": "customer 123 unknown"}}


def test_call_timed_out_before_its_first_byte_is_not_sent_and_can_never_be() -> None:
    exchange = Exchange()
    assert timed_out(exchange, 1.0).outcome is NOT_SENT
    with pytest.raises(Unsent):
        exchange.start_sending()


def test_call_timed_out_after_its_first_byte_is_unknown() -> None:
    exchange = Exchange()
    exchange.start_sending()
    assert timed_out(exchange, 1.0).outcome is UNKNOWN
