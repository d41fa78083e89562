"""`contracts`: what is said on the topics, for people and for programs."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from consumers.cli.options import AsJson
from consumers.cli.terminal import WRONG, CommandError, errors_in_one_sentence, out
from consumers.evolution.commands import check, release
from consumers.schemas.commands import asyncapi, export

if TYPE_CHECKING:
    from contracts.base import Contract

app = typer.Typer(
    name="contracts",
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The contracts of SPEC-012 and those between the stages: versions, fields, schemas, examples.",
    epilog="Example: python -m consumers contracts show gateway-request",
)

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Such as GatewayRequest, gateway-request or gateway-request-v1.")
]


@app.command("list", epilog="Example: python -m consumers contracts list --json")
def list_(as_json: AsJson = False) -> None:
    """Show every contract: version, where it travels, the module that defines it."""
    from consumers.schemas.known_contracts import ALL, SPEC_012, places_of

    table = Table(box=box.SIMPLE_HEAD)
    for column in ("contract", "version", "where", "module", "defined by"):
        table.add_column(column, overflow="fold")
    for contract in ALL:
        source = "SPEC-012" if contract in SPEC_012 else "this project"
        row = (contract.__name__, contract.VERSION, places_of(contract), contract.__module__, source)
        if as_json:
            names = ("contract", "version", "where", "module", "defined_by")
            print(json.dumps(dict(zip(names, row, strict=True))))
        else:
            table.add_row(*row)
    if not as_json:
        out.print(table, soft_wrap=False)


@app.command(epilog="Example: python -m consumers contracts show ChannelResponse")
def show(name: Name) -> None:
    """Show a contract's fields, required ones marked, and its first example. Exits 2 when there is no such contract."""
    from consumers.schemas.known_contracts import examples_of, places_of, schema_of

    with errors_in_one_sentence():
        contract = _contract(name)
    schema = schema_of(contract)
    out.print(f"{contract.__name__} ({contract.VERSION}), {places_of(contract)}", style="bold", markup=False)
    out.print(str(schema.get("description", "")), markup=False)
    definitions = schema.get("$defs", {})
    out.print(_fields(contract.__name__, schema), soft_wrap=False)
    for title, part in definitions.items():
        if "properties" in part:
            out.print(_fields(title, part), soft_wrap=False)
        else:
            out.print(f"{title}: {', '.join(map(str, part.get('enum', ())))}", markup=False)
    for example in list(examples_of(contract))[:1]:
        out.print(f"\nExample ({example.path.name}):", markup=False)
        out.print_json(json.dumps(example.data, ensure_ascii=False))


@app.command(epilog="Example: python -m consumers contracts schema gateway-request > gateway-request.schema.json")
def schema(name: Name) -> None:
    """Print a contract's JSON Schema (2020-12); its descriptions are the docstrings of the model."""
    from consumers.schemas.known_contracts import schema_of

    with errors_in_one_sentence():
        contract = _contract(name)
    print(json.dumps(schema_of(contract), indent=2, ensure_ascii=False))


app.command(epilog="Example: python -m consumers contracts export --check")(export)
app.command(epilog="Example: python -m consumers contracts asyncapi > asyncapi.json")(asyncapi)
app.command(epilog="Example: python -m consumers contracts check old-schemas/ new-schemas/")(check)
app.command(epilog="Example: python -m consumers contracts release --note 'locale of a response'")(release)


def _contract(name: str) -> "type[Contract]":
    from consumers.schemas.known_contracts import ALL, find

    found = find(name)
    if found is None:
        known = ", ".join(contract.__name__ for contract in ALL)
        raise CommandError(f"There is no contract {name!r}: {known}.", code=WRONG)
    return found


def _fields(title: str, schema: Mapping[str, Any]) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for column in ("field", "type", "meaning"):
        table.add_column(column, overflow="fold")
    required = set(schema.get("required", ()))
    for name, field in schema.get("properties", {}).items():
        mark = Text(f"{name} *" if name in required else name, style="bold" if name in required else "")
        table.add_row(mark, type_of(field), Text(str(field.get("description", ""))))
    return table


def type_of(field: Mapping[str, Any]) -> str:
    """A field's type in a word or two."""
    if "$ref" in field:
        return str(field["$ref"]).rsplit("/", 1)[-1]
    options: Sequence[Mapping[str, Any]] = field.get("anyOf") or field.get("oneOf") or ()
    if options:
        return " or ".join(dict.fromkeys(type_of(option) for option in options))
    if "const" in field:
        return repr(field["const"])
    kind = str(field.get("type", "any"))
    if kind == "array":
        return f"array of {type_of(field.get('items', {}))}"
    return str(field.get("format", kind))
