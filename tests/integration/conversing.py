"""Plays tests/conversations/ against the real pipeline: real processes, real Kafka, real MCP servers, all of them at once.

Owns: the three places (see Conversation.place), one gateway per channel and place, fresh customers, what was told and done.
Invariants: a turn ends when the pipeline has settled it (consumers/cli/gateway) and as many answers as expected have come; whatever
comes beyond that shows in the next turn or at the end, so nothing that is told goes unseen.
"""

import asyncio
import contextlib
import itertools
import secrets
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from consumers.cli.gateway import CustomerSession, Gateway
from consumers.cli.script import Duplicate, Say, Speaker, Wait
from contracts.channel_response import ChannelResponse
from pipeline.settings import PipelineSettings, load_settings
from tests.conversations.transcript import Conversation, load, names
from tests.integration.processes import Pipeline, pipeline

TURN_S = 60.0
EVENTS = ("events.ic", "events.noc", "events.grl")
IMPATIENT = {
    f"PIPELINE__TIMING__{name}": "3000" for name in ("CONFIRMATION_TTL_MS", "COLLECTING_TTL_MS", "SEND_DEADLINE_MS")
}
ITEMS = {"TIM Fashion", "Audiobooks", "Neymar", "Deezer", "HBO", "Som e Imagem", "P-100", "P-101", "P-102", "P-999"}
_SESSIONS = itertools.count(1)


@dataclass
class Played:
    """What came of a conversation."""

    turns: list[list[str]]
    """What was told, turn by turn; one more for what came after the last."""
    last: dict[str, Any]
    """Metadata of the last answer."""
    effects: list[str]
    keys: list[str]
    """Of its conversations."""
    failure: str | None = None
    """Why it could not be played to its end."""


@dataclass
class Hall:
    """One pipeline with a gateway per channel."""

    pipeline: Pipeline
    settings: PipelineSettings
    heard: dict[str, list[ChannelResponse]] = field(default_factory=dict)
    secrets: set[str] = field(default_factory=set)
    """Business keys of everybody who spoke."""
    gateways: dict[str, Gateway] = field(default_factory=dict)

    def hear(self, response: ChannelResponse) -> None:
        self.heard.setdefault(response.session_id, []).append(response)

    async def play(self, conversation: Conversation) -> Played:
        """Play one to its end, or as far as it goes."""
        talk = _Talk(self, conversation)
        try:
            await talk.play()
        except Exception as error:
            talk.failure = f"{type(error).__name__}: {error}"
        return talk.played()


class _Talk:
    """One conversation while it is played."""

    def __init__(self, hall: Hall, conversation: Conversation) -> None:
        self._hall = hall
        self._conversation = conversation
        self._gateway = hall.gateways[conversation.channel]
        self._sessions: dict[str, CustomerSession] = {}
        self._taken: dict[str, int] = {}
        self._turns: list[list[str]] = []
        self._now = self._speaker("")
        self.failure: str | None = None

    def _speaker(self, name: str) -> CustomerSession:
        if name not in self._sessions:
            talk = self._conversation
            key = "-".join(part for part in (talk.customer, name, secrets.token_hex(4)) if part)
            session = CustomerSession(
                tenant="default",
                agent=talk.agent,
                channel=talk.channel,
                session=f"s{next(_SESSIONS)}",
                context={**talk.business_context, "customer_key": key},
                locale=talk.locale,
            )
            self._hall.secrets.update(session.context.values())
            self._gateway.know(session)
            self._sessions[name] = session
            self._taken[name] = 0
        return self._sessions[name]

    def _told(self, session: CustomerSession) -> list[ChannelResponse]:
        return self._hall.heard.get(session.key, [])

    async def play(self) -> None:
        for turn in self._conversation.turns:
            now = self._now
            settled = True
            match turn.step:
                case Speaker(name):
                    now = self._now = self._speaker(name)
                case Wait():
                    pass  # what is told then is awaited; nothing is slept for
                case Duplicate():
                    await self._gateway.say_again(now)
                case Say() as step:
                    token = now.token if step.button else None
                    assert token or not step.button, "no question with a button was asked yet"
                    await self._gateway.say(now, step.text, confirmation=token, interrupted=step.interrupted or None)
                    settled = step.wait
            if settled:
                await self._gateway.settled(now, TURN_S)
                await self._until(now, len(turn.answers))
            self._turns.append(self._take(now, at_most=len(turn.answers)) if settled else [])
        for session in self._sessions.values():
            await self._gateway.settled(session, TURN_S)

    async def _until(self, session: CustomerSession, count: int) -> None:
        """Wait until so many new answers have come."""
        name = self._name(session)
        async with asyncio.timeout(TURN_S):
            while len(self._told(session)) - self._taken[name] < count:
                await asyncio.sleep(0.05)  # the gateway tells by a plain function

    def _name(self, session: CustomerSession) -> str:
        return next(name for name, one in self._sessions.items() if one is session)

    def _take(self, session: CustomerSession, at_most: int | None = None) -> list[str]:
        """What is new; beyond `at_most` it is left to the next turn: an expiry may come before it is waited for."""
        name = self._name(session)
        new = self._told(session)[self._taken[name] :][:at_most]
        self._taken[name] += len(new)
        return [response.text for response in new]

    def played(self) -> Played:
        late = [text for session in self._sessions.values() for text in self._take(session)]
        responses = self._told(self._now)
        return Played(
            turns=[*self._turns, late],
            last=responses[-1].model_dump(mode="json")["metadata"] if responses else {},
            effects=sorted(self._effects()),
            keys=[session.key for session in self._sessions.values()],
            failure=self.failure,
        )

    def _effects(self) -> Iterable[str]:
        for name, session in self._sessions.items():
            for effect in self._hall.pipeline.effects(session.context["customer_key"]):
                times = "" if effect.executions == 1 else f" ({effect.executions} times)"
                yield f"{name + ': ' if name else ''}{effect.tool} {effect.item}{times}"


