"""Normalize: SUCCESS, PARTIAL_SUCCESS or FAILED from `results[]`, and the answer item by item."""

from pipeline.stages.normalize.result import normalize_result
from pipeline.stages.normalize.stage import Normalize

__all__ = ["Normalize", "normalize_result"]
