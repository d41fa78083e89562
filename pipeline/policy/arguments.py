"""Which arguments reach a tool, and what counts as given.

Invariants: a tool gets fields of its own schema and mapping only; a business context never reaches it raw; reserved arguments are
never taken from a caller.
"""

from collections.abc import Mapping
from typing import Any

from pipeline.policy.tool import RESERVED_ARGUMENTS, Tool


def is_filled(value: Any) -> bool:
    """Whether a value counts as given: 0 and false do; blanks, also inside a list, do not."""
    if value is None:
        return False
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, (list, tuple)):
        return bool(value) and all(is_filled(element) for element in value)
    if isinstance(value, Mapping):
        return bool(value) and any(is_filled(element) for element in value.values())
    return True


def mapped_arguments(tool: Tool, business_context: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments that the mapping fills from the business context; tools never see it raw."""
    return {
        argument: business_context[key]
        for key, argument in tool.mapping.items()
        if is_filled(business_context.get(key)) and argument not in RESERVED_ARGUMENTS
    }


def arguments_for(
    tool: Tool, arguments: Mapping[str, Any], business_context: Mapping[str, Any], **reserved: Any
) -> dict[str, Any]:
    """All that is sent: explicit > mapped > default, only fields of the tool's schema; reserved ones where it declares them."""
    declared = {*tool.spec.args_schema, *tool.mapping.values()}
    defaults = {
        name: spec.model_extra["default"]
        for name, spec in tool.spec.args_schema.items()
        if spec.model_extra and "default" in spec.model_extra
    }
    explicit = {
        name: value
        for name, value in arguments.items()
        if name in declared and name not in RESERVED_ARGUMENTS and is_filled(value)
    }
    own = {name: value for name, value in reserved.items() if name in tool.spec.args_schema and value is not None}
    return {**defaults, **mapped_arguments(tool, business_context), **explicit, **own}
