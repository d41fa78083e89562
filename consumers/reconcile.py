"""The `reconcile` group: gateway messages and statuses in, commands out."""

from consumers.configuration import Configuration
from consumers.meaning import load_nearest
from pipeline.stages.reconcile import Reconcile


def build(configuration: Configuration) -> Reconcile:
    """Make the stage."""
    nearest = load_nearest() if configuration.settings.meaning else None
    return Reconcile(configuration.installation, configuration.messages, nearest=nearest)
