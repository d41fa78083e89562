"""LLMResponse: the answer of the AI gateway. Source: SPEC-012 section 11."""

from typing import ClassVar

from contracts.base import Contract, Name


class LLMUsage(Contract):
    """Tokens spent."""

    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0


class LLMResponse(Contract):
    """Canonical answer of the AI gateway: evidence to be checked, never authority."""

    VERSION: ClassVar[str] = "llm-response-v1"

    provider: Name
    model: Name
    profile: Name
    content: str
    usage: LLMUsage = LLMUsage()
    latency_ms: int = 0
