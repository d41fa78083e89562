"""The command line: help, usage errors, configuration, contracts, explanations; whatever needs no Kafka."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from typer.testing import CliRunner, Result

from consumers.cli import app
from consumers.cli.config import broker_warnings
from consumers.local_kafka.ports import free_pair


def _leaves(command: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    inner = getattr(command, "commands", {})
    for name, each in inner.items():
        yield from _leaves(each, (*names, name))
    if not inner:
        yield names


COMMANDS = tuple(_leaves(typer.main.get_command(app)))
"""Every command there is."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A copy of config/ to be spoilt."""
    target = tmp_path / "config"
    shutil.copytree(Path("config"), target)
    return target


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No cluster is configured and no local node runs."""
    monkeypatch.delenv("KAFKA_BOOTSTRAP_SERVERS", raising=False)
    monkeypatch.setenv("PIPELINE_KAFKA_HOME", str(tmp_path / "kafka"))
    monkeypatch.setenv("PIPELINE_KAFKA_NAME", "nowhere")


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster is configured, and nobody listens there."""
    monkeypatch.setenv("KAFKA_BOOTSTRAP_SERVERS", f"127.0.0.1:{free_pair()[0]}")


def command(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, list(arguments), input=text, prog_name="python -m consumers")


def edit(path: Path, *keys: str, value: Any) -> None:
    data = yaml.safe_load(path.read_text())
    place = data
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    path.write_text(yaml.safe_dump(data, allow_unicode=True))


@pytest.mark.parametrize("names", COMMANDS, ids=" ".join)
def test_help_of_a_command_has_an_example(names: Sequence[str]) -> None:
    done = command(*names, "--help")
    assert done.exit_code == 0
    assert "Example: " in done.output
    assert f"consumers {' '.join(names)}" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["run", "confrim"], "choose from reconcile, pre-validate, confirm", id="an unknown stage"),
        pytest.param(["chat", "--agent", "nobody", "--script", "-"], "telecom_contas, retail_orders", id="an agent"),
        pytest.param(["chat", "--channel", "fax", "--script", "-"], "web, whatsapp, voice", id="a channel"),
        pytest.param(["chat", "--tenant", "x", "--script", "-"], "default", id="a tenant"),
        pytest.param(["chat", "--script", "/no/such/file"], "cannot be read: No such file", id="no script"),
        pytest.param(["chat"], "needs --script", id="a chat without a terminal"),
        pytest.param(["chat", "--script", "-", "--context", "x"], "KEY=VALUE", id="a context that is no pair"),
        pytest.param(["send", "/no/such/file"], "cannot be read: No such file", id="no requests"),
        pytest.param(["tail", "events.ic", "--since", "soon"], "neither like 15m nor an instant", id="an odd time"),
        pytest.param(
            ["tail", "events.ic", "--since", "999999d"], "outside the years 1971 to 9998", id="before all time"
        ),
        pytest.param(["contracts", "show", "Invoice"], "GatewayRequest, ChannelResponse", id="an unknown contract"),
        pytest.param(["explain", "oi", "--agent", "x"], "telecom_contas", id="explain for nobody"),
        pytest.param(["explain", "oi", "--locale", "fr"], "choose from pt-BR, en, es", id="explain in French"),
        pytest.param(["explain", "oi", "--asks", "cancelar_produtos.x"], "no argument 'x'", id="explain no argument"),
        pytest.param(["topics", "list", "--config", "/no/such"], "does not exist", id="no configuration"),
    ],
)
def test_a_wrong_command_says_what_is_allowed_in_one_line(arguments: list[str], says: str) -> None:
    done = command(*arguments, text="oi\n")
    assert done.exit_code == 2
    assert says in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["run", "confirm"], id="run"),
        pytest.param(["chat", "--script", "-"], id="chat"),
        pytest.param(["send", "-"], id="send"),
        pytest.param(["tail", "events.ic"], id="tail"),
        pytest.param(["trace", "default:retail_orders:x"], id="trace"),
        pytest.param(["topics", "ensure"], id="topics ensure"),
        pytest.param(["topics", "list"], id="topics list"),
    ],
)
@pytest.mark.usefixtures("nowhere")
def test_without_a_cluster_the_way_out_is_said(arguments: list[str]) -> None:
    done = command(*arguments, text="")
    assert done.exit_code == 1
    assert "python -m consumers dev" in done.output
    assert "KAFKA_BOOTSTRAP_SERVERS" in done.output
    assert len(done.output.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["chat", "--script", "-"], id="chat"),
        pytest.param(["tail", "events.ic"], id="tail"),
        pytest.param(["trace", "default:retail_orders:x"], id="trace"),
        pytest.param(["topics", "check"], id="topics check"),
    ],
)
@pytest.mark.usefixtures("closed")
@pytest.mark.timeout(30)
def test_an_absent_broker_is_said_within_seconds(arguments: list[str]) -> None:
    done = command(*arguments, text="oi\n")
    assert done.exit_code == 1
    assert "Kafka cannot be reached" in done.output
    assert "Traceback" not in done.output


