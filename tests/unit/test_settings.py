"""Settings that can't be used are refused at once, by name."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.settings import ConfigurationError, load_settings, read_yaml


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        pytest.param({"kafka": {"security_protocol": "TLS"}}, "kafka.security_protocol", id="protocol"),
        pytest.param({"kafka": {"compression": "brotli"}}, "kafka.compression", id="compression"),
        pytest.param({"kafka": {"sasl_mechanism": "MD5"}}, "kafka.sasl_mechanism", id="mechanism"),
        pytest.param({"kafka": {"security_protocol": "SASL_SSL"}}, "kafka.sasl_username", id="no user"),
        pytest.param({"kafka": {"ssl_cafile": "no/such.pem"}}, "kafka.ssl_cafile", id="no CA file"),
        pytest.param({"timezone": "Mars/Olympus"}, "timezone", id="time zone"),
        pytest.param({"kafka": {"bootstrap_servers": "localhost:port"}}, "bootstrap_servers", id="port"),
        pytest.param({"kafka": {"bootstrap_servers": "a:1,PLAINTEXT://b:2"}}, "bootstrap_servers", id="a listener"),
    ],
)
def test_setting_that_no_client_takes_is_refused_by_name(
    wrong: dict[str, Any], named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KAFKA_BOOTSTRAP_SERVERS", raising=False)
    (tmp_path / "pipeline.yaml").write_text("{}")
    with pytest.raises(ConfigurationError, match=named):
        load_settings(tmp_path, **wrong)


@pytest.mark.parametrize("servers", ["", "localhost:9092", "a:1, b:2", "[::1]:9092", "broker-0.kafka.svc:9092"])
def test_bootstrap_servers_in_every_usual_form_are_taken(
    servers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAFKA_BOOTSTRAP_SERVERS", servers)
    (tmp_path / "pipeline.yaml").write_text("{}")
    assert load_settings(tmp_path).bootstrap_servers == servers


def test_key_that_stands_twice_in_one_mapping_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "tools.yaml"
    path.write_text("tools:\n  one: {a: 1}\n  two: {a: 1}\n  one: {a: 2}\n")
    with pytest.raises(ConfigurationError, match=r"'one' stands twice.*line 4"):
        read_yaml(path)
    path.write_text("base: &base {a: 1}\none:\n  <<: *base\n  a: 2\n")
    assert read_yaml(path)["one"] == {"a": 2}


def test_problem_names_the_variable_that_set_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIPELINE__KAFKA__PARTITIONS", "four")
    (tmp_path / "pipeline.yaml").write_text("{}")
    with pytest.raises(ConfigurationError) as caught:
        load_settings(tmp_path)
    (problem,) = caught.value.problems
    assert problem.endswith("kafka.partitions: must be a valid integer (set by PIPELINE__KAFKA__PARTITIONS)")
