"""The command line against a running pipeline, as its help promises."""

import asyncio
import contextlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest
from typer.testing import CliRunner

from consumers.cli import app
from consumers.local_kafka.ports import free_pair
from tests.integration.processes import ROOT, Pipeline, pipeline

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180)]

CUSTOMER_KEY = "11999999999"


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    status: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def responses(self) -> list[dict[str, Any]]:
        return [row for row in self.rows if "metadata" in row]


@dataclass(frozen=True)
class Shell:
    """A shell beside a running pipeline."""

    place: Pipeline

    def command(
        self, *arguments: str, text: str = "", raw: bytes | None = None, env: Mapping[str, str] | None = None
    ) -> Done:
        """Run a command in this process: the interpreter's start is saved."""
        runner = CliRunner(env={**self.place.env, "COLUMNS": "160", **(env or {})})
        done = runner.invoke(app, list(arguments), input=text.encode() if raw is None else raw)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Done(done.exit_code, done.stdout, done.stderr)

    def process(self, *arguments: str, text: str = "", env: Mapping[str, str] | None = None) -> Done:
        """Run a command as a person does."""
        done = subprocess.run(
            [sys.executable, "-m", "consumers", *arguments],
            cwd=ROOT,
            env={**self.place.env, "COLUMNS": "160", **(env or {})},
            input=text.encode(),
            capture_output=True,
            timeout=100,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def chat(self, *lines: str, options: tuple[str, ...] = ()) -> Done:
        done = self.command("chat", "--script", "-", "--json", *options, text="\n".join(lines) + "\n")
        assert done.status == 0, done.err
        return done


@pytest.fixture(scope="module")
def shell(kafka: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """Topics, demo servers and all five stages, each command's own process."""
    with asyncio.Runner() as runner:
        running = pipeline(kafka, tmp_path_factory.mktemp("cli"), stages=("all",))
        place = runner.run(running.__aenter__())
        try:
            yield Shell(place)
        finally:
            runner.run(running.__aexit__(None, None, None))


def retail(*lines: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return lines, ("--agent", "retail_orders")


def test_a_script_of_three_orders_and_one_yes_ends_in_partial_success(shell: Shell, tmp_path: Path) -> None:
    script = tmp_path / "f"
    script.write_text("quero cancelar os pedidos P-100, P-101 e P-102\nsim\n", encoding="utf-8")
    done = shell.process("chat", "--agent", "retail_orders", "--script", str(script), "--json")
    assert done.status == 0, done.err
    assert [row.get("user") for row in done.rows] == [
        "quero cancelar os pedidos P-100, P-101 e P-102",
        None,
        "sim",
        None,
    ]
    question, last = done.responses
    assert question["metadata"]["kind"] == "confirmation"
    metadata = last["metadata"]
    assert metadata["multi_item_status"] == "PARTIAL_SUCCESS"
    counts = metadata["multi_item"]
    assert (counts["items_count"], counts["items_succeeded_count"], counts["items_failed_count"]) == (3, 2, 1)
    for word in ("P-100", "P-101", "P-102", "ABC1", "ABC3", "já foi enviado"):
        assert word in last["text"]


def test_a_conversation_for_people_is_shown_as_bubbles(shell: Shell) -> None:
    done = shell.command(
        "chat",
        "--agent",
        "retail_orders",
        "--script",
        "-",
        text="quero cancelar o pedido P-100\nnão\n",
        env={"COLUMNS": "100"},
    )
    assert done.status == 0, done.err
    assert "Você confirma o cancelamento de P-100?" in done.out
    assert "╭" in done.out


def test_a_duplicate_is_sent_and_changes_nothing(shell: Shell) -> None:
    done = shell.chat(*["quero cancelar os pedidos P-100 e P-102", "sim", "@duplicate"], options=retail()[1])
    assert [row["metadata"]["kind"] for row in done.responses] == ["confirmation", "final"]
    first, again = [row for row in done.rows if row.get("user") == "sim"]
    assert first["message_id"] == again["message_id"]
    assert again["duplicate"] is True


def test_two_customers_interleave_in_one_script(shell: Shell) -> None:
    done = shell.chat(
        "quero cancelar o pedido P-100",
        "@session maria",
        "quero cancelar os pedidos P-101 e P-102",
        "sim",
        "@session maria",
        "obrigada",
        options=retail()[1],
    )
    by_session: dict[str, list[str]] = {}
    for row in done.responses:
        by_session.setdefault(row["session_id"], []).append(row["metadata"]["kind"])
    assert len(by_session) == 2
    assert min(kinds[:2] for kinds in by_session.values()) == ["confirmation"]


def test_messages_sent_without_waiting_are_all_answered_in_the_end(shell: Shell) -> None:
    done = shell.chat("@nowait quero cancelar os pedidos P-100 e P-102", "sim", options=retail()[1])
    assert "confirmation" in [row["metadata"]["kind"] for row in done.responses]
    assert done.rows[-1]["metadata"]["kind"] in {"confirmation", "final"}


def test_an_answer_that_does_not_come_is_told_with_what_was_awaited(shell: Shell) -> None:
    unread = {"PIPELINE__PREFIX": f"{shell.place.prefix}.nobody"}
    assert shell.command("topics", "ensure", env=unread).status == 0
    done = shell.command("chat", "--script", "-", "--timeout", "2", text="oi\n", env=unread)
    assert done.status == 1
    assert "No answer within 2 s" in done.err
    assert "is the pipeline running" in done.err
    assert "Traceback" not in done.err


def test_a_trace_tells_the_flow_and_hides_what_is_personal(shell: Shell) -> None:
    done = shell.chat(
        "quero cancelar TIM Fashion e Neymar Jr",
        "sim",
        options=("--agent", "telecom_contas", "--customer", CUSTOMER_KEY, "--session", "traced-1"),
    )
    key = done.responses[-1]["session_id"]
    told = shell.command("trace", key, "--json")
    assert told.status == 0, told.err
    rows = told.rows
    kinds = [(row["kind"], row["what"]) for row in rows]
    assert kinds[0][0] == "request"
    order = [
        "IC.GATEWAY_RECEIVED",
        "IC.INTENT_DETECTED",
        "IC.TRANSACTION_PREVALIDATION_REQUESTED",
        "IC.TRANSACTION_PREVALIDATION_PASSED",
        "IC.TRANSACTION_CONFIRMATION_REQUIRED",
        "IC.TRANSACTION_CONFIRMATION_ACCEPTED",
        "IC.MCP_TOOL_REQUESTED",
        "IC.MCP_TOOL_EXECUTED",
        "IC.TRANSACTION_COMPLETED",
        "IC.AGENT_COMPLETED",
    ]
    seen = [what for _, what in kinds]
    places = [seen.index(what) for what in order]
    assert places == sorted(places)
    assert ("call", "call cancelar_produtos") in kinds
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
    assert CUSTOMER_KEY not in told.out
    assert CUSTOMER_KEY in shell.command("trace", key, "--show-content", "--json").out
    events = "\n".join(json.dumps(row["value"]) for row in rows if row["kind"] == "event")
    assert CUSTOMER_KEY not in events
    assert "Neymar" not in events
    table = shell.command("trace", "traced-1")
    assert table.status == 0, table.err
    assert "IC.AGENT_COMPLETED" in table.out
    one = shell.command("trace", key, "--transaction", done.responses[0]["metadata"]["transaction_id"], "--json")
    assert {row["kind"] for row in one.rows} >= {"request", "event", "record", "response"}
    assert shell.command("trace", "default:retail_orders:nobody").status == 1


def test_tail_shows_what_is_kept_and_stops_at_the_end(shell: Shell) -> None:
    done = shell.chat("quero cancelar os pedidos P-100 e P-101", "sim", options=retail()[1])
    key = done.responses[-1]["session_id"]
    told = shell.command("tail", "events.ic", "--from-beginning", "--exit-at-end", "--json", "--key", key)
    assert told.status == 0, told.err
    types = [row["value"]["event_type"] for row in told.rows]
    assert types[0] == "IC.GATEWAY_RECEIVED"
    assert types[-1] == "IC.AGENT_COMPLETED"
    assert {row["key"] for row in told.rows} == {key}
    shown = shell.command("tail", shell.place.named("events.ic"), "--from-beginning", "--exit-at-end")
    assert "IC.AGENT_COMPLETED" in shown.out
    wrong = shell.command("tail", "events.icc")
    assert wrong.status == 2
    assert "events.ic" in wrong.err


def good(session: str, message: str = "quero cancelar o pedido P-100") -> dict[str, Any]:
    return {
        "channel": "web",
        "tenant_id": "default",
        "agent_id": "retail_orders",
        "payload": {"message": message, "session_id": session, "message_id": f"m-{session}"},
    }


def bad_records() -> list[tuple[str, bytes]]:
    """Eight bad records of eight kinds, with the field that the dead letter names."""

    def line(session: str, **changes: Any) -> bytes:
        return json.dumps({**good(session), **changes}, ensure_ascii=False).encode()

    no_message = good("bad-3")
    del no_message["payload"]["message_id"]
    newer = good("bad-7")
    newer["payload"]["metadata"] = {"contract_version": "gateway-request-v2"}
    return [
        ("value", b'{"channel": "web", '),
        ("value", b'{"channel": "web\xff\xfe"}'),
        ("payload.message_id", json.dumps(no_message).encode()),
        ("tenant_id", line("bad-4", tenant_id="nobody")),
        ("agent_id", line("bad-5", agent_id="nobody")),
        ("channel", line("bad-6", channel="fax")),
        ("payload.metadata.contract_version", json.dumps(newer).encode()),
        ("payload.message", json.dumps(good("bad-8", "a" * 20_000)).encode()),
    ]


def test_eight_bad_records_are_eight_dead_letters_and_the_ninth_is_answered(shell: Shell) -> None:
    fields, lines = zip(*bad_records(), strict=True)
    ninth = json.dumps(good("ninth")).encode()
    sent = shell.command("send", "-", "--raw", raw=b"\n".join((*lines, ninth)) + b"\n")
    assert sent.status == 0, sent.err
    assert "9 of 9 sent" in sent.err
    deadline = time.monotonic() + 40
    while True:
        answered = shell.command("tail", "channel.web.responses", "--from-beginning", "--exit-at-end", "--json").rows
        if any(row["key"] == "default:retail_orders:ninth" for row in answered):
            break
        assert time.monotonic() < deadline, "the ninth record was not answered"
    dead = shell.command("tail", "dlq.reconcile", "--from-beginning", "--exit-at-end", "--json").rows
    assert len(dead) == 8
    assert sorted(row["headers"]["dlq_field"] for row in dead) == sorted(fields)
    told = {row["key"] for row in answered if row["value"]["metadata"]["kind"] == "notice"}
    assert {"default:retail_orders:bad-7", "default:retail_orders:bad-8"} <= told
    shown = shell.command("tail", "dlq.reconcile", "--from-beginning", "--exit-at-end").out
    assert "payload.message_id" in shown
    assert "gateway.requests" in shown


def test_a_line_that_is_no_request_sends_nothing(shell: Shell) -> None:
    text = json.dumps(good("unsent")) + '\n{"channel": "web"}\n'
    done = shell.command("send", "-", text=text)
    assert done.status == 2
    assert "line 2: payload is required" in done.err
    assert "Nothing was sent" in done.err
    kept = shell.command("tail", "gateway.requests", "--from-beginning", "--exit-at-end").out
    assert "unsent" not in kept


@pytest.mark.parametrize("options", [("--no-key",), ("--partition", "3")], ids=["no key", "one partition"])
def test_a_request_in_the_wrong_place_is_answered_all_the_same(shell: Shell, options: tuple[str, ...]) -> None:
    session = f"moved{'-'.join(options).strip('-')}"
    assert shell.command("send", "-", *options, text=json.dumps(good(session)) + "\n").status == 0
    key = f"default:retail_orders:{session}"
    deadline = time.monotonic() + 40
    while not shell.command(
        "tail", "channel.web.responses", "--from-beginning", "--exit-at-end", "--json", "--key", key
    ).rows:
        assert time.monotonic() < deadline, "no answer"


def test_topics_are_as_they_should_be(shell: Shell) -> None:
    assert shell.command("topics", "check").status == 0
    rows = shell.command("topics", "list", "--json").rows
    assert {row["partitions"] for row in rows if row["kind"] == "input"} == {4}
    missing = shell.command("topics", "check", env={"PIPELINE__PREFIX": "nobody-made-these"})
    assert missing.status == 1
    assert "topics ensure" in missing.err


def test_run_demo_plays_the_conversation_and_leaves_nothing(kafka: str, tmp_path: Path, shell: Shell) -> None:
    env = {"PIPELINE__PREFIX": f"{shell.place.prefix}.demo", "PIPELINE_DEMO_PORT": str(free_pair()[0])}
    ledger = {"PIPELINE_DEMO_LEDGER": str(tmp_path / "ledger.sqlite3")}
    done = shell.process("run-demo", env={**env, **ledger})
    assert done.status == 0, done.err
    assert "PARTIAL_SUCCESS: 2 of 3" in done.out
    assert "Aya Audiobooks Premium" in done.out
    assert "IC.AGENT_COMPLETED" in done.out
    assert processes_with(env["PIPELINE__PREFIX"]) == []


def processes_with(prefix: str) -> list[str]:
    """Command lines of processes that were started for an installation."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get("PIPELINE__PREFIX") == prefix:
                found.append(" ".join(process.cmdline()))
    return found


def test_a_second_dev_says_that_one_runs_and_the_first_ends_in_order(kafka: str, tmp_path: Path, shell: Shell) -> None:
    env = {
        "PIPELINE__PREFIX": f"{shell.place.prefix}.dev",
        "PIPELINE_DEMO_PORT": str(free_pair()[0]),
        "PIPELINE_DEMO_LEDGER": str(tmp_path / "ledger.sqlite3"),
    }
    log = tmp_path / "dev.log"
    with log.open("wb") as output:
        first = subprocess.Popen(
            [sys.executable, "-m", "consumers", "dev"],
            cwd=ROOT,
            env={**shell.place.env, **env},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            deadline = time.monotonic() + 60
            while "Everything runs" not in log.read_text("utf-8"):
                assert first.poll() is None, log.read_text("utf-8")[-3000:]
                assert time.monotonic() < deadline, log.read_text("utf-8")[-3000:]
                time.sleep(0.1)  # another process is waited for
            second = shell.process("dev", env=env)
            assert second.status == 1
            assert f"pid {first.pid}" in second.err
            assert "Traceback" not in second.err
            first.send_signal(signal.SIGINT)
            assert first.wait(30) == 0
            assert processes_with(env["PIPELINE__PREFIX"]) == []
        finally:
            if first.poll() is None:
                first.kill()
                first.wait()
