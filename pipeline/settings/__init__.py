"""All settings: config/*.yaml, overridable by environment, checked at start.

Owns: the shape of pipeline.yaml, reading a YAML file, and how a wrong key is explained (behaviour files: pipeline/behaviour_files).
Invariants: every key is known; an error names file, key and what is allowed; nothing is guessed. Source: DESIGN 7 (Config).
"""

from pipeline.settings.explaining import explain, keys_at, meant
from pipeline.settings.pipeline import PipelineSettings, load_settings
from pipeline.settings.sections import READ_MAX_BYTES, HttpSettings, KafkaSettings, LlmSettings, RuntimeSettings
from pipeline.settings.yaml_files import CONFIG_DIR, ConfigurationError, read_yaml

__all__ = [
    "CONFIG_DIR",
    "READ_MAX_BYTES",
    "ConfigurationError",
    "HttpSettings",
    "KafkaSettings",
    "LlmSettings",
    "PipelineSettings",
    "RuntimeSettings",
    "explain",
    "keys_at",
    "load_settings",
    "meant",
    "read_yaml",
]
