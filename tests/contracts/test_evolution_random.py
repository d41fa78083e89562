"""The gate and a validator on schemas that nobody prepared: what the gate lets pass, no message contradicts."""

import copy
import itertools
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from contracts.evolution.gate import compare
from tests.contracts.test_evolution_witness import ACCEPTED_BY_VALIDATORS, DIRECTIONS, breaks_somebody, refused

PAIRS = 25
BOUNDED = (
    {"type": "string", "minLength": 2},
    {"type": "string", "maxLength": 3},
    {"type": "string", "format": "date-time"},
    {"type": "integer", "minimum": 2},
    {"type": "integer", "exclusiveMinimum": 0},
    {"type": "integer", "multipleOf": 3},
    {"type": "number", "exclusiveMaximum": 4},
)


class Schemas:
    """Random schemas; every field has a name of its own, so that an unknown field is never another one's."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._names = (f"n{number}" for number in itertools.count())

    def pair(self) -> tuple[Any, Any]:
        """A schema, and what a careless developer made of it."""
        old = {"type": "object", "properties": {"f": self.any(), "g": self.any(1)}, "required": ["f"]}
        new = copy.deepcopy(old)
        for _ in range(self._random.randint(1, 2)):
            self._spoil(self._random.choice(list(nodes(new))))
        return old, new

    def any(self, depth: int = 0) -> Any:
        choose = self._random.choice
        kinds = ["type", "types", "bounded", "enum", "const", "anything"]
        match choose([*kinds, "array", "object", "union"] if depth < 3 else kinds):
            case "type":
                return {"type": choose(["string", "integer", "number", "boolean", "null"])}
            case "types":
                return {"type": self._random.sample(["string", "integer", "null", "number", "boolean"], 2)}
            case "bounded":
                return dict(choose(BOUNDED))
            case "enum":
                values = self._random.sample(["a", "abc", "Z9", "b"], self._random.randint(1, 3))
                return {"type": "string", "enum": values, **choose([{}, {}, {"x-open": True}])}
            case "const":
                return {"const": choose(["a", "abc", 1, True])}
            case "array":
                return {"type": "array", "items": self.any(depth + 1), **choose([{}, {"minItems": 2}, {"maxItems": 3}])}
            case "object":
                return self._object(depth)
            case "union":
                return {"anyOf": [self.any(depth + 1) for _ in range(self._random.randint(1, 3))]}
            case _:
                return {}

    def _object(self, depth: int) -> Any:
        fields = {next(self._names): self.any(depth + 1) for _ in range(self._random.randint(0, 3))}
        rest = self._random.choice(
            [{}, {}, {"additionalProperties": False}, {"additionalProperties": self.any(depth + 1)}]
        )
        return {
            "type": "object",
            "properties": fields,
            "required": [n for n in fields if self._random.random() < 0.5],
            **rest,
        }

    def _spoil(self, node: Any) -> None:
        if node.get("type") != "object" or self._random.random() < 0.5:
            node.clear()
            node.update(self.any(1))
            return
        name = self._random.choice([*node["properties"], next(self._names)])
        if name not in node["properties"] or self._random.random() < 0.3:
            node["properties"][name] = self.any(2)
        elif self._random.random() < 0.5:
            del node["properties"][name]
        needed = set(node["required"]) ^ {name} if self._random.random() < 0.5 else set(node["required"])
        node["required"] = sorted(needed & set(node["properties"]))


def nodes(schema: Any) -> Iterator[Any]:
    yield schema
    parts = [
        *schema.get("anyOf", ()),
        *schema.get("properties", {}).values(),
        schema.get("items"),
        schema.get("additionalProperties"),
    ]
    for part in parts:
        if isinstance(part, dict):
            yield from nodes(part)


@pytest.mark.parametrize("seed", range(8))
def test_what_the_gate_lets_pass_no_message_contradicts(seed: int) -> None:
    schemas = Schemas(seed)
    passed = 0
    for _ in range(PAIRS):
        old, new = schemas.pair()
        for version, (writes, _) in DIRECTIONS.items():
            verdicts = compare(old, new, version)
            writer, reader = (old, new) if writes == "old" else (new, old)
            if breaks_somebody(verdicts) or {verdict.rule for verdict in verdicts} & ACCEPTED_BY_VALIDATORS:
                continue
            passed += 1
            witnesses = refused(writer, reader, writer_is_open=writes == "old")
            assert witnesses == [], f"{version}: {json.dumps(old)} became {json.dumps(new)}"
    assert passed > PAIRS / 10, "nothing was judged"
