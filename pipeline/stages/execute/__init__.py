"""Execute: calls the tool once with the collection, and knows what became of the call."""

from pipeline.stages.execute.stage import Execute

__all__ = ["Execute"]
