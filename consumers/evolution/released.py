"""Released schemas as files: `contracts/released/<version>.<minor>.json`, one a release of a contract, none ever rewritten.

Owns: reading sets of schemas, today's models as such a set, freezing them, the list of what each release changed (CHANGES.md).
Invariants: a file that exists is never written again, and CHANGES.md holds its digest; nothing that fails the gate is frozen. Source: SPEC-012 section 14, DESIGN 9.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from jsonschema_rs import ValidationError, meta

from contracts.evolution.gate import VERSION, Verdict, compare_sets
from contracts.evolution.shapes import Schema
from contracts.evolution.upcasting import UPCASTS, Upcaster
from contracts.identity import digest

RELEASED = Path(__file__).resolve().parents[2] / "contracts" / "released"
CHANGES = "CHANGES.md"
NEW_CONTRACT = "contract-added"
"""Rule of a first release: its name says all there is to say."""
HEADING = "# Released contracts\n\nNewest first. Written by `python -m consumers contracts release`; a released file is never changed.\n"

DIALECT = "https://json-schema.org/draft/2020-12/schema"
MARKS = {"properties", "$defs", "$ref", "anyOf", "oneOf", "allOf"}
"""Keywords by which a schema is known that names no dialect."""

_FILE = re.compile(rf"(?P<version>{VERSION.pattern})(?:\.(?P<minor>[0-9]+))?(?:\.schema)?\.json")
_NAMED = re.compile(rf"(?P<version>{VERSION.pattern})(?![a-z0-9-])")


class UnreadableSchema(ValueError):
    """A file is no JSON Schema; `str()` is one sentence with the way out."""


@dataclass(frozen=True, slots=True)
class Frozen:
    """What a release did, or would do."""

    verdicts: tuple[Verdict, ...]
    """Against everything released before."""
    releases: tuple[str, ...] = ()
    """What was frozen, such as `channel-response-v1.1`; empty where nothing changed or the gate refused."""

    @property
    def refused(self) -> bool:
        """Whether the gate forbids it."""
        return any(verdict.grade.failing for verdict in self.verdicts)


def released(folder: Path = RELEASED) -> dict[str, list[Schema]]:
    """Every released schema by version string, oldest first. Raises: UnreadableSchema."""
    return {version: [schema for _, schema in minors] for version, minors in _by_version(folder).items()}


def schemas_at(place: Path) -> dict[str, list[Schema]]:
    """Schemas of a folder (at any depth) or of one file, by version string. Raises: UnreadableSchema."""
    if place.is_dir():
        return released(place)
    schema = _read(place)
    if schema is None:
        raise UnreadableSchema(f"{place} is no JSON Schema: give the schema of a contract, or a folder of them.")
    return {_version_of(place, schema): [schema]}


def current() -> dict[str, Schema]:
    """Schemas of the models of this program, by version string."""
    from consumers.schemas.known_contracts import ALL, schema_of

    return {contract.VERSION: schema_of(contract) for contract in ALL}


def against_released(
    models: Mapping[str, Schema], folder: Path = RELEASED, upcasts: Sequence[Upcaster] = UPCASTS
) -> tuple[Verdict, ...]:
    """Judge models against everything released. Raises: UnreadableSchema."""
    return compare_sets(released(folder), models, {(step.old, step.new) for step in upcasts})


def freeze(
    models: Mapping[str, Schema],
    day: date,
    note: str = "",
    folder: Path = RELEASED,
    upcasts: Sequence[Upcaster] = UPCASTS,
) -> Frozen:
    """Release what changed, unless the gate refuses. Raises: UnreadableSchema, OSError."""
    verdicts = against_released(models, folder, upcasts)
    outcome = Frozen(verdicts)
    if outcome.refused:
        return outcome
    known = _by_version(folder)
    lines: dict[str, list[str]] = {}
    done: list[str] = []
    try:
        for version, schema in models.items():
            about = [verdict for verdict in verdicts if verdict.version == version]
            if version in known and not about:
                continue
            minor = known[version][-1][0] + 1 if version in known else 0
            _write_new(folder / f"{version}.{minor}.json", schema)
            done.append(f"{version}.{minor}")
            lines[f"`{version}.{minor}` (schema sha256 {digest(schema)})"] = [
                verdict.sentence for verdict in about if verdict.rule != NEW_CONTRACT
            ]
        if lines:
            _tell(folder / CHANGES, day, note, lines)
    except OSError:
        for release in done:  # all of it or nothing: a release that CHANGES.md does not tell is none
            (folder / f"{release}.json").unlink()
        raise
    return Frozen(verdicts, tuple(done))


def changed_afterwards(folder: Path = RELEASED) -> tuple[str, ...]:
    """Releases whose file is not, or no longer, what CHANGES.md says was released. Raises: UnreadableSchema."""
    told = (folder / CHANGES).read_text(encoding="utf-8") if (folder / CHANGES).exists() else ""
    frozen = dict(re.findall(r"`(\S+)` \(schema sha256 ([0-9a-f]{64})\)", told))
    found = {path.stem: digest(_read(path)) for path in sorted(folder.glob("*.json"))}
    return tuple(name for name in sorted({*frozen, *found}) if frozen.get(name) != found.get(name))


def _by_version(folder: Path) -> dict[str, list[tuple[int, Schema]]]:
    found: dict[str, list[tuple[int, Schema]]] = {}
    for path in sorted(folder.rglob("*.json")):
        schema = _read(path)
        if schema is not None:
            match = _FILE.fullmatch(path.name)
            found.setdefault(_version_of(path, schema), []).append((int((match and match["minor"]) or 0), schema))
    return {version: sorted(minors, key=lambda each: each[0]) for version, minors in found.items()}


def _read(path: Path) -> Schema | None:
    """The schema in a file; None: JSON, but no schema."""
    try:
        value: Any = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableSchema(
            f"{path} cannot be read as JSON ({error}): give a file that holds a JSON Schema."
        ) from error
    if not isinstance(value, dict) or not ("json-schema.org" in str(value.get("$schema")) or MARKS & set(value)):
        return None
    try:
        meta.validate({**value, "$schema": DIALECT})
    except ValidationError as error:
        place = ".".join(map(str, error.instance_path)) or "it"
        raise UnreadableSchema(
            f"{path} is no JSON Schema of 2020-12, which the gate reads ({place}: {error.message}): correct it."
        ) from error
    return value


def _version_of(path: Path, schema: Schema) -> str:
    match = _FILE.fullmatch(path.name) or _NAMED.search(str(schema.get("$id", "")))
    return match["version"] if match else path.name.split(".", 1)[0]


def _write_new(path: Path, schema: Schema) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("x", encoding="utf-8") as file:  # never over a released one
        try:
            file.write(json.dumps(schema, indent=1, ensure_ascii=False) + "\n")
            file.flush()
        except OSError:
            path.unlink()
            raise


def _tell(path: Path, day: date, note: str, lines: Mapping[str, Sequence[str]]) -> None:
    older = path.read_text(encoding="utf-8").removeprefix(HEADING) if path.exists() else ""
    told = [f"\n## {day.isoformat()}{f': {note}' if note else ''}\n"]
    for release, sentences in lines.items():
        told.append(f"* {release}" + "".join(f"\n  * {sentence}" for sentence in sentences))
    beside = path.with_suffix(".new")  # a list that is written half would lose what was released before
    beside.write_text(HEADING + "\n".join(told) + "\n" + older, encoding="utf-8")
    beside.replace(path)
