"""`chat`: be a customer, by hand or by a script."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from consumers.cli import bubbles
from consumers.cli.options import CONFIG, AsJson, Config, cluster_of, configuration
from consumers.cli.script import Duplicate, Say, Speaker, Step, Wait, parse
from consumers.cli.terminal import WRONG, CommandError, err, errors_in_one_sentence, out, run
from consumers.logs import LogFormat, setup

if TYPE_CHECKING:
    from consumers.cli.gateway import CustomerSession, Gateway
    from consumers.configuration import Configuration
    from contracts.channel_response import ChannelResponse

TIMEOUT_S = 60.0
PREFERRED_CHANNEL = "web"


def command(
    *,
    script: Annotated[
        str | None, typer.Option(metavar="FILE", help="What the customer says, a line a message; - reads stdin.")
    ] = None,
    as_json: AsJson = False,
    agent: Annotated[str | None, typer.Option(help="Default: the first of agents.yaml.")] = None,
    channel: Annotated[str | None, typer.Option(help="Default: web where it is configured, else the first.")] = None,
    locale: Annotated[str | None, typer.Option(help="pt-BR, en or es. Default: the agent's.")] = None,
    tenant: Annotated[str | None, typer.Option(help="Default: the first that has the agent.")] = None,
    session: Annotated[str | None, typer.Option(help="Session to go on with. Default: a new one.")] = None,
    customer: Annotated[str | None, typer.Option(help="customer_key. Default: a customer nobody has seen.")] = None,
    context: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="Another business key, such as contract_key=F-1.")
    ] = None,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", help="Longest wait for one answer.")] = TIMEOUT_S,
    config: Config = CONFIG,
) -> None:
    """Talk to a running pipeline (`dev`, or `run all`) as a customer; Ctrl-D ends it.

    A script sends each line when the answer to the one before has come. Lines that begin with # are comments; @duplicate sends the
    message before again with the same id; @nowait TEXT does not await the answer; @wait MS lets time pass; @session NAME switches to
    another customer in a session of their own; @button TEXT replies by the button; @interrupted TEXT is a voice turn that broke off;
    @say TEXT says a text that begins with # or @. With --json every message and every ChannelResponse is one JSON line.
    Exits 0 when all was answered, 1 when an answer did not come in time.
    """
    setup(LogFormat.AUTO, level=50)
    with errors_in_one_sentence():
        loaded = configuration(config)
        steps = _steps(script) if script is not None else None
        if steps is None and (as_json or not sys.stdin.isatty()):
            raise CommandError("Without a terminal `chat` needs --script FILE (--script - reads stdin).", code=WRONG)
        speaker = speaker_of(
            loaded,
            agent=agent,
            channel=channel,
            tenant=tenant,
            locale=locale,
            session=session,
            customer=customer,
            context=context or [],
        )
        bootstrap = cluster_of(loaded.settings)
    talk = Talk(loaded, bootstrap, speaker, timeout=timeout, as_json=as_json)
    run(talk.play(steps) if steps is not None else talk.by_hand())


def _steps(script: str) -> list[Step]:
    if script == "-":
        return parse(sys.stdin.read(), name="stdin")
    try:
        return parse(Path(script).read_text(encoding="utf-8"), name=script)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise CommandError(f"The script {script} cannot be read: {reason}.", code=WRONG) from None


def speaker_of(
    loaded: "Configuration",
    *,
    agent: str | None = None,
    channel: str | None = None,
    tenant: str | None = None,
    locale: str | None = None,
    session: str | None = None,
    customer: str | None = None,
    context: Sequence[str] = (),
) -> "CustomerSession":
    """Who speaks to whom, defaults filled in from the configuration. Raises: CommandError naming what exists."""
    from consumers.cli.gateway import CustomerSession, fresh

    installation = loaded.installation
    chosen = agent or installation.default_agent_id or next(iter(installation.agents), "")
    if chosen not in installation.agents:
        raise CommandError(f"There is no agent {chosen!r}: {', '.join(installation.agents)}.", code=WRONG)
    channels = installation.channels
    named = channel or (PREFERRED_CHANNEL if PREFERRED_CHANNEL in channels else next(iter(channels), ""))
    if named not in channels:
        raise CommandError(f"There is no channel {named!r}: {', '.join(channels)}.", code=WRONG)
    allowed = [name for name in installation.tenants if installation.agent_allowed(chosen, name)]
    whose = tenant or installation.default_tenant or next(iter(allowed), "")
    if whose not in installation.tenants:
        raise CommandError(f"There is no tenant {whose!r}: {', '.join(installation.tenants)}.", code=WRONG)
    keys = dict(pair.partition("=")[::2] for pair in context)
    if not all(keys.values()):
        raise CommandError("--context takes KEY=VALUE, such as contract_key=F-1.", code=WRONG)
    return CustomerSession(
        tenant=whose,
        agent=chosen,
        channel=named,
        session=session or fresh("chat"),
        context={"customer_key": customer or fresh("customer"), **keys},
        locale=locale,
    )


class Talk:
    """A customer, or several, at a terminal or in a script."""

    def __init__(
        self,
        loaded: "Configuration",
        bootstrap: str,
        speaker: "CustomerSession",
        *,
        timeout: float,
        as_json: bool = False,
    ) -> None:
        self._loaded = loaded
        self._bootstrap = bootstrap
        self._speaker = speaker
        self._timeout = timeout
        self._as_json = as_json
        self._markdown = loaded.installation.channels[speaker.channel].format == "markdown"
        self.responses: list[ChannelResponse] = []

    def gateway(self) -> "Gateway":
        """A gateway that shows what it reads."""
        from consumers.cli.gateway import Gateway

        return Gateway(self._loaded.settings, self._bootstrap, self._speaker.channel, self.show)

    def show(self, response: "ChannelResponse") -> None:
        """Show an answer."""
        self.responses.append(response)
        if self._as_json:
            print(json.dumps(response.model_dump(mode="json", exclude_none=True), ensure_ascii=False), flush=True)
            return
        bubbles.show(out, bubbles.agent(response, markdown=self._markdown))

    def _show_said(self, session: "CustomerSession", text: str, **more: object) -> None:
        if self._as_json:
            line = {"user": text, "session_id": session.session, "conversation_key": session.key, **more}
            print(json.dumps(line, ensure_ascii=False), flush=True)
        else:
            name = "" if session is self._speaker else session.session.removeprefix(f"{self._speaker.session}-")
            bubbles.show(out, bubbles.customer(text, name))

    async def play(self, steps: list[Step]) -> None:
        """Play a script. Raises: CommandError, Retriable."""
        async with self.gateway() as gateway:
            sessions = {"": self._speaker}
            gateway.know(self._speaker)
            now = self._speaker
            for step in steps:
                match step:
                    case Speaker(name):
                        now = sessions.get(name) or self._another(name)
                        sessions[name] = now
                        gateway.know(now)
                    case Wait(ms):
                        await asyncio.sleep(ms / 1000)  # what the script asks for: real time
                    case Duplicate():
                        again = await gateway.say_again(now)
                        self._show_said(now, again.payload.message, message_id=again.payload.message_id, duplicate=True)
                        await gateway.settled(now, self._timeout)
                    case Say():
                        await self.speak(gateway, now, step)
            for session in sessions.values():
                await gateway.settled(session, self._timeout)

    async def speak(self, gateway: "Gateway", session: "CustomerSession", step: Say) -> None:
        """Say one thing and, unless the step says otherwise, wait until all is answered. Raises: CommandError, Retriable."""
        token = session.token if step.button else None
        if step.button and token is None:
            raise CommandError("@button: no question with a button was asked yet.", code=WRONG)
        request = await gateway.say(session, step.text, confirmation=token, interrupted=step.interrupted or None)
        self._show_said(session, step.text, message_id=request.payload.message_id)
        if step.wait:
            await gateway.settled(session, self._timeout)

    def _another(self, name: str) -> "CustomerSession":
        from dataclasses import replace

        from consumers.cli.gateway import fresh

        return replace(
            self._speaker,
            session=f"{self._speaker.session}-{name}",
            context={**self._speaker.context, "customer_key": fresh(f"customer-{name}")},
            last=None,
            token=None,
            sent=0,
            unheard=set(),
            unheard_duplicates=0,
            state=None,
        )

    async def by_hand(self, gateway: "Gateway | None" = None) -> None:
        """Talk until the person ends it. Raises: Retriable."""
        if gateway is None:
            async with self.gateway() as own:
                own.know(self._speaker)
                await self.by_hand(own)
            return
        err.print(
            f"You are a customer of {self._speaker.agent} ({self._speaker.key}); Ctrl-D ends the chat.", markup=False
        )
        _prompt()
        async for line in lines_of(sys.stdin.fileno()):
            if text := line.strip():
                await gateway.say(self._speaker, text)
                try:
                    await gateway.settled(self._speaker, self._timeout)
                except CommandError as error:
                    err.print(str(error), style="red", markup=False)
            _prompt()


def _prompt() -> None:
    sys.stderr.write("› ")
    sys.stderr.flush()


async def lines_of(descriptor: int) -> AsyncIterator[str]:
    """Lines of a terminal or pipe while the event loop turns; no thread that could not be ended."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    held = b""
    loop.add_reader(descriptor, ready.set)
    try:
        while True:
            await ready.wait()
            ready.clear()
            chunk = os.read(descriptor, 65_536)
            if not chunk:
                if held:
                    yield held.decode("utf-8", "replace")
                return
            *lines, held = (held + chunk).split(b"\n")
            for line in lines:
                yield line.decode("utf-8", "replace")
    finally:
        loop.remove_reader(descriptor)