def test_the_shipped_configuration_can_be_used() -> None:
    done = command("config", "check", "--offline")
    assert done.exit_code == 0
    assert "can be used: 2 agent(s)" in done.output


def test_warnings_fail_a_strict_check_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIPELINE__EVENT_HASH_KEY", raising=False)
    assert "event_hash_key" in command("config", "check", "--offline").output
    assert command("config", "check", "--offline", "--strict").exit_code == 1


@pytest.mark.parametrize(
    ("file", "keys", "value", "says"),
    [
        pytest.param(
            "tools.yaml", ("tools", "cancelar_pedidos", "mcp_server"), "nowhere", "mcp_servers.yaml", id="a server"
        ),
        pytest.param(
            "agents.yaml", ("agents", "retail_orders", "tools"), ["x"], "'x' is not in tools.yaml", id="a tool"
        ),
        pytest.param("pipeline.yaml", ("kafka", "partitions"), 0, "kafka.partitions", id="a bound"),
        pytest.param("pipeline.yaml", ("kafka", "partition"), 4, "kafka.partition: unknown key", id="a misspelt key"),
        pytest.param("mcp_servers.yaml", ("servers", "contas", "url"), "ftp://x", "servers.contas", id="an address"),
    ],
)
def test_a_configuration_error_names_file_and_key(
    config: Path, file: str, keys: tuple[str, ...], value: Any, says: str
) -> None:
    edit(config / file, *keys, value=value)
    done = command("config", "check", "--offline", "--config", str(config))
    assert done.exit_code == 1
    assert file in done.output
    assert says in done.output
    assert command("run", "all", "--config", str(config)).exit_code == 2


def test_unreadable_yaml_is_told_with_its_line(config: Path) -> None:
    (config / "tools.yaml").write_text("tools:\n  a: [\n")
    done = command("config", "check", "--offline", "--config", str(config))
    assert done.exit_code == 1
    assert "tools.yaml: not readable as YAML" in done.output
    assert "line" in done.output


@pytest.mark.parametrize(
    ("release", "replication_factor", "warned"),
    [
        pytest.param("4.2", 1, False, id="4.2 is sound"),
        pytest.param("4.3", 1, True, id="4.3 with one replica"),
        pytest.param("4.4", 1, True, id="4.4 with one replica"),
        pytest.param("4.3", 3, False, id="4.3 with three replicas"),
        pytest.param(None, 1, False, id="a release that can't be told"),
    ],
)
def test_a_broker_that_loses_markers_is_warned_of(release: str | None, replication_factor: int, warned: bool) -> None:
    assert bool(broker_warnings(release, replication_factor)) is warned


