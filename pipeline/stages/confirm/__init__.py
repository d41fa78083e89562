"""Confirm: freezes one proposal, asks one question for the whole set, applies one verdict to exactly what was shown."""

from pipeline.stages.confirm.stage import Confirm

__all__ = ["Confirm"]
