"""What simulated customers say, one script a kind of conversation.

Invariants: every wait has a bound. Never: random: what is drawn is in the plan.
"""

import asyncio

from pipeline.testing.customers import CONFIRMATION, FINAL, NOTICE, QUESTION, Customer, Script, listed


async def plain(c: Customer, items: tuple[str, ...]) -> None:
    """Ask, yes."""
    if question := await c.ask(items):
        await c.accept(question)


async def button(c: Customer, items: tuple[str, ...]) -> None:
    """Ask, press the button."""
    if question := await c.ask(items):
        await c.accept(question, button=True)


async def decline(c: Customer, items: tuple[str, ...]) -> None:
    """Ask, no."""
    if await c.ask(items):
        await c.say("não")
        await c.hear(FINAL)


async def amend(c: Customer, items: tuple[str, ...]) -> None:
    """Ask, take one out, yes."""
    if await c.ask(items):
        await c.say(f"tira o {items[-1]}")
        if question := await c.confirmation():
            await c.accept(question)


async def stale_button(c: Customer, items: tuple[str, ...]) -> None:
    """Ask, take one out, press the button of the dead question, then the right one."""
    if dead := await c.ask(items):
        await c.say(f"tira o {items[-1]}")
        if (question := await c.confirmation()) and question.metadata.revision != dead.metadata.revision:
            await c.say("sim", button=dead)
            if await c.confirmation():
                await c.accept(question, button=True)


async def expire(c: Customer, items: tuple[str, ...]) -> None:
    """Ask, then silence."""
    if await c.ask(items):
        await c.hear(FINAL)


async def late_yes(c: Customer, items: tuple[str, ...]) -> None:
    """Ask, and a yes that races the expiry."""
    if question := await c.ask(items):
        handle = question.metadata.confirmation
        wait_s = 11.9 if handle is None else 11.9 - c.plan.pace_s + (len(c.plan.name) + len(c.said)) % 5 * 0.05
        await asyncio.sleep(max(0.0, wait_s))  # virtual
        await c.accept(question)


async def slow_yes(c: Customer, items: tuple[str, ...]) -> None:
    """Ask, and a yes when most of the time is over."""
    if question := await c.ask(items):
        await asyncio.sleep(8.5)  # virtual
        await c.accept(question)


async def amend_at_expiry(c: Customer, items: tuple[str, ...]) -> None:
    """Ask, and an amendment that crosses the expiry."""
    if await c.ask(items):
        await asyncio.sleep(max(0.0, 11.9 - c.plan.pace_s))  # virtual
        await c.say(f"tira o {items[-1]}")
        answer = await c.hear(CONFIRMATION, FINAL)
        if answer is not None and answer.metadata.kind is CONFIRMATION:
            await c.accept(answer)


async def collect(c: Customer, items: tuple[str, ...]) -> None:
    """Ask without items, name them, yes."""
    await c.say("quero cancelar")
    answer = await c.hear(QUESTION, CONFIRMATION, FINAL)
    if answer is not None and answer.metadata.kind is QUESTION:
        await c.say(listed(items))
        if question := await c.confirmation():
            await c.accept(question)


async def abandon(c: Customer, items: tuple[str, ...]) -> None:  # noqa: ARG001
    """Ask without items, walk away."""
    await c.say("quero cancelar")
    if await c.hear(QUESTION):
        await c.say("deixa pra lá")
        await c.hear(FINAL, NOTICE)


async def silent_collecting(c: Customer, items: tuple[str, ...]) -> None:  # noqa: ARG001
    """Ask without items, then silence."""
    await c.say("quero cancelar")
    if await c.hear(QUESTION):
        await c.hear(FINAL, NOTICE)


async def question(c: Customer, items: tuple[str, ...]) -> None:
    """Ask about the proposal, then yes."""
    if await c.ask(items):
        await c.say("quanto vou pagar?")
        if again := await c.confirmation():
            await c.accept(again)


async def replace(c: Customer, items: tuple[str, ...]) -> None:
    """Ask, then want something else."""
    if await c.ask(items):
        other = tuple(f"{item[:-1]}9" for item in items[:1])
        await c.say(f"consultar os pedidos {listed(other)}" if c.retail else "qual o valor da minha fatura?")
        await c.hear(FINAL)
        await c.hear(FINAL)


async def query(c: Customer, items: tuple[str, ...]) -> None:
    """Something that needs no confirmation."""
    await c.say(f"consultar os pedidos {listed(items)}" if c.retail else "qual o valor da minha fatura?")
    await c.hear(FINAL)


async def impatient(c: Customer, items: tuple[str, ...]) -> None:
    """A yes before the question."""
    await c.say(f"cancelar {listed(items)}")
    await c.say("sim", pause_s=0.004)
    if again := await c.confirmation():
        await c.accept(again)


async def report(c: Customer, items: tuple[str, ...]) -> None:
    """A tool nobody can ask about afterwards."""
    verb = "cancelar" if c.retail else "bloquear"
    if asked := await c.ask(items, verb):
        await c.accept(asked)


async def chatter(c: Customer, items: tuple[str, ...]) -> None:
    """Ask, yes, and keep talking while the call runs."""
    if await c.ask(items):
        await c.say("sim")
        await c.say("e aí?")
        await c.say("já foi?")
        await c.hear(FINAL)


async def second_request(c: Customer, items: tuple[str, ...]) -> None:
    """A yes with a second request behind it."""
    if await c.ask(items):
        await c.say("sim")
        await c.say(f"consultar os pedidos {listed(items)}" if c.retail else "qual o valor da minha fatura?")
        await c.hear(FINAL)
        await c.hear(FINAL)


SCRIPTS: dict[str, Script] = {
    script.__name__: script
    for script in (
        plain,
        button,
        decline,
        amend,
        stale_button,
        expire,
        late_yes,
        slow_yes,
        amend_at_expiry,
        collect,
        abandon,
        silent_collecting,
        question,
        replace,
        query,
        impatient,
        report,
        chatter,
        second_request,
    )
}
"""By name."""
