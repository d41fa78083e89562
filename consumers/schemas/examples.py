"""Examples of a contract as they are published: valid ones, and invalid ones each with what is wrong and how it is refused.

Invariants: an invalid example breaks one rule; what is said of it comes from its file's name and from the model itself.
"""

from typing import Any

from pydantic import ValidationError

from consumers.schemas.known_contracts import Example, examples_of
from contracts.base import Contract
from pipeline.runtime.serde import field_of

WHY = {
    "missing": "{field} is required, and it is not there.",
    "blank": "{field} holds nothing but blanks.",
    "empty": "{field} is empty.",
    "number": "{field} is a number, which it may not be.",
    "text": "{field} is a text, which it may not be.",
    "list": "{field} is a list, which it may not be.",
    "negative": "{field} is negative.",
    "unknown": "{field} is none of the values that the contract lists.",
    "unknown-kind": "{field} has a `kind` that the contract does not list.",
    "no-family": "{field} does not begin with `IC.`, `NOC.` or `GRL.`.",
    "without-offset": "{field} is an instant without an offset: nobody knows which hour is meant.",
}
"""By the last part of an invalid example's file name."""


def why(example: Example) -> tuple[str, dict[str, str]]:
    """What is wrong, as a text with a place for the field, and what goes there. Raises: KeyError for a name that WHY lacks."""
    return WHY[example.path.stem.split("--", 1)[1]], {"field": f"`{example.field}`"}


def refusal(example: Example) -> str:
    """How the pipeline words it, in the header `dlq_text`; empty for an example that is accepted."""
    try:
        example.contract.model_validate(example.data)
    except ValidationError as error:
        field, text = field_of(error)
        return f"{field} {text}"
    return ""


def examples_document(contract: type[Contract]) -> dict[str, Any]:
    """Content of `<version>.examples.json`."""
    found = list(examples_of(contract))
    return {
        "contract": contract.__name__,
        "version": contract.VERSION,
        "valid": [{"name": each.path.stem, "data": each.data} for each in found if each.field is None],
        "invalid": [_invalid(each) for each in found if each.field is not None],
    }


def _invalid(example: Example) -> dict[str, Any]:
    text, values = why(example)
    return {
        "why": text.format(**values),
        "field": example.field,
        "refused_with": refusal(example),
        "data": example.data,
    }
