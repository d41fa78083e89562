"""An AI gateway as a script: what a test lets a model say, in the shape the gateway's client returns."""

import json
from typing import Any

from pipeline.policy import LlmPolicy
from pipeline.testing.tools import Answer, Script, ScriptedTools, answered

ASKS = LlmPolicy(use=("route", "compose"), timeout_ms=2_000, attempts=2)
"""An installation that uses the gateway for everything it may be used for."""


def content(text: str, *, after_ms: int = 0) -> Answer:
    """A model's answer with this text."""
    payload = {"provider": "local", "model": "scripted", "profile": "router", "content": text}
    return answered(payload, after_ms=after_ms)


def advice(tool: Any = None, *, after_ms: int = 0, **said: Any) -> Answer:
    """A model's reading of a message."""
    return content(json.dumps({"tool": tool, **said}), after_ms=after_ms)


def gateway(route: Script | None = None, compose: Script | None = None, **scripts: Script) -> ScriptedTools:
    """Tools among which the gateway's operations stand."""
    own = {"reconcile.route": route, "normalize.compose": compose}
    return ScriptedTools({**scripts, **{name: script for name, script in own.items() if script is not None}})
