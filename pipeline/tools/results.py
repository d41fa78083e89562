"""From MCP's CallToolResult to (outcome, payload): is_error first, then structured content, then text.

Never: looks into the payload. What `{ok, result}` or `results[]` mean is a stage's work.
"""

import json
import re
from typing import Any

from mcp import types

from pipeline.tools.answers import Outcome
from pipeline.tools.catalog import ListedTool, violation
from pipeline.tools.errors import Verdict

_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def payload_of(result: types.CallToolResult) -> Any:
    """structured_content; else the text as a JSON object or array; else {"text": …}."""
    if "structured_content" in result.model_fields_set and result.structured_content is not None:
        return result.structured_content
    texts = [block.text for block in result.content if isinstance(block, types.TextContent)]
    text = "\n".join(texts)
    try:
        parsed = json.loads(text, parse_constant=_refuse)
        if _ESCAPED_SURROGATE.search(text):
            parsed = _whole(parsed)
    except (ValueError, RecursionError):
        parsed = None
    # A bare number or word is text that happens to be JSON; only a structure is an answer in JSON.
    return parsed if isinstance(parsed, dict | list) else {"text": text}


def verdict_of(
    result: types.CallToolResult | types.InputRequiredResult, tool: ListedTool | None, *, max_bytes: int | None
) -> Verdict | None:
    """What is wrong with a result that came; None: it is a good answer.

    `max_bytes` bounds the payload where the transport could not (stdio); None: already bounded.
    """
    if isinstance(result, types.InputRequiredResult):
        text = "the tool asks for further input, which this client does not give"
        return Verdict(Outcome.TOOL_ERROR, "input_required", text, answered=True)
    payload = payload_of(result)
    if max_bytes is not None and len(json.dumps(payload, ensure_ascii=False).encode(errors="replace")) > max_bytes:
        return Verdict(Outcome.UNKNOWN, "too_large", "the answer is larger than max_answer_bytes", answered=True)
    if result.is_error:
        return Verdict(Outcome.TOOL_ERROR, "is_error", "the tool reported an error", payload, answered=True)
    broken = violation(tool, result)
    if broken is not None:
        text = f"{broken}; the call may have been executed"
        return Verdict(Outcome.UNKNOWN, "schema_violation", text, answered=True)
    return None


def _whole(value: Any) -> Any:
    """The value with U+FFFD for halves of characters: a JavaScript server that cuts a text in an emoji sends them; nobody can write them."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {_whole(key): _whole(inner) for key, inner in value.items()}
        case list():
            return [_whole(inner) for inner in value]
        case _:
            return value


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")
