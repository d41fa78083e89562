"""CertificationResult: whether an MCP tool keeps the multi-item contract. Source: SPEC-012 section 3, DESIGN 9."""

from typing import ClassVar

from contracts.base import Contract, Flag, Instant, Name


class CertificationCheck(Contract):
    """One thing that was checked."""

    name: Name
    """What was checked, as a sentence."""
    passed: Flag
    """Whether the tool keeps it."""
    detail: str = ""
    """What was seen."""
    way_out: str = ""
    """How the tool's team puts it right; empty where nothing is wrong."""


class SkippedCheck(Contract):
    """One thing that was not checked, and therefore not judged."""

    name: Name
    """What would have been checked, as a sentence."""
    reason: Name
    """Why it was not."""


class CertificationResult(Contract):
    """Result of all checks of one tool on one server."""

    VERSION: ClassVar[str] = "certification-result-v1"

    server: Name
    """Name of the server in mcp_servers.yaml."""
    tool: Name
    """The tool that was checked."""
    tool_schema_hash: Name
    """SHA-256, hex, of the tool's input schema as canonical JSON, as the server listed it when it was checked."""
    declaration_hash: Name | None = None
    """SHA-256, hex, of what the configuration said of the tool (arguments, policy); null: it was not configured."""
    checks: tuple[CertificationCheck, ...]
    """Every check that was made, passed or not."""
    skipped: tuple[SkippedCheck, ...] = ()
    """Checks that do not apply to the tool or that its scenarios leave out."""
    passed: Flag
    """Whether every check that was made passed."""
    at: Instant
    """When it was checked. UTC."""
