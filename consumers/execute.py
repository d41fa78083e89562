"""The `execute` group: confirmed commands in, what became of the call out."""

from consumers.configuration import Configuration
from pipeline.stages.execute import Execute


def build(configuration: Configuration) -> Execute:
    """Make the stage."""
    return Execute(configuration.installation, configuration.messages)
