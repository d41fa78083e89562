"""CertificationResult: whether an MCP tool keeps the multi-item contract. Source: SPEC-012 section 3, DESIGN 9."""

from typing import ClassVar

from contracts.base import Contract, Flag, Instant, Name


class CertificationCheck(Contract):
    """One thing that was checked."""

    name: Name
    passed: Flag
    detail: str = ""


class CertificationResult(Contract):
    """Result of all checks of one tool on one server."""

    VERSION: ClassVar[str] = "certification-result-v1"

    server: Name
    tool: Name
    tool_schema_hash: Name
    """Digest of the tool's input schema when it was checked."""
    checks: tuple[CertificationCheck, ...]
    passed: Flag
    at: Instant
