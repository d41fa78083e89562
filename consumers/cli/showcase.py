"""`run-demo`, which `make run` calls: everything started, one conversation played as the customer sees it, then what happened.

Invariants: it ends with an error when the conversation did not end as promised; without a terminal it ends by itself and leaves no
process; in a terminal it goes on as a chat.
"""

import asyncio
import contextlib
import signal
import sys
import time
from typing import TYPE_CHECKING

from rich.rule import Rule

from consumers.cli import bubbles
from consumers.cli.chat import Talk, speaker_of
from consumers.cli.demo import LOGS
from consumers.cli.dev import AlreadyRunning, Ground, ground, progress, stages
from consumers.cli.options import CONFIG, Config, configuration
from consumers.cli.script import Say
from consumers.cli.terminal import CommandError, errors_in_one_sentence, out, run, say
from consumers.logs import LogFormat, setup

if TYPE_CHECKING:
    from contracts.channel_response import ChannelResponse

AGENT = "telecom_contas"
SCRIPT = (Say("quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr"), Say("sim"))
PROMISED = ("PARTIAL_SUCCESS", 3, 2, 1)
TURN_S = 30.0


def command(config: Config = CONFIG) -> None:
    """Start everything, play a customer who cancels three products with one sentence and one yes, and show what happened.

    Beside a running `dev` its stages are used. In a terminal it goes on as a chat; otherwise it exits and leaves nothing behind.
    Exits 1 when something cannot start or the conversation does not end as promised; the log is in .pipeline/logs.
    """
    began = time.monotonic()
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / "run-demo.log"
    with log.open("w", encoding="utf-8") as stream, errors_in_one_sentence():
        setup(LogFormat.CONSOLE, stream=stream)
        loaded = configuration(config)
        try:
            with contextlib.ExitStack() as stack:
                with progress("starting") as tell:
                    under = stack.enter_context(ground(loaded, tell))
                run(_started(under, began))
        except AlreadyRunning as running:
            say(f"A `dev` runs already (pid {running.pid}); its stages are used.")
            run(_played(Ground(loaded, running.bootstrap)))
        except CommandError as error:
            raise CommandError(f"{error} The log is {log}.", code=error.code) from None


async def _started(under: Ground, began: float) -> None:
    """Start the stages and play; whichever ends first ends the other. SIGTERM ends it as Ctrl-C does."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, _this_task().cancel)
    async with contextlib.AsyncExitStack() as stack:
        with progress("starting") as tell:
            _, work = await stack.enter_async_context(stages(under, tell, own_signals=False))
        say(f"Kafka, the demo MCP servers and five stages: ready in {time.monotonic() - began:.1f} s")
        played = asyncio.create_task(_played(under), name="conversation")
        try:
            await asyncio.wait({played, work}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not played.done():
                played.cancel()
                await asyncio.gather(played, return_exceptions=True)
        if not work.done():
            await played


def _this_task() -> "asyncio.Task[object]":
    task = asyncio.current_task()
    assert task is not None
    return task


async def _played(under: Ground) -> None:
    """The conversation, its result, its events; then a chat where a person is there."""
    from consumers.cli.trace import as_table, collect
    from consumers.cli.trace_rows import only, rows_of

    speaker = speaker_of(under.configuration, agent=AGENT)
    talk = Talk(under.configuration, under.bootstrap, speaker, timeout=TURN_S)
    async with talk.gateway() as gateway:
        gateway.know(speaker)
        out.print(Rule(f"customer of {AGENT}"), soft_wrap=False)
        for step in SCRIPT:
            await talk.speak(gateway, speaker, step)
        result = _checked(talk.responses)
        out.print(Rule("what became of each item"), soft_wrap=False)
        out.print(bubbles.items(result), soft_wrap=False)
        records = await collect(under.configuration, under.bootstrap, speaker.key)
        out.print(Rule(f"events of {speaker.key}"), soft_wrap=False)
        out.print(as_table(only(rows_of(records), "request", "event", "call", "response")), soft_wrap=False)
        say(f"All of it, while Kafka runs (`make dev`): .venv/bin/python -m consumers trace {speaker.key}")
        if sys.stdin.isatty():
            await talk.by_hand(gateway)


def _checked(responses: "list[ChannelResponse]") -> "ChannelResponse":
    """The last answer, when it is what this demo promises. Raises: CommandError."""
    last = responses[-1] if responses else None
    counts = last.metadata.multi_item if last else None
    if last is None or counts is None:
        raise CommandError("The conversation did not end with a result for several items: see the answers above.")
    said = (counts.status.value, counts.items_count, counts.items_succeeded_count, counts.items_failed_count)
    if said != PROMISED:
        raise CommandError(f"The conversation ended with {said}, not with {PROMISED}: see the answers above.")
    return last
