"""The AI gateway over HTTP: one client a process. Source: DESIGN 7 (Reconcile, Normalize), 9 (LLMRequest, LLMResponse)."""

from pipeline.llm.client import AiGateway

__all__ = ["AiGateway"]
