"""The `confirm` group: proposals and verdicts in, confirmed commands out."""

from pipeline.stages.confirm import Confirm

from consumers.configuration import Configuration


def build(configuration: Configuration) -> Confirm:
    """Make the stage."""
    return Confirm(configuration.installation, configuration.messages)