@contextlib.asynccontextmanager
async def hall(bootstrap: str, folder: Path, env: dict[str, str] | None = None) -> AsyncIterator[Hall]:
    """A pipeline and its gateways for the length of a block."""
    folder.mkdir()  # noqa: ASYNC240
    async with contextlib.AsyncExitStack() as stack:
        place = await stack.enter_async_context(pipeline(bootstrap, folder, env=env))
        found = Hall(place, load_settings(place.config, prefix=place.prefix))
        for channel in ("web", "whatsapp", "voice"):
            gateway = Gateway(found.settings, bootstrap, channel, found.hear)
            found.gateways[channel] = await stack.enter_async_context(gateway)
        yield found


@dataclass
class Season:
    """All conversations of a run."""

    played: dict[str, Played]
    leaks: list[str]
    """What of a customer's was found in an event."""
    events: int = 0
    """How many events were looked through."""


async def play_all(bootstrap: str, folder: Path, chosen: Iterable[str] | None = None) -> Season:
    """Play every conversation, those of one place at the same time."""
    wanted = {name: load(name) for name in (names() if chosen is None else chosen)}
    by_place = {
        place: {n: c for n, c in wanted.items() if c.place == place} for place in ("usual", "impatient", "server_down")
    }
    season = Season({}, [])

    async def together(where: Hall, conversations: dict[str, Conversation]) -> None:
        results = await asyncio.gather(*(where.play(conversation) for conversation in conversations.values()))
        season.played.update(zip(conversations, results, strict=True))

    async def usual() -> None:
        async with hall(bootstrap, folder / "usual") as where:
            await together(where, by_place["usual"])
            await look(where, season)

    async def others() -> None:
        async with hall(bootstrap, folder / "impatient", IMPATIENT) as where:
            await together(where, by_place["impatient"])
            (demo,) = [process for process in where.pipeline.processes if process.name == "demo"]
            await demo.kill()
            await together(where, by_place["server_down"])
            await look(where, season)

    async with asyncio.TaskGroup() as group:
        if by_place["usual"]:
            group.create_task(usual())
        if by_place["impatient"] or by_place["server_down"]:
            group.create_task(others())
    return season


async def look(where: Hall, season: Season) -> None:
    """Business keys, products and orders that appear in an event, and in which."""
    secret = where.secrets | ITEMS
    for record in await where.pipeline.records(*EVENTS):
        season.events += 1
        text = orjson.dumps(record["value"]).decode() + str(record["headers"])
        season.leaks += [f"{one} in {record['value'].get('event_type')}: {text}" for one in secret if one in text]
