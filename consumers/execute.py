"""The `execute` group: confirmed commands in, what became of the call out."""

from pipeline.stages.execute import Execute

from consumers.configuration import Configuration


def build(configuration: Configuration) -> Execute:
    """Make the stage."""
    return Execute(configuration.installation, configuration.messages)
