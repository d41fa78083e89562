"""One entry of config/mcp_servers.yaml, validated.

Invariants: unknown keys are refused, limits have bounds; `${NAME}` in a header, url or env value is filled from the
environment when the connection is made, so that no secret is ever part of a printed setting.
"""

import os
import re
from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import unquote, urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

_PLACEHOLDER = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class BreakerSettings(Strict):
    """When to stop calling a server that does not answer."""

    failures: Annotated[int, Field(ge=1, le=1000)] = 5
    """Calls in a row without an answer (not sent, or unknown) that open the breaker."""
    cool_down_ms: Annotated[int, Field(ge=10, le=600_000)] = 5_000
    """From opening until one probe call is let through."""


class McpServerSettings(Strict):
    """How to reach one MCP server and what to expect of it."""

    transport: Literal["streamable_http", "stdio"] = "streamable_http"
    enabled: bool = True
    description: str | None = None
    """For people."""

    url: str | None = None
    """streamable_http: the endpoint, http(s). A user and password in it are sent as basic authentication and never shown."""
    headers: Mapping[str, str] = Field(default_factory=dict)
    """streamable_http: sent with every request; `${NAME}` is read from the environment at each connect."""
    mode: Literal["auto", "2026-07-28", "legacy"] = "auto"
    """Protocol era. auto asks server/discover, then initialize; a version pins it; legacy is initialize only."""
    refusal_statuses: frozenset[Literal[429, 503]] = frozenset()
    """HTTP statuses that this server sends only *before* executing anything. Undeclared ones are outcome unknown:
    a proxy's 503 may follow the effect."""

    command: str | None = None
    """stdio: the program."""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = Field(default_factory=dict)
    """stdio: added to the short list of variables the SDK passes on; `${NAME}` as in headers."""
    cwd: str | None = None

    concurrency: Annotated[int, Field(ge=1, le=1024)] = 32
    """Calls in flight at once (bulkhead)."""
    connect_timeout_ms: Annotated[int, Field(ge=50, le=120_000)] = 5_000
    """Transport, negotiation and the listing of all tools together."""
    call_timeout_ms: Annotated[int, Field(ge=10, le=3_600_000)] = 30_000
    """Upper bound of any call, whatever its own deadline."""
    max_answer_bytes: Annotated[int, Field(ge=1_024, le=64 * 1024 * 1024)] = 512 * 1024
    """A larger answer is not read: outcome unknown, code too_large. Below runtime.value_max_bytes: it is written to topics."""
    keepalive_ms: Annotated[int, Field(ge=0, le=600_000)] = 4_000
    """Idle connections older than this are not used again; keep it below the server's own idle timeout (uvicorn: 5 s),
    or now and then a call is written into a connection that is just being closed."""
    relist_ms: Annotated[int, Field(ge=1_000, le=86_400_000)] = 300_000
    """How often the tool listing is read again."""
    breaker: BreakerSettings = BreakerSettings()

    @model_validator(mode="after")
    def _transport_has_its_address(self) -> "McpServerSettings":
        if self.transport == "streamable_http":
            if not self.url or not re.match(r"https?://", self.url):
                raise ValueError("url: an http(s) address is needed for transport streamable_http")
            if self.command is not None:
                raise ValueError("command: belongs to transport stdio")
        elif not self.command:
            raise ValueError("command: needed for transport stdio")
        elif self.url is not None:
            raise ValueError("url: belongs to transport streamable_http")
        return self


def shown(url: str) -> str:
    """An address as people, logs and events may see it: without user, password and query."""
    return re.sub(r"^([a-z]+://)[^/?#]*@", r"\1", url.split("?", maxsplit=1)[0].split("#", maxsplit=1)[0])


def without_user(url: str) -> tuple[str, tuple[str, str] | None]:
    """The address, and the user and password that stood in it: no library that logs the address may log them."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    if not at:
        return url, None
    name, _, password = user.partition(":")
    return urlunsplit(parts._replace(netloc=host)), (unquote(name), unquote(password))


class MissingVariable(LookupError):
    """A `${NAME}` without a value in the environment and without a default."""


def expand(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """Replace `${NAME}` and `${NAME:-default}`. Raises: MissingVariable, naming it."""

    def value(match: re.Match[str]) -> str:
        name, default = match.group(1), match.group(2)
        found = environ.get(name)
        if found:
            return found
        if default is not None:
            return default
        raise MissingVariable(f"the environment variable {name} is not set")

    return _PLACEHOLDER.sub(value, text)
