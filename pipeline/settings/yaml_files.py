"""Reading a YAML file of the configuration, and the error of a configuration that can't be used.

Invariants: an error names the file and the line; a key that stands twice is refused. Never: knows what a file may hold.
"""

from pathlib import Path
from typing import Any

import yaml

CONFIG_DIR = Path("config")


class ConfigurationError(Exception):
    """The configuration can't be used; every line names file, key and the way out."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Refuses a key that stands twice in one mapping: YAML's readers let the last one win, in silence."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key {key.value!r} stands twice in one mapping", key.start_mark
                    )
                seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a mapping. Raises: ConfigurationError naming file and line."""
    try:
        data = yaml.load(path.read_bytes(), Loader=_Loader)  # noqa: S506 - a safe loader
    except FileNotFoundError:
        raise ConfigurationError([f"{path}: the file does not exist; copy it from the repository's config/"]) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigurationError([f"{path}: not readable as YAML: {_plainly(error)}"]) from None
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigurationError([f"{path}: must hold a mapping at the top, not {type(data).__name__}"])
    return data


def _plainly(error: Exception) -> str:
    """One line, without the name that the reader gives to what it was handed."""
    return " ".join(str(error).replace('in "<byte string>", ', "at ").split())
