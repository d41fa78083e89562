"""The `pre-validate` group: complete arguments in, canonical ones out."""

from consumers.configuration import Configuration
from pipeline.stages.pre_validate import PreValidate


def build(configuration: Configuration) -> PreValidate:
    """Make the stage."""
    return PreValidate(configuration.installation, configuration.messages)
