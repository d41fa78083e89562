"""Checks of what the server lists: schema, configuration, annotations. Pure: no call is made for them."""

from collections.abc import Iterable, Mapping

from consumers.certify.findings import Fault, Finding, failed, judged, passed, skipped
from consumers.certify.observation import Observation, names
from consumers.certify.scenarios import ToolScenarios
from consumers.certify.subject import kinds_of, properties_of, required_of
from pipeline.decision import CallOutcome
from pipeline.policy import RESERVED_ARGUMENTS, Recovery, Tool
from pipeline.tools.catalog import ListedTool


def takes_collection(tool: Tool, listed: ListedTool, scenarios: ToolScenarios) -> Finding:
    """The argument that holds the items is an array in the tool's own schema."""
    check = "takes_collection"
    if scenarios.single_item:
        return skipped(check, scenarios.single_item)
    argument = tool.items_argument
    declared = properties_of(listed)
    if argument is None:
        arrays = names(list(declared)) or "none"
        return failed(
            check,
            Fault(
                f"no argument takes a collection (arguments: {arrays})",
                "take the items as one array and process each inside the tool, or say in the scenarios why it takes one "
                "thing a call (single_item)",
            ),
        )
    if argument not in declared:
        return failed(
            check,
            Fault(
                f"the server's schema has no argument {argument!r} (it has {names(list(declared), most=8) or 'none'})",
                f"declare {argument} as an array in the tool's signature, or correct args_schema in tools.yaml",
            ),
        )
    kinds = kinds_of(declared[argument], listed.input_schema)
    if "array" in kinds:
        return passed(check, f"{argument} is an array")
    if not kinds:
        return failed(
            check,
            Fault(
                f"the schema does not say of which type {argument} is",
                f'declare {argument} as {{"type": "array"}} with the schema of one item under `items`',
            ),
        )
    if kinds == {"string"}:
        return failed(
            check,
            Fault(
                f"{argument} is one string: several items would arrive joined by commas, and a name may hold a comma",
                f"declare {argument} as an array of strings (list[str]); or say by single_item that the pipeline is to treat all of it as one item",
            ),
        )
    return failed(
        check, Fault(f"{argument} is {' or '.join(sorted(kinds))}", f"declare {argument} as an array of items")
    )


def fits_configuration(tool: Tool, listed: ListedTool, *, configured: bool, given: Iterable[str]) -> Finding:
    """The server knows every argument that is sent, and every argument that it requires is sent."""
    check = "fits_configuration"
    if not configured:
        return skipped(check, "the tool is not in tools.yaml of this configuration")
    sent = {*tool.spec.args_schema, *tool.mapping.values()}
    known = properties_of(listed)
    others = listed.input_schema.get("additionalProperties")
    takes_any = others is True or isinstance(others, Mapping)
    unknown = [] if takes_any else sorted(sent - set(known))
    missing = [name for name in required_of(listed) if name not in sent]
    never = sorted(name for name in given if name not in sent and name not in RESERVED_ARGUMENTS)
    if missing:
        return failed(
            check,
            Fault(
                f"the server requires {names(missing)}, which the pipeline never sends",
                "declare it in args_schema of tools.yaml or map a business key to it in mcp_parameter_mapping.yaml, or make it "
                "optional in the tool",
            ),
        )
    if unknown:
        return failed(
            check,
            Fault(
                f"tools.yaml declares {names(unknown)}, which the server's schema does not have: it would be ignored",
                "add it to the tool's signature, or remove it from args_schema",
            ),
        )
    keys = [name for name in _KEYS if name in known and name not in tool.spec.args_schema] if tool.transactional else []
    if keys:
        return failed(
            check,
            Fault(
                f"the server takes {names(keys)}, which tools.yaml does not declare: it is never sent as an argument",
                f"declare {names(keys)} in args_schema of tools.yaml (the pipeline fills it), or read the keys from `_meta`",
            ),
        )
    if never:
        return failed(
            check,
            Fault(
                f"the scenarios give {names(never)}, which the pipeline would never send",
                "declare it in args_schema of tools.yaml, or take it out of the scenarios",
            ),
        )
    wrong = [
        f"{name} is {spec.type} in tools.yaml and {' or '.join(sorted(kinds))} on the server"
        for name, spec in tool.spec.args_schema.items()
        if (kinds := kinds_of(known.get(name), listed.input_schema))
        and _JSON_TYPE.get(spec.type, spec.type) not in kinds
        and not (spec.type == "integer" and "number" in kinds)
    ]
    if wrong:
        return failed(
            check, Fault(names(wrong), "give the argument the same type in tools.yaml and in the tool's signature")
        )
    return passed(check, f"{len(sent)} arguments")


