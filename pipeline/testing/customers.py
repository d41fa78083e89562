"""Scripted customers: how they speak, what they wait for, and how they hear (what they say: pipeline/testing/scripts).

Invariants: a customer's items are nobody else's, so that any trace of one in another's
conversation is a leak; every message has an id of its own unless a fault sends it twice. Never: random: what is drawn is in the plan.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from contracts.channel_response import ChannelResponse, ResponseKind
from contracts.identity import conversation_key
from pipeline.runtime.ports import RawRecord
from pipeline.testing.gateway import Gateway
from pipeline.testing.loop import NOBODY, VirtualLoop

PATIENCE_S = 40.0
"""How long a customer waits for an answer; beyond it the script goes on."""

QUESTION, CONFIRMATION, FINAL, NOTICE = (
    ResponseKind.QUESTION,
    ResponseKind.CONFIRMATION,
    ResponseKind.FINAL,
    ResponseKind.NOTICE,
)

Script = Callable[["Customer", tuple[str, ...]], Awaitable[None]]
"""What a customer says about some items."""


@dataclass(frozen=True, kw_only=True)
class CustomerPlan:
    """A customer as drawn."""

    name: str
    tenant_id: str
    agent_id: str
    session_id: str
    channel: str
    scripts: tuple[tuple[str, tuple[str, ...]], ...]
    """(script, items), one after the other."""
    begins_s: float
    pace_s: float
    """Between hearing and speaking."""
    glitches: Mapping[int, str] = field(default_factory=dict)
    """Number of a message, from 1 → what the gateway does wrong: twice, late, key, partition, keyless."""


@dataclass(slots=True)
class Said:
    """A message as it was sent."""

    message_id: str
    text: str
    at_s: float
    button_of: str | None = None
    """Transaction/revision whose button was pressed: such a yes is for that proposal alone."""


class Customer:
    """One customer in one conversation."""

    def __init__(self, plan: CustomerPlan, loop: VirtualLoop, gateway: Gateway, scripts: Mapping[str, Script]) -> None:
        self.plan = plan
        self._scripts = scripts
        self.conversation = conversation_key(plan.tenant_id, plan.agent_id, plan.session_id)
        self.said: list[Said] = []
        self.heard: list[ChannelResponse] = []
        self.unanswered: list[str] = []
        """Message ids after which nothing was heard in time."""
        self.done = False
        self._loop = loop
        self._gateway = gateway
        self._inbox: list[ChannelResponse] = []
        self._news = asyncio.Event()
        gateway.inboxes[self.conversation] = self._hear

    def start(self) -> None:
        """Begin the scripts when it is time."""
        self._loop.create_task(self._live(), name=self.plan.name, context=NOBODY.copy())

    async def _live(self) -> None:
        await asyncio.sleep(self.plan.begins_s)  # virtual
        for script, items in self.plan.scripts:
            self._inbox.clear()
            await self._scripts[script](self, items)
        self.done = True

    def _hear(self, response: ChannelResponse, record: RawRecord) -> None:  # noqa: ARG002
        self.heard.append(response)
        self._inbox.append(response)
        self._news.set()

    # --- what scripts use ---

    @property
    def retail(self) -> bool:
        """Whether it talks to the retail agent."""
        return self.plan.agent_id == "retail_orders"

    async def say(self, text: str, *, button: ChannelResponse | None = None, pause_s: float | None = None) -> None:
        """Send a message after the usual pause; `button`: the question whose button is pressed."""
        await asyncio.sleep(self.plan.pace_s if pause_s is None else pause_s)  # virtual
        number = len(self.said) + 1
        glitch = self.plan.glitches.get(number, "")
        message_id = f"{self.plan.name}-{number}"
        pressed = button.metadata if button is not None else None
        button_of = f"{pressed.transaction_id}/{pressed.revision}" if pressed is not None else None
        self.said.append(Said(message_id, text, self._loop.time(), button_of))
        handle = pressed.confirmation if pressed is not None else None
        request = self.request(message_id, text, token=handle.token if handle is not None else None)
        misplaced = glitch if glitch in {"key", "partition", "keyless"} else ""
        if glitch == "late":
            self._loop.later(0.4, lambda: self._gateway.put(request))
            return
        self._gateway.put(request, misplaced=misplaced)
        if glitch == "twice":
            self._loop.later(0.15, lambda: self._gateway.put(request))

    def request(self, message_id: str, text: str, *, token: str | None = None) -> dict[str, Any]:
        """A GatewayRequest of this customer."""
        return {
            "channel": self.plan.channel,
            "tenant_id": self.plan.tenant_id,
            "agent_id": self.plan.agent_id,
            "payload": {
                "message": text,
                "session_id": self.plan.session_id,
                "message_id": message_id,
                "user_id": f"user of {self.plan.name}",
                "business_context": {"customer_key": f"customer of {self.plan.name}"},
                "metadata": {"confirmation": token} if token else {},
            },
        }

    async def hear(self, *kinds: ResponseKind, patience_s: float = PATIENCE_S) -> ChannelResponse | None:
        """The next response of one of these kinds; None when patience ends first."""
        until = self._loop.time() + patience_s
        while True:
            while self._inbox:
                response = self._inbox.pop(0)
                if response.metadata.kind in kinds:
                    return response
            self._news.clear()
            left = until - self._loop.time()
            if left <= 0:
                self.unanswered.append(self.said[-1].message_id)
                return None
            try:
                async with asyncio.timeout(left):
                    await self._news.wait()
            except TimeoutError:
                pass

    async def ask(self, items: tuple[str, ...], verb: str = "cancelar") -> ChannelResponse | None:
        """Ask for something about items. Returns: the confirmation; None when it ended otherwise."""
        await self.say(f"{verb} {listed(items)}")
        return await self.confirmation()

    async def confirmation(self) -> ChannelResponse | None:
        """Wait for the confirmation; a question for a parameter is walked away from."""
        answer = await self.hear(CONFIRMATION, QUESTION, FINAL)
        if answer is not None and answer.metadata.kind is QUESTION:
            await self.say("deixa pra lá")
            await self.hear(FINAL, NOTICE)
            return None
        return answer if answer is not None and answer.metadata.kind is CONFIRMATION else None

    async def accept(self, confirmation: ChannelResponse, text: str = "sim", *, button: bool = False) -> None:
        """Say yes and wait for the end."""
        pressed = confirmation if button and confirmation.metadata.confirmation is not None else None
        await self.say(text, button=pressed)
        await self.hear(FINAL)


def listed(items: tuple[str, ...]) -> str:
    """As a person lists things."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} e {items[-1]}"
