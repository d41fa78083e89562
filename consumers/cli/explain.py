"""`explain`: how a sentence is understood, and by which rule, without Kafka or a tool."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from consumers.cli.options import CONFIG, AsJson, Config, configuration
from consumers.cli.terminal import WRONG, CommandError, errors_in_one_sentence, out

if TYPE_CHECKING:
    from consumers.configuration import Configuration
    from pipeline.policy import AgentSpec, Tool


def command(
    text: Annotated[str, typer.Argument(help="What the customer says.")],
    *,
    items: Annotated[
        str | None, typer.Option(metavar='"A,B"', help="Items of an open question: the text is read as a reply to it.")
    ] = None,
    asks: Annotated[
        str | None, typer.Option(metavar="TOOL.ARGUMENT", help="The text is read as the answer to the question for it.")
    ] = None,
    agent: Annotated[str | None, typer.Option(help="Default: the first of agents.yaml.")] = None,
    tool: Annotated[
        str | None, typer.Option(help="Tool of the open question. Default: the agent's first action.")
    ] = None,
    locale: Annotated[str | None, typer.Option(help="pt-BR, en or es. Default: the agent's.")] = None,
    as_json: AsJson = False,
    config: Config = CONFIG,
) -> None:
    """Show how the language rules read a sentence: which tool and values, or which verdict, each with the rule that decided.

    Nothing is sent anywhere. Exits 2 when the agent, tool or argument does not exist.
    """
    with errors_in_one_sentence():
        loaded = configuration(config)
        name, spec = _agent(loaded, agent)
        said_in = _locale(locale) or spec.locale
        if tool is not None and items is None:
            raise CommandError("--tool names the tool of an open question: say its items with --items.", code=WRONG)
        if items is not None:
            shown = [item.strip() for item in items.split(",") if item.strip()]
            rows = read_as_reply(text, shown, _tool(loaded, name, tool), said_in)
        elif asks is not None:
            rows = read_as_answer(loaded, text, name, asks, said_in)
        else:
            rows = read_as_request(loaded, text, name, said_in)
    if as_json:
        print(json.dumps({"text": text, **dict(rows)}, ensure_ascii=False, default=str))
        return
    table = Table(title=Text(f"“{text}”"), title_justify="left", box=box.SIMPLE_HEAD, show_header=False)
    for key, value in rows:
        table.add_row(
            key, Text(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str))
        )
    out.print(table, soft_wrap=False)


def _locale(said: str | None) -> str | None:
    """A locale whose language is known (es-MX is). Raises: CommandError: any other would be read as Portuguese."""
    from consumers.configuration import LOCALES

    if said is not None and said.split("-")[0].lower() not in {known.split("-")[0] for known in LOCALES}:
        raise CommandError(f"The language of {said!r} is not known: choose from {', '.join(LOCALES)}.", code=WRONG)
    return said


def _agent(loaded: "Configuration", name: str | None) -> "tuple[str, AgentSpec]":
    agents = loaded.installation.agents
    chosen = name or next(iter(agents), "")
    if chosen not in agents:
        raise CommandError(f"There is no agent {chosen!r}: {', '.join(agents)}.", code=WRONG)
    return chosen, agents[chosen]


def _tool(loaded: "Configuration", agent: str, name: str | None) -> "Tool":
    tools = {tool.name: tool for tool in loaded.installation.tools_of(agent)}
    actions = [tool for tool in tools.values() if tool.transactional]
    if name is None and actions:
        return actions[0]
    if name not in tools:
        raise CommandError(f"Agent {agent} has no tool {name!r}: {', '.join(tools)}.", code=WRONG)
    return tools[name]


Rows = Sequence[tuple[str, Any]]


def read_as_reply(text: str, items: list[str], tool: "Tool", locale: str) -> Rows:
    """The verdict on an open question about `items`."""
    from pipeline.stages.reconcile.replying import read_about

    reply = read_about(text, items, tool, operation=tool.operation(locale), locale=locale)
    return [
        ("read as", f"reply to the question of {tool.name} about {', '.join(items)}"),
        ("verdict", reply.verdict.value),
        ("rule", reply.rule),
        *([("items afterwards", list(reply.items))] if reply.items else []),
        *([("another request", reply.rest)] if reply.rest else []),
        *([("question about the proposal", "yes")] if reply.question else []),
    ]


def read_as_answer(loaded: "Configuration", text: str, agent: str, asks: str, locale: str) -> Rows:
    """The answer to the question for one argument. Raises: CommandError."""
    from pipeline.language.collecting import read_answer
    from pipeline.policy import localized

    name, _, argument = asks.partition(".")
    tool = _tool(loaded, agent, name)
    spec = tool.spec.args_schema.get(argument)
    if spec is None:
        raise CommandError(f"{name} has no argument {argument!r}: {', '.join(tool.spec.args_schema)}.", code=WRONG)
    question = localized(spec.user_prompt, locale) or ""
    answer = read_answer(
        text,
        parameter={"name": argument, **spec.schema_for(locale)},
        operation=tool.operation(locale),
        question=question,
        locale=locale,
        now=datetime.now(UTC),
        timezone=loaded.installation.timezone,
    )
    return [
        ("read as", f"answer to “{question or argument}”"),
        ("verdict", answer.verdict.value),
        ("rule", answer.rule),
        *([("value", answer.value)] if answer.value is not None else []),
        *([("error", answer.error)] if answer.error else []),
        *([("another request", answer.rest)] if answer.rest else []),
    ]


def read_as_request(loaded: "Configuration", text: str, agent: str, locale: str) -> Rows:
    """The tool a first message asks for, and the values it already says."""
    from consumers.meaning import load_nearest
    from pipeline.language.routing import RoutingTool, route
    from pipeline.policy import localized

    tools = {tool.name: tool for tool in loaded.installation.tools_of(agent)}
    known = [
        RoutingTool(
            name=tool.name,
            description=localized(tool.spec.description, locale) or "",
            keywords=tool.hints.keywords,
            examples=tool.hints.examples,
        )
        for tool in tools.values()
    ]
    nearest = load_nearest() if loaded.settings.meaning else None
    found = route(text, known, nearest=nearest, locale=locale)
    rows: list[tuple[str, Any]] = [
        ("read as", f"first message to {agent}"),
        ("tool", found.tool or "none: the customer is told what can be done here"),
        ("rule", found.rule),
        ("score", "" if found.score is None else f"{found.score:.3f}"),
    ]
    names = found.tools or ((found.tool,) if found.tool else ())
    for name, part in zip(names, found.parts or (text,) * len(names), strict=False):
        rows += _values(loaded, tools[name], part, locale) if name in tools else []
    return rows


def _values(loaded: "Configuration", tool: "Tool", text: str, locale: str) -> Rows:
    from pipeline.language.extract import extract

    schemas = {name: tool.spec.args_schema[name].schema_for(locale) for name in tool.collected}
    required = tuple(name for name in tool.requires if name in schemas)
    found = extract(
        text,
        schemas,
        required=required,
        locale=locale,
        now=datetime.now(UTC),
        timezone=loaded.installation.timezone,
        operation=tool.operation(locale),
    )
    rows: list[tuple[str, Any]] = [(f"{tool.name} from", text)]
    for name, value in found.values.items():
        rows += [(f"  {name}", value), (f"  {name} by", found.rules.get(name, ""))]
    rows += [(f"  {name} unreadable", error) for name, error in found.errors.items()]
    missing = [name for name in required if name not in found.values]
    if missing:
        rows.append(("  asked for next", missing[0]))
    return rows
