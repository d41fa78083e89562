"""The `normalize` group: results in, the fate of every item out."""

from consumers.configuration import Configuration
from pipeline.stages.normalize import Normalize


def build(configuration: Configuration) -> Normalize:
    """Make the stage."""
    return Normalize(configuration.installation, configuration.messages)
