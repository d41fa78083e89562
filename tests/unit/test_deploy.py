"""docker-compose.yml and its Dockerfile, checked without Docker: against the Compose Specification and against our code.

Source: tests/data/compose-spec.json is schema/compose-spec.json of compose-go v2.16.2 (Apache-2.0), unchanged.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import re
import subprocess
import sys
from typing import Any

import jsonschema_rs
import pytest
import yaml

from consumers.local_kafka.jars import KAFKA_VERSION
from consumers.local_kafka.settings import PROJECT
from pipeline.settings import load_settings
from pipeline.topology import STAGES

SCHEMA = json.loads((PROJECT / "tests" / "data" / "compose-spec.json").read_text())
COMPOSE: dict[str, Any] = yaml.safe_load((PROJECT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DOCKERFILE = (PROJECT / "deploy" / "Dockerfile").read_text()
OURS = {name: service for name, service in SERVICES.items() if "build" in service}


def problems(compose: dict[str, Any]) -> list[str]:
    validator = jsonschema_rs.Draft202012Validator(SCHEMA)
    return [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(compose)]


def test_the_compose_file_keeps_to_the_specification() -> None:
    assert problems(COMPOSE) == []


@pytest.mark.parametrize(
    ("service", "key", "value"),
    [
        pytest.param("kafka", "enviroment", {}, id="a misspelt key"),
        pytest.param("execute", "depends_on", {"kafka": {"condition": "service_ready"}}, id="a condition that is none"),
        pytest.param("demo", "healthcheck", {"test": 1}, id="a check that is no command"),
    ],
)
def test_the_specification_refuses(service: str, key: str, value: object) -> None:
    broken = copy.deepcopy(COMPOSE)
    broken["services"][service][key] = value
    assert problems(broken) != []


def test_every_stage_is_a_service_of_its_own() -> None:
    running = [service["command"][1] for service in OURS.values() if service["command"][0] == "run"]
    assert running == list(STAGES)
    assert [name for name in SERVICES if name in STAGES] == list(STAGES)


def test_kafka_is_the_version_that_the_tests_use() -> None:
    assert SERVICES["kafka"]["image"] == f"apache/kafka:{KAFKA_VERSION}"


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_waits_only_for_what_can_be_waited_for(name: str) -> None:
    for needed, how in SERVICES[name].get("depends_on", {}).items():
        assert needed in SERVICES
        if how["condition"] == "service_healthy":
            assert "healthcheck" in SERVICES[needed]
        else:
            assert how["condition"] == "service_completed_successfully"
            assert SERVICES[needed]["restart"].startswith("on-failure")


def test_the_settings_take_the_environment_of_the_services(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, value in SERVICES["execute"]["environment"].items():
        monkeypatch.setenv(variable, value)
    settings = load_settings(PROJECT / "config")
    assert settings.bootstrap_servers == "kafka:19092"
    assert settings.http.host == "0.0.0.0"
    assert settings.http.ports == dict.fromkeys(STAGES, 8080)


@pytest.mark.parametrize("name", STAGES)
def test_a_stage_has_time_to_hand_over_before_it_is_killed(name: str) -> None:
    seconds = int(SERVICES[name]["stop_grace_period"].removesuffix("s"))
    assert seconds * 1000 > load_settings(PROJECT / "config").runtime.handover_ms * 2


@pytest.mark.parametrize("source", re.findall(r"^COPY (.+) \S+$", DOCKERFILE, re.MULTILINE))
def test_the_image_copies_only_what_is_there_and_not_ignored(source: str) -> None:
    let_in = (PROJECT / "deploy" / "Dockerfile.dockerignore").read_text().splitlines()
    for path in source.split():
        assert (PROJECT / path).exists()
        assert f"!{path}" in let_in


def test_the_image_is_installed_by_the_same_uv_as_the_virtual_environment() -> None:
    versions = {re.search(r"uv==(\S+)", text).group(1) for text in (DOCKERFILE, (PROJECT / "Makefile").read_text())}  # type: ignore[union-attr]
    assert len(versions) == 1


@pytest.mark.skipif(importlib.util.find_spec("consumers.__main__") is None, reason="the command line is not there yet")
@pytest.mark.parametrize("name", OURS)
def test_the_command_of_a_service_exists(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "consumers", *OURS[name]["command"], "--help"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