_KEYS = ("idempotency_key", "item_keys")
_JSON_TYPE = {"date": "string", "enum": "string", "text": "string"}


def annotations(tool: Tool, listed: ListedTool) -> Finding:
    """Hints say what the policy says. Silence is read as MCP says: not read-only, destructive, not idempotent."""
    check = "annotations"
    said = ", ".join(
        f"{name}={'silent' if hint is None else str(hint).lower()}"
        for name, hint in (
            ("readOnlyHint", listed.read_only_hint),
            ("destructiveHint", listed.destructive_hint),
            ("idempotentHint", listed.idempotent_hint),
        )
    )
    if tool.transactional and listed.read_only_hint:
        fault = Fault(
            "readOnlyHint is true, and the policy says transactional",
            "set readOnlyHint to false: hosts call read-only tools without asking; or set operation_type: read_only in "
            "tool_policies.yaml if it really changes nothing",
        )
    elif not tool.transactional and not listed.read_only_hint:
        fault = Fault(
            f"the policy says read_only, and readOnlyHint is {'silent' if listed.read_only_hint is None else 'false'}",
            "set readOnlyHint to true in the tool's annotations, or operation_type: transactional in tool_policies.yaml",
        )
    elif not tool.transactional and listed.destructive_hint:
        fault = Fault(
            "destructiveHint is true on a tool that the policy calls read_only",
            "set destructiveHint to false, or operation_type: transactional in tool_policies.yaml",
        )
    elif tool.transactional and tool.recovery is Recovery.RETRY and not listed.idempotent_hint:
        fault = Fault(
            "recovery is retry, and idempotentHint is not true: a repeated call might do everything twice",
            "honour the idempotency key and set idempotentHint to true, or set recovery: status or report",
        )
    else:
        return passed(check, said)
    return failed(check, fault)


def structured_output(listed: ListedTool, observations: Iterable[Observation]) -> Finding:
    """Answers are JSON that a program reads, and keep the schema that the tool itself lists."""
    check = "structured_output"
    seen = list(observations)
    if listed.output_schema is not None and listed.validator is None:
        return failed(
            check,
            Fault(
                "the outputSchema is no valid JSON Schema", "correct it (2020-12), or leave it out until it is right"
            ),
        )
    for one in seen:
        if one.answer.code == "schema_violation":
            return failed(
                check,
                Fault(
                    f"in {one.check}: {(one.answer.error or '').split(';')[0]}",
                    "make the answer keep the outputSchema: the pipeline reads a broken one as outcome unknown",
                ),
            )
        payload = one.answer.payload
        if one.answer.outcome is CallOutcome.OK and isinstance(payload, Mapping) and set(payload) == {"text"}:
            return failed(
                check,
                Fault(
                    f"in {one.check}: the answer is prose ({str(payload['text'])[:60]!r}), no structure",
                    "return structuredContent (a dict or model in the SDK), with results[]; the text is for people",
                ),
            )
    if not any(one.answered for one in seen):
        return skipped(check, "there was no answer to look at")
    if listed.output_schema is None:
        return passed(check, "structured; no outputSchema is listed: one would let hosts check the answers too")
    return judged(check, None, "structured, as its outputSchema says")