def test_contracts_are_listed_with_version_and_topic() -> None:
    rows = [json.loads(line) for line in command("contracts", "list", "--json").output.splitlines()]
    assert len(rows) == 19
    assert {"contract": "GatewayRequest", "version": "gateway-request-v1", "where": "gateway.requests"}.items() <= rows[
        0
    ].items()


def test_a_schema_is_plain_json_on_stdout() -> None:
    schema = json.loads(command("contracts", "schema", "gateway-request").output)
    assert schema["$id"] == "urn:contract:gateway-request-v1"
    assert "16 kB" in schema["$defs"]["GatewayPayload"]["properties"]["message"]["description"]


def test_a_contract_is_shown_with_its_example() -> None:
    done = command("contracts", "show", "ChannelResponse")
    assert done.exit_code == 0
    assert "multi_item_status" in done.output
    assert "PARTIAL_SUCCESS" in done.output


def test_the_examples_are_checked() -> None:
    assert "are as they should be" in command("contracts", "check").output


def explained(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setenv("PIPELINE__MEANING", "false")
    done = command("explain", *arguments, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.output)
    return found


def test_a_request_is_explained_by_tool_and_items(monkeypatch: pytest.MonkeyPatch) -> None:
    found = explained("quero cancelar os pedidos P-100 e P-101", "--agent", "retail_orders", monkeypatch=monkeypatch)
    assert found["tool"] == "cancelar_pedidos"
    assert found["  order_ids"] == ["P-100", "P-101"]
    assert found["  order_ids by"]


def test_a_reply_is_explained_by_its_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    found = explained("sim, mas tira o Neymar", "--items", "TIM Fashion,Neymar Jr", monkeypatch=monkeypatch)
    assert (found["verdict"], found["items afterwards"]) == ("amend", ["TIM Fashion"])


def test_an_answer_is_explained_by_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    found = explained("R$ 71,99", "--asks", "contestar_cobranca.amount", monkeypatch=monkeypatch)
    assert (found["verdict"], found["value"]) == ("answer", 71.99)


def run_of(stage: str, env: dict[str, str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "consumers", "run", stage],
        env={**os.environ, "PIPELINE__MEANING": "false", **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_stage_whose_broker_is_away_says_so_tries_again_and_stops_cleanly() -> None:
    process = run_of("confirm", {"KAFKA_BOOTSTRAP_SERVERS": f"127.0.0.1:{free_pair()[0]}"})
    assert process.stderr is not None
    tries = 0
    for line in process.stderr:
        tries += json.loads(line)["message"] == "the broker is not reachable; trying again"
        if tries == 2:
            break
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert tries == 2
    assert process.returncode == 0


def test_a_demo_port_that_is_no_number_is_refused_in_our_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIPELINE_DEMO_PORT", "abc")
    done = command("demo")
    assert done.exit_code == 2
    assert done.output == "PIPELINE_DEMO_PORT: must be a valid integer, not 'abc'\n"


def test_a_demo_whose_port_is_taken_says_by_whom(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PIPELINE_DEMO_LEDGER", str(tmp_path / "ledger.sqlite3"))
    with socket.create_server(("127.0.0.1", free_pair()[0])) as taken:
        monkeypatch.setenv("PIPELINE_DEMO_PORT", str(taken.getsockname()[1]))
        done = command("demo")
    assert done.exit_code == 1
    assert "set PIPELINE_DEMO_PORT" in done.output
    if sys.platform == "linux":
        assert f"by pid {os.getpid()}: " in done.output


def test_a_taken_port_of_health_is_told_with_its_setting() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        env = {"KAFKA_BOOTSTRAP_SERVERS": "127.0.0.1:2", "PIPELINE__HTTP__PORTS": json.dumps({"confirm": port})}
        process = run_of("confirm", env)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 1
    told = [line for line in said.splitlines() if str(port) in line]
    assert len(told) == 1, said  # no raw line of the HTTP server beside it
    assert "change http.ports" in told[0]
    if sys.platform == "linux":
        assert f"taken by pid {os.getpid()}: " in told[0]
    assert "Traceback" not in said
