"""What can be set of the demo servers: PIPELINE_DEMO_… in the environment."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class DemoSettings(BaseSettings):
    """Where the demo listens, where its ledger is, which failure everybody gets."""

    model_config = SettingsConfigDict(env_prefix="PIPELINE_DEMO_", frozen=True, use_attribute_docstrings=True)

    listen: str = "127.0.0.1"
    """Address to bind. Other than loopback, the Host header is not checked."""
    port: int = Field(default=8765, ge=0, le=32_767)
    """0: any free one (below the ephemeral range where possible), printed in the first line."""
    ledger: Path = Path(".pipeline/demo/ledger.sqlite3")
    fault: str = ""
    """A failure for every customer, as in README.md: falha-503, falha-lenta-5 …"""
    slow_s: float = Field(default=3.0, ge=0, le=600)
    """Seconds of falha-lenta without a number."""
