"""Who writes and reads what, as a Mermaid flowchart that GitHub draws.

Invariants: stages, their inputs and outputs come from pipeline/topology; drawn here are only those outside: gateways, tools, readers.
"""

from collections.abc import Iterator

from consumers.schemas.wording import Words
from pipeline import topology
from pipeline.topology import STAGES, StageSpec

CALLING = {topology.StageName.PRE_VALIDATE, topology.StageName.EXECUTE}
"""Stages that call tools."""
CONTRACTS = {source.topic: source.contract.__name__ for stage in STAGES.values() for source in stage.inputs}
ANSWERS = topology.responses("#lt;channel#gt;")


def flowchart(t: Words) -> str:
    """The lines between the fences."""
    return "\n".join(_lines(t))


def _lines(t: Words) -> Iterator[str]:
    yield '%%{init: {"flowchart": {"nodeSpacing": 30, "rankSpacing": 22, "padding": 8, "subGraphTitleMargin": {"top": 4, "bottom": 12}}}}%%'
    yield "flowchart TD"
    yield f'  gateway(["{t("channel gateways")}"])'
    yield f"  {_topic(topology.GATEWAY_REQUESTS)}"
    yield f'  subgraph stages["{t("the pipeline")}"]'
    for stage in STAGES.values():
        for source in stage.inputs:
            if not source.from_outside:
                yield f"    {_topic(source.topic)}"
        yield f'    {_id(stage.name)}["{stage.name}"]'
    yield "  end"
    yield f'  answers[("{ANSWERS}<br>ChannelResponse")]'
    yield f'  events[("{" · ".join(topology.EVENTS)}<br>EventEnvelope")]'
    yield f'  letters[("{topology.dead_letters("#lt;stage#gt;")}<br>{t("original bytes")}")]'
    yield f'  tools(["{t("MCP tools")}"])'
    yield f'  dashboards(["{t("dashboards, evaluation")}"])'
    yield f'  operators(["{t("operators")}"])'
    yield f"  gateway --> {_id(topology.GATEWAY_REQUESTS)}"
    for stage in STAGES.values():
        yield from _edges(t, stage)
    yield "  stages ==> answers --> gateway"
    yield "  stages ==> events --> dashboards"
    yield "  stages ==> letters --> operators"
    yield "  classDef stage fill:#dbeafe,stroke:#1d4ed8,color:#111827"
    yield "  classDef outside fill:#fef3c7,stroke:#b45309,color:#111827"
    yield f"  class {','.join(_id(stage) for stage in STAGES)} stage"
    yield "  class gateway,tools,dashboards,operators outside"


def _edges(t: Words, stage: StageSpec) -> Iterator[str]:
    for source in stage.inputs:
        yield f"  {_id(source.topic)} --> {_id(stage.name)}"
    for target in stage.outputs:
        if target == topology.GATEWAY_REQUESTS:
            yield f'  {_id(stage.name)} -. "{t("moved to its partition")}" .-> {_id(target)}'
        else:
            yield f"  {_id(stage.name)} {'-.->' if target == topology.STATUS else '-->'} {_id(target)}"
    if stage.name in CALLING:
        yield f"  {_id(stage.name)} <-. MCP .-> tools"


def _topic(name: str) -> str:
    return f'{_id(name)}[("{name}<br>{CONTRACTS[name]}")]'


def _id(name: str) -> str:
    return f"n_{name.replace('.', '_').replace('-', '_')}"
