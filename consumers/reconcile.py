"""The `reconcile` group: gateway messages and statuses in, commands out."""

from consumers.configuration import Configuration
from consumers.meaning import load_nearest
from pipeline.language.routing import Nearest
from pipeline.stages.reconcile import Reconcile, tools_to_route


def build(configuration: Configuration) -> Reconcile:
    """Make the stage."""
    nearest = load_nearest() if configuration.settings.meaning else None
    if nearest is not None:
        _warm(nearest, configuration)
    return Reconcile(configuration.installation, configuration.messages, nearest=nearest)


def _warm(nearest: Nearest, configuration: Configuration) -> None:
    """Compute the vectors of all tools now: the first message would block the event loop for two seconds."""
    for agent_id, agent in configuration.installation.agents.items():
        nearest("", tools_to_route(configuration.installation, agent_id, agent.locale))
