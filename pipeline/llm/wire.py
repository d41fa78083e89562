"""LLMRequest and LLMResponse as an OpenAI-compatible endpoint has them.

Owns: the body and the headers of POST /chat/completions, and the reading of what comes back.
Invariants: total on any bytes; an answer that was cut off is no answer. Never: repeats an answer in an error: it may quote a customer.
"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from pydantic import ValidationError

from contracts.llm_request import LLMRequest
from contracts.llm_response import LLMResponse, LLMUsage
from pipeline.settings import LlmSettings

JSON_OBJECT = "json_object"


class Unreadable(Exception):
    """An answer of status 200 that holds none; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def body_of(request: LLMRequest, settings: LlmSettings) -> dict[str, Any]:
    """What is posted. Raises: KeyError for a profile without a model."""
    models: Mapping[str, str] = {str(profile): model for profile, model in settings.models.items()}
    body: dict[str, Any] = {
        "model": models[request.profile],
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        "temperature": 0,
        "max_tokens": settings.output_tokens_max,
    }
    if settings.json_mode and request.metadata.get("response_format") == JSON_OBJECT:
        body["response_format"] = {"type": JSON_OBJECT}
    return body


def headers_of(
    request: LLMRequest, idempotency_key: str, api_key: str | None, traceparent: str | None
) -> dict[str, str]:
    """Who asks and what for: the gateway accounts by them. Compression is refused: its size can't be bounded."""
    headers = {
        "accept": "application/json",
        "accept-encoding": "identity",
        "x-request-id": idempotency_key,
        "x-tenant-id": quote(request.tenant_id, safe=""),
        "x-agent-id": quote(request.agent_id, safe=""),
        "x-profile": quote(request.profile, safe=""),
        "x-operation": quote(request.operation, safe=""),
    }
    if api_key:
        headers["authorization"] = f"Bearer {api_key}"
    if traceparent:
        headers["traceparent"] = traceparent
    return headers


def response_of(content: bytes, request: LLMRequest, *, provider: str, latency_ms: int) -> LLMResponse:
    """Read an answer of status 200. Raises: Unreadable."""
    try:
        data = json.loads(content)
        choice = data["choices"][0]
        text = choice["message"]["content"]
        model = data.get("model")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        raise Unreadable("malformed") from None
    if isinstance(choice, dict) and choice.get("finish_reason") == "length":
        raise Unreadable("truncated")
    if not isinstance(text, str):
        raise Unreadable("malformed")
    try:
        return LLMResponse(
            provider=provider,
            model=model if isinstance(model, str) and model.strip() else request.profile,
            profile=request.profile,
            content=text,
            usage=_usage(data.get("usage")),
            latency_ms=latency_ms,
        )
    except ValidationError:
        raise Unreadable("malformed") from None


def _usage(said: Any) -> LLMUsage:
    def count(name: str) -> int:
        value = said.get(name) if isinstance(said, dict) else None
        return value if isinstance(value, int) and not isinstance(value, bool) else 0

    return LLMUsage(
        input_tokens=count("prompt_tokens"),
        output_tokens=count("completion_tokens"),
        total_tokens=count("total_tokens"),
    )
