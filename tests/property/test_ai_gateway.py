"""Whatever an AI gateway says: only what the customer named is done, only after their yes, and every fate is told as it was."""

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.channel_response import ResponseKind
from contracts.status import ItemOutcome
from pipeline.language.normalize import fold
from pipeline.testing.driver import Driver
from pipeline.testing.tools import Answer, Invocation, unknown
from tests.installation import installation
from tests.scripted import PRODUCTS, demo_tools
from tests.stages import stages
from tests.unit.stages.advised import ASKS, content

NAMES = sorted(set(PRODUCTS) - {"Som e Imagem"})
"""Without the one that reads as two where nobody told its name."""
FRAMES = ("queria me livrar do {}", "dá um fim no {} pra mim", "não aguento mais pagar o {}", "quero cancelar o {}")
READINGS = st.fixed_dictionaries(
    {
        "tool": st.sampled_from(
            ["cancelar_produtos", "cancelar_produtos", "contestar_cobranca", "cancelar_pedidos", None]
        ),
        "items": st.lists(st.sampled_from([*NAMES, "Netflix", "todos"]), max_size=6),
        "arguments": st.dictionaries(
            st.sampled_from(["items", "customer_id", "confirmed"]),
            st.sampled_from([[NAMES[0]], "sim", True]),
            max_size=2,
        ),
    }
)


class Liar:
    """A gateway that answers as it is told, and knows whether its last text was honest."""

    def __init__(self, reading: Mapping[str, Any], flips: list[bool], drops: list[bool], *, away: bool) -> None:
        self._reading = reading
        self._flips = flips
        self._drops = drops
        self._away = away
        self.text = ""
        self.honest = False

    def route(self, _: Invocation) -> Answer:
        return unknown() if self._away else content(json.dumps(self._reading))

    def compose(self, call: Invocation) -> Answer:
        items = json.loads(call.arguments["messages"][-1]["content"])["items"]
        lines = ["Veja como ficou o seu pedido:"]
        self.honest = True
        for place, item in enumerate(items):
            flip, drop = self._flips[place % len(self._flips)], self._drops[place % len(self._drops)]
            self.honest &= not flip and not drop
            if not drop:
                done = item["done"] is not flip
                protocol = f", protocolo {item['protocol']}" if "protocol" in item else ""
                lines.append(f"{item['name']} {'foi cancelado' if done else 'não foi cancelado'}{protocol}")
        self.text = "\n".join(lines)
        return content(self.text)


@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True),
    st.sampled_from(FRAMES),
    READINGS,
    st.lists(st.booleans(), min_size=1, max_size=4),
    st.lists(st.booleans(), min_size=1, max_size=4),
    st.booleans(),
)
def test_gateway_that_lies_does_no_harm(
    named: list[str], frame: str, reading: Mapping[str, Any], flips: list[bool], drops: list[bool], away: bool
) -> None:
    liar = Liar(reading, flips, drops, away=away)
    configured = installation(llm=ASKS)
    tools = demo_tools(**{"reconcile.route": liar.route, "normalize.compose": liar.compose})
    play = Driver(configured, stages(configured), tools)
    play.say(frame.format(" e do ".join(named)), business_context={"customer_key": "11999999999"})
    play.advance(20_000)
    assert tools.calls_of("cancelar_produtos") == []  # nobody has said yes
    asked = [response for response in play.responses if response.metadata.kind is ResponseKind.CONFIRMATION]
    play.say("sim")
    play.advance(20_000)
    calls = tools.calls_of("cancelar_produtos")
    assert len(calls) == (1 if asked else 0)
    done = {fold(item["name"]) for call in calls for item in call.arguments["items"]}
    assert done <= {fold(name) for name in named}
    assert not play.dead_letters
    for response in play.responses:
        fates = response.metadata.items
        if response.metadata.kind is ResponseKind.FINAL and fates and calls:
            told_by_model = response.text == liar.text
            assert told_by_model is liar.honest
            if not told_by_model:
                assert all(fate.subject in response.text for fate in fates)
            wrong = [
                fate for fate in fates if fate.outcome is ItemOutcome.FAILED and "1002" not in PRODUCTS[fate.subject]
            ]
            assert wrong == []
