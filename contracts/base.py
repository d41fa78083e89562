"""What every contract has in common: tolerant reading, frozen values, a version of its own.

Invariants: unknown fields are kept and written back (a tolerant reader); booleans are booleans, never 0, 1 or "false";
a model never changes after it was read. Source: SPEC-012 section 14, DESIGN 9.
"""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
    StringConstraints,
)
from pydantic_core import CoreSchema, core_schema


class Contract(BaseModel):
    """Base of all models that travel on a topic."""

    model_config = ConfigDict(
        extra="allow",
        frozen=True,
        use_attribute_docstrings=True,
        ser_json_timedelta="float",
        allow_inf_nan=False,
        serialize_by_alias=True,
        validate_by_name=True,
        validate_by_alias=True,
    )

    VERSION: ClassVar[str] = ""
    """Name and major version, such as `gateway-request-v1`; empty for parts of other contracts."""


def _not_blank(value: str) -> str:
    if not value.strip():
        msg = "must not be blank"
        raise ValueError(msg)
    return value


@dataclass(frozen=True, slots=True)
class _NotBlank:
    """Refuses text of blanks alone, in the model and in its JSON Schema: a writer finds out before we do."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(_not_blank, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema: dict[str, Any] = handler(core)
        schema.setdefault("pattern", r"\S")
        return schema


Name = Annotated[str, StringConstraints(min_length=1, max_length=512), _NotBlank()]
"""An identifier: not blank, kept exactly as it was given."""

Text = Annotated[str, StringConstraints(min_length=1), _NotBlank()]
"""Words of a person: not blank, kept exactly as they were given."""

Flag = Annotated[bool, Strict()]
"""A JSON boolean and nothing else."""

Instant = AwareDatetime
"""A point in time with its offset, written in UTC."""
