"""Settings that do not fit each other, and misspelt keys: told with both names, or with what may be meant."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from consumers.configuration import doubts, load_configuration
from pipeline.settings import ConfigurationError, load_settings


@pytest.fixture
def config(tmp_path: Path) -> Path:
    target = tmp_path / "config"
    shutil.copytree(Path("config"), target)
    return target


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def problems(config: Path) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        load_configuration(config)
    return caught.value.problems


@pytest.mark.parametrize(
    ("wrong", "first", "second"),
    [
        pytest.param(
            {"runtime": {"value_max_bytes": 200_000}},
            "limits.payload_bytes (262144)",
            "runtime.value_max_bytes (200000)",
            id="a request that no state can hold",
        ),
        pytest.param(
            {"limits": {"message_bytes": 300_000}},
            "limits.message_bytes (300000)",
            "limits.payload_bytes (262144)",
            id="a message larger than its payload",
        ),
        pytest.param(
            {"runtime": {"value_max_bytes": 2_000_000}},
            "runtime.value_max_bytes (2000000)",
            "kafka.max_message_bytes (1048576)",
            id="a value that no topic takes",
        ),
        pytest.param(
            {"kafka": {"min_insync_replicas": 2}},
            "kafka.min_insync_replicas (2)",
            "kafka.replication_factor (1)",
            id="more replicas in sync than there are",
        ),
        pytest.param(
            {"kafka": {"max_message_bytes": 4_194_305}},
            "kafka.max_message_bytes (4194305)",
            "READ_MAX_BYTES (4194304)",
            id="a record that would be refused unread",
        ),
    ],
)
def test_settings_of_the_pipeline_that_do_not_fit_are_both_named(
    wrong: dict[str, Any], first: str, second: str, tmp_path: Path
) -> None:
    (tmp_path / "pipeline.yaml").write_text("{}")
    with pytest.raises(ConfigurationError) as caught:
        load_settings(tmp_path, **wrong)
    assert first in str(caught.value)
    assert second in str(caught.value)


def test_answer_that_could_be_read_and_not_be_written_is_refused(config: Path) -> None:
    change(config / "mcp_servers.yaml", "max_answer_bytes: 524288", "max_answer_bytes: 1048576")
    (problem,) = problems(config)
    assert "mcp_servers.yaml: servers.contas.max_answer_bytes (1048576)" in problem
    assert "runtime.value_max_bytes (900000)" in problem


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        pytest.param(
            "pipeline.yaml",
            "  partitions: 4",
            "  partition: 4",
            "kafka.partition: unknown key; did you mean 'partitions'?",
            id="pipeline",
        ),
        pytest.param(
            "agents.yaml", "channels:", "chanels:", "chanels: unknown key; did you mean 'channels'?", id="agents"
        ),
        pytest.param(
            "tools.yaml",
            "confirmation_required: true",
            "confirmation_require: true",
            "tools.cancelar_produtos.confirmation_require: unknown key; did you mean 'confirmation_required'?",
            id="tools",
        ),
        pytest.param(
            "tool_policies.yaml",
            "      fail_open: false",
            "      failopen: false",
            "tool_policies.cancelar_produtos.pre_validation.failopen: unknown key; did you mean 'fail_open'?",
            id="policies",
        ),
        pytest.param(
            "tool_policies.yaml",
            "  contestar_cobranca:",
            "  contestar_cobrança:",
            "no such tool in tools.yaml; did you mean 'contestar_cobranca'?",
            id="the name of a tool",
        ),
        pytest.param(
            "mcp_parameter_mapping.yaml",
            "    required: [customer_key]",
            "    require: [customer_key]",
            "require: unknown key; did you mean 'required'?",
            id="mapping",
        ),
        pytest.param(
            "routing.yaml", "keywords:", "keyword:", "keyword: unknown key; did you mean 'keywords'?", id="routing"
        ),
        pytest.param(
            "mcp_servers.yaml",
            "connect_timeout_ms",
            "connect_timeout",
            "servers.contas.connect_timeout: unknown key; did you mean 'connect_timeout_ms'?",
            id="servers",
        ),
        pytest.param(
            "mcp_servers.yaml",
            "servers:",
            "server:",
            "server: unknown key; did you mean 'servers'?",
            id="the key of all servers",
        ),
        pytest.param(
            "messages.es.yaml",
            "confirm.ask:",
            "confirm.aks:",
            "messages.es.yaml: confirm.ask is missing; is it 'confirm.aks' of es misspelt?",
            id="messages",
        ),
    ],
)
def test_misspelt_key_is_told_with_the_one_that_may_be_meant(
    file: str, old: str, new: str, told: str, config: Path
) -> None:
    change(config / file, old, new)
    found = problems(config)
    assert any(problem.startswith(f"{config / file}: ") and problem.endswith(told) for problem in found), found


def test_placeholders_that_differ_are_told_with_their_files(config: Path) -> None:
    change(config / "messages.en.yaml", "{limit}", "{limits}")
    (problem,) = problems(config)
    assert "*" not in problem
    assert str(config / "messages.en.yaml") in problem


@pytest.mark.parametrize(
    ("file", "old", "new", "first", "second"),
    [
        pytest.param(
            "pipeline.yaml",
            "  confirmation_ttl_ms: 900000",
            "  session_retention_ms: 600000",
            "timing.session_retention_ms (600000)",
            "kafka.retention_ms (604800000)",
            id="a conversation forgotten before its requests",
        ),
        pytest.param(
            "mcp_servers.yaml",
            "call_timeout_ms: 30000",
            "call_timeout_ms: 7000",
            "tools.cancelar_produtos.timeout_ms (10000)",
            "servers.contas.call_timeout_ms (7000)",
            id="a server that ends calls earlier",
        ),
        pytest.param(
            "pipeline.yaml",
            "  confirmation_ttl_ms: 900000",
            "  query_budget_ms: 5000",
            "tools.consultar_faturas.timeout_ms (10000)",
            "timing.query_budget_ms (5000)",
            id="a query longer than its budget",
        ),
    ],
)
def test_settings_that_work_and_deserve_a_look_are_both_named(
    file: str, old: str, new: str, first: str, second: str, config: Path
) -> None:
    assert doubts(load_configuration(config)) == []
    change(config / file, old, new)
    found = doubts(load_configuration(config))
    assert any(first in doubt and second in doubt for doubt in found), found
