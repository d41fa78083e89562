"""The `normalize` group: results in, the fate of every item out."""

from pipeline.stages.normalize import Normalize

from consumers.configuration import Configuration


def build(configuration: Configuration) -> Normalize:
    """Make the stage."""
    return Normalize(configuration.installation, configuration.messages)
