"""LLMResponse: the answer of the AI gateway. Source: SPEC-012 section 11."""

from typing import ClassVar

from contracts.base import Contract, Name


class LLMUsage(Contract):
    """Tokens spent."""

    input_tokens: int = 0
    """Tokens of the messages."""
    output_tokens: int = 0
    """Tokens of the answer."""
    total_tokens: int = 0
    """Both together."""


class LLMResponse(Contract):
    """The language model's answer: evidence to be checked, never authority."""

    VERSION: ClassVar[str] = "llm-response-v1"

    provider: Name
    """Who ran the model, such as `oci_openai`."""
    model: Name
    """The model that answered."""
    profile: Name
    """The profile that was asked for."""
    content: str
    """The answer."""
    usage: LLMUsage = LLMUsage()
    """Tokens spent on this call."""
    latency_ms: int = 0
    """From request to answer, milliseconds."""
