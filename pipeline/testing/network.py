"""Between a simulated process and the broker: delays, outages, and the points at which a fault can strike.

Invariants: a request that has left goes on without its sender; an outage loses no request of a living client (aiokafka asks again)
and raises nothing, except where a client connects anew. Source: notes on aiokafka section 4.
"""

import asyncio
from collections.abc import Callable
from random import Random
from typing import TypeVar

from pipeline.testing.broker import Broker
from pipeline.testing.errors import KafkaConnectionError
from pipeline.testing.loop import Life, Process, VirtualLoop

T = TypeVar("T")

AGAIN_S = 0.2
"""The client's own repetition of a request that got no answer."""

Point = Callable[[Process, str, str], None]
"""Told (process, request, "before" | "applied" | "after"): there a process can be killed or stopped."""


class Network:
    """The connections of one process."""

    def __init__(
        self,
        loop: VirtualLoop,
        broker: Broker,
        random: Random,
        process: Process,
        *,
        delay_s: tuple[float, float] = (0.0002, 0.002),
        point: Point | None = None,
    ) -> None:
        self.loop = loop
        self.broker = broker
        self.random = random
        self.process = process
        self._delay_s = delay_s
        self._point = point

    def delay(self) -> float:
        """One way, seconds."""
        return self.random.uniform(*self._delay_s)

    def reach(self, request: str, phase: str) -> None:
        """Let a fault strike here."""
        if self._point is not None:
            self._point(self.process, request, phase)

    def check_connection(self) -> None:
        """A new client does not wait for a broker. Raises: KafkaConnectionError."""
        if not self.broker.up or self.broker.ended or self.process.cut_off:
            raise KafkaConnectionError("Unable to bootstrap")

    async def request(self, name: str, apply: Callable[[], T]) -> T:
        """Have the broker apply something, and await its answer."""
        if self.broker.ended:
            raise KafkaConnectionError("the world has ended")
        self.reach(name, "before")
        if self.process.life is not Life.ALIVE:
            await self.still()
        answer: asyncio.Future[T] = self.loop.create_future()

        def arrive() -> None:
            if not self.broker.up:
                if self.process.life is not Life.DEAD:
                    self.broker.when_up(arrive)
                return
            if self.process.cut_off and not self.broker.ended:
                if self.process.life is not Life.DEAD:
                    self.loop.later(AGAIN_S, arrive)
                return
            try:
                result = apply()
            except Exception as error:
                self.loop.later(self.delay(), respond, None, error)
            else:
                self.loop.later(self.delay(), respond, result, None)
            self.reach(name, "applied")

        def respond(result: T, error: Exception | None) -> None:
            if not self.broker.up:
                self.broker.when_up(lambda: respond(result, error))
            elif self.process.cut_off and not self.broker.ended:
                self.loop.later(AGAIN_S, respond, result, error)
            elif answer.done():
                pass
            elif error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(result)

        self.loop.later(self.delay(), arrive)
        try:
            result = await answer
        finally:
            self.reach(name, "after")
        if self.process.life is not Life.ALIVE:
            await self.still()
        return result

    async def still(self) -> None:
        """A process that was just killed goes no further; one that was stopped goes on later."""
        if self.process.life is Life.DEAD:
            await self.loop.create_future()
        await asyncio.sleep(0)
