"""Pre-validate: asks the validator tool; replaces arguments by canonical ones. Confirms nothing, has no side effects."""

from pipeline.stages.pre_validate.stage import PreValidate

__all__ = ["PreValidate"]
