"""Which tool a message asks for.

Owns: the order gateway's tool if allowed > router > AI gateway; what the router sees of the tools of an agent.
Invariants: a tool is denied unless the agent lists it and customers may ask for it. Source: DESIGN 7 (Ingress, Reconcile).
"""

from dataclasses import dataclass

from pipeline.language.routing import MULTIPLE, RoutingTool, route
from pipeline.policy import Installation, Tool, localized
from pipeline.stages.reconcile.advice import Advice
from pipeline.stages.reconcile.episode import Episode, Message

ADVISED = "the AI gateway named it"
"""Rule of a tool or an argument that a model named and the customer's words bear out."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: a message, or a part of one that had to wait."""

    message: Message
    ordinal: int = 0
    """Its place among the requests of the message: part of the transaction id."""
    tool: str | None = None
    """Where the router already said it."""
    waited: bool = False
    """Whether it was said while another request was being worked on."""
    advice: Advice | None = None
    """What the AI gateway made of it; None: it has not been asked."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The tool for a text, and by which rule."""

    tool: Tool | None
    rule: str
    text: str
    others: tuple[tuple[str, str], ...] = ()
    """(tool, text) of further requests in the same message."""
    score: float | None = None
    advised: bool = False
    """Whether the AI gateway named the tool."""


def admitted(episode: Episode, message: Message) -> Message:
    """The message without a tool that the agent may not call for a customer."""
    episode.about(message)
    if message.tool_name is None or episode.tool(message.tool_name) is not None:
        return message
    episode.event("GRL.TOOL_DENIED", tool=message.tool_name)
    return message.model_copy(update={"tool_name": None, "arguments": {}})


def choose(episode: Episode, request: Request) -> Choice:
    """The tool that is known already, else the gateway's, else the router's, else the AI gateway's."""
    text = request.message.text
    for name, rule in ((request.tool, "kept from before"), (request.message.tool_name, "the gateway named the tool")):
        tool = episode.tool(name) if name is not None else None
        if tool is not None:
            return Choice(tool, rule, text)
    choice = routed(episode, text)
    if choice.tool is None and request.advice is not None and request.advice.tool is not None:
        return Choice(episode.tool(request.advice.tool), ADVISED, text, advised=True)
    return choice


def routed(episode: Episode, text: str) -> Choice:
    """What the router makes of a text."""
    found = route(text, routing_tools(episode), nearest=episode.world.nearest, locale=episode.locale)
    if found.tool is None:
        return Choice(None, found.rule, text)
    if found.tool != MULTIPLE:
        return Choice(episode.tool(found.tool), found.rule, text, score=found.score)
    (first, first_text), *others = zip(found.tools, found.parts, strict=True)
    return Choice(episode.tool(first), found.rule, first_text, tuple(others), found.score)


def routing_tools(episode: Episode) -> tuple[RoutingTool, ...]:
    """The tools of this agent, as the router sees them."""
    return tools_to_route(episode.world.installation, episode.session.agent_id, episode.locale)


def tools_to_route(installation: Installation, agent_id: str, locale: str) -> tuple[RoutingTool, ...]:
    """The tools a customer of an agent may ask for; also what a process warms its sentence encoder with."""
    return tuple(
        RoutingTool(
            name=tool.name,
            description=localized(tool.spec.description, locale) or "",
            keywords=tool.hints.keywords,
            examples=tool.hints.examples,
        )
        for tool in installation.tools_of(agent_id)
    )
