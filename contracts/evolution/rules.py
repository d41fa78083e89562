"""The rule table: every kind of change, whom it breaks, and the way out. Data only; gate.py applies it.

Source: SPEC-012 section 14 (new fields optional, required ones stay, another meaning is a new version), DESIGN 9.
"""

from collections.abc import Mapping

from contracts.evolution.rule import Rule
from contracts.evolution.rules_of_fields import FIELDS, MEANING
from contracts.evolution.rules_of_values import BOUNDS, ENUMS, TYPES
from contracts.evolution.rules_of_versions import VERSIONS

RULES: Mapping[str, Rule] = {rule.id: rule for rule in (*FIELDS, *TYPES, *ENUMS, *BOUNDS, *MEANING, *VERSIONS)}
"""Every rule by its id."""
