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


class CertificationResult(Contract):
    """Result of all checks of one tool on one server."""

    VERSION: ClassVar[str] = "certification-result-v1"

    server: Name
    """Name of the server in mcp_servers.yaml."""
    tool: Name
    """The tool that was checked."""
    tool_schema_hash: Name
    """Digest of the tool's input schema when it was checked."""
    checks: tuple[CertificationCheck, ...]
    """Every check, passed or not."""
    passed: Flag
    """Whether all checks passed."""
    at: Instant
    """When it was checked. UTC."""
