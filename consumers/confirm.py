"""The `confirm` group: proposals and verdicts in, confirmed commands out."""

from consumers.configuration import Configuration
from pipeline.stages.confirm import Confirm


def build(configuration: Configuration) -> Confirm:
    """Make the stage."""
    return Confirm(configuration.installation, configuration.messages)
