"""The tools of one server as it lists them, with compiled output schemas.

Owns: walking every page of tools/list (the SDK itself lists page 1 only, and only after a call), input schemas for the
stages, output validation by jsonschema-rs (the SDK's own runs pure-Python jsonschema on the event loop: 61 ms for a
thousand items, and 52 % of the cost of a 20-item answer).
Invariants: schemas of a server are untrusted: no `$ref` leaves the document, patterns run in linear time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import jsonschema_rs
from mcp import Client, types

PAGE_CAP = 200
"""A paginator that never ends must not hang a connect."""


class ListingFailed(Exception):
    """The listing could not be read to its end. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class ListedTool:
    """One tool, as the server describes it."""

    name: str
    description: str | None
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    read_only_hint: bool | None
    """The server's own word, untrusted; None when it is silent."""
    idempotent_hint: bool | None
    destructive_hint: bool | None = None
    validator: jsonschema_rs.Validator | None = field(default=None, repr=False, compare=False)
    """None: no output schema, or one that cannot be compiled."""


def violation(tool: ListedTool | None, result: types.CallToolResult) -> str | None:
    """How the result breaks the tool's own output schema, in one sentence that names the place, not the value."""
    if tool is None or tool.validator is None or result.is_error:
        return None
    if "structured_content" not in result.model_fields_set:
        return "the tool has an output schema but sent no structured content"
    try:
        error = next(tool.validator.iter_errors(result.structured_content), None)
    except ValueError as unreadable:
        return f"the structured content cannot be checked: {type(unreadable).__name__}"
    if error is None:
        return None
    place = "/".join(str(part) for part in error.instance_path) or "the top"
    return f"the structured content breaks the tool's output schema at {place} ({error.kind.name})"


async def list_tools(client: Client) -> Mapping[str, ListedTool]:
    """Every tool of every page, by name. Raises: ListingFailed, and what the client raises."""
    tools: dict[str, ListedTool] = {}
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(PAGE_CAP):
        page = await client.list_tools(cursor=cursor)
        tools |= {tool.name: _listed(tool) for tool in page.tools}
        cursor = page.next_cursor
        if not cursor:
            return tools
        if cursor in seen:
            raise ListingFailed("the server repeats a page of its tool listing")
        seen.add(cursor)
    raise ListingFailed(f"the server's tool listing has more than {PAGE_CAP} pages")


def _listed(tool: types.Tool) -> ListedTool:
    hints = tool.annotations
    return ListedTool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        read_only_hint=hints.read_only_hint if hints else None,
        idempotent_hint=hints.idempotent_hint if hints else None,
        destructive_hint=hints.destructive_hint if hints else None,
        validator=compiled(tool.output_schema),
    )


def compiled(schema: Mapping[str, Any] | None) -> jsonschema_rs.Validator | None:
    """A validator of one schema; None: there is none, or it is no schema."""
    if schema is None:
        return None
    try:
        return jsonschema_rs.validator_for(dict(schema), offline=True, pattern_options=jsonschema_rs.RegexOptions())
    except (ValueError, jsonschema_rs.ReferencingError):
        return None  # an invalid schema is the server's mistake; the answer is then taken as it comes
