"""The page of docs/contracts for people: what travels where, for somebody who never saw the code.

Owns: the order of the page and everything on it but the contracts themselves (page_contracts) and the diagram (diagram).
Invariants: every sentence goes through `t`, so that both languages say the same.
"""

from collections.abc import Iterator

from consumers.cli.known_contracts import ALL
from consumers.schemas import page_contracts
from consumers.schemas.asyncapi import ANY_CHANNEL, Defaults
from consumers.schemas.diagram import flowchart
from consumers.schemas.headers import ACCEPTED, DEAD_LETTER, WRITTEN, Header
from consumers.schemas.wording import Words
from contracts.event_catalogue import EVENTS, PAYLOAD
from pipeline import topology
from pipeline.runtime.topics import Wanted, wanted_topics
from pipeline.topology import STAGES, StageName, TopicKind, TopicSpec

DAY_MS = 86_400_000
KINDS = (TopicKind.INPUT, TopicKind.RESPONSES, TopicKind.EVENTS, TopicKind.STATE, TopicKind.DEAD_LETTERS)
PRIVATE = {TopicKind.STATE, TopicKind.DEAD_LETTERS}
"""Each stage has its own."""
READERS = {
    TopicKind.RESPONSES: "the channel's gateway",
    TopicKind.EVENTS: "dashboards, evaluation",
    TopicKind.STATE: "the same stage, when it takes over",
    TopicKind.DEAD_LETTERS: "operators",
}


DOES = {
    StageName.RECONCILE: "understands what the customer said: which tool, which arguments, whether a reply accepts, declines or changes",
    StageName.PRE_VALIDATE: "finds out whether it can be done: asks the validator tool and takes its canonical arguments",
    StageName.CONFIRM: "asks the customer one question about the whole set, and applies the answer to exactly that",
    StageName.EXECUTE: "calls the tool once with the whole set, and knows what became of the call",
    StageName.NORMALIZE: "tells the customer the fate of every item",
}


def page(t: Words, *, other: tuple[str, str]) -> str:
    """The page; `other`: name and file of the same page in the other language."""
    return "\n".join(_lines(t, other)) + "\n"


def _lines(t: Words, other: tuple[str, str]) -> Iterator[str]:
    yield f"# {t('Contracts: what travels on the topics')}"
    yield ""
    yield f"*{other[0]}: [{other[1]}]({other[1]})*"
    yield ""
    yield t(
        "A customer says one sentence about many things: *“quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr”*. The gateway of the "
        "channel (web, WhatsApp, voice) writes it to Apache Kafka as a **GatewayRequest**. Five programs, the *stages*, hand it on to "
        "each other over topics, ask the customer for one yes, call one tool once with the whole set, and write **ChannelResponses**, "
        "which the gateway reads and shows. Everything that happens is told in **events**."
    )
    yield ""
    yield t(
        "Every value on a topic is JSON and keeps to a *contract*: a set of fields with a name and a version. This page lists them all."
    )
    yield ""
    yield from _ways_in(t)
    yield from _diagram(t)
    yield from _topics(t)
    yield from _keys_and_headers(t)
    yield from page_contracts.sections(t)
    yield from _events(t)
    yield from _evolution(t)
    yield from _files(t)


def _ways_in(t: Words) -> Iterator[str]:
    yield f"| {t('You …')} | {t('read')} |"
    yield "|---|---|"
    for who, links in (
        ("run a channel gateway", "[GatewayRequest](#gatewayrequest) · [ChannelResponse](#channelresponse)"),
        (
            "build dashboards or alarms",
            f"[EventEnvelope](#eventenvelope) · [{t('the events')}](#{anchor(t('The events'))})",
        ),
        (
            "write an MCP tool",
            "[ToolInvocation](#toolinvocation) · [ToolResult](#toolresult) · [CertificationResult](#certificationresult)",
        ),
        ("work on the pipeline itself", f"[{t('between the stages')}](#{anchor(t('Between the stages'))})"),
        ("generate code", f"[asyncapi.json](asyncapi.json) · [{t('the files')}](#{anchor(t('The files'))})"),
    ):
        yield f"| {t(who)} | {links} |"
    yield ""


def _diagram(t: Words) -> Iterator[str]:
    yield f"## {t('Who writes and reads what')}"
    yield ""
    yield row(t("stage"), t("what it does"))
    yield "|---|---|"
    for stage, what in DOES.items():
        yield row(f"`{stage}`", t(what))
    yield ""
    yield t("Cylinders are topics, blue boxes are stages, yellow ones are outside the pipeline.")
    yield ""
    yield "```mermaid"
    yield flowchart(t)
    yield "```"
    yield ""
    yield t(
        "`pipeline.status` is the only way back: by it, reconcile learns what has become of what it handed on. The stage that has "
        "something to say to the customer writes the ChannelResponse itself."
    )
    yield ""


def _topics(t: Words) -> Iterator[str]:
    yield f"## {t('The topics')}"
    yield ""
    yield t(
        "Partitions and retention are the defaults; an installation sets its own, and may put a prefix before every name. Whoever "
        "reads responses, events or dead letters **must use** `isolation.level=read_committed`: what is not committed may still be "
        "taken back."
    )
    yield ""
    yield row(t("topic"), t("written by"), t("read by"), t("value"), t("key"), t("partitions"), t("kept"))
    yield "|---|---|---|---|---|---|---|"
    told = set[str]()
    for topic in sorted(wanted_topics(Defaults(), (ANY_CHANNEL,)), key=_place):
        spec, name = topic.spec, shown(topic.spec)
        if name in told:
            continue
        told.add(name)
        value = t("original bytes") if spec.contract is None else page_contracts.link(spec.contract.__name__)
        yield row(
            f"`{name}`",
            _writers(t, spec),
            _readers(t, spec),
            value,
            t(spec.key),
            str(topic.partitions),
            _kept(t, topic),
        )
    yield ""


def _place(topic: Wanted) -> tuple[int, int]:
    """Place in the table: the way of a message, then what is told of it, then what only operators look at."""
    name = topic.spec.name
    ways = [each.topic for stage in STAGES.values() for each in stage.inputs if each.topic != topology.STATUS]
    return KINDS.index(topic.spec.kind), ways.index(name) if name in ways else len(ways)


def shown(spec: TopicSpec) -> str:
    """The topic's name with a placeholder for the channel or the stage."""
    if spec.kind in PRIVATE:
        return f"{spec.name.split('.', 1)[0]}.<stage>"
    return spec.name.replace(ANY_CHANNEL, "<channel>")


def _writers(t: Words, spec: TopicSpec) -> str:
    if spec.kind in PRIVATE:
        return t("the stage")
    if spec.kind is not TopicKind.INPUT:
        return t("every stage")
    if spec.name == topology.GATEWAY_REQUESTS:
        return t("channel gateways")
    return ", ".join(stage.name.value for stage in STAGES.values() if spec.name in stage.outputs)


def _readers(t: Words, spec: TopicSpec) -> str:
    if spec.kind in READERS:
        return t(READERS[spec.kind])
    return ", ".join(stage.name.value for stage in STAGES.values() for each in stage.inputs if each.topic == spec.name)


def _kept(t: Words, topic: Wanted) -> str:
    if "retention.ms" not in topic.config:
        return t("compacted")
    return t("{days} days", days=int(topic.config["retention.ms"]) // DAY_MS)


def _keys_and_headers(t: Words) -> Iterator[str]:
    yield f"## {t('Keys and headers')}"
    yield ""
    yield t(
        "**The key** of a record is its conversation: `tenant:agent:session`, each part percent-encoded, such as "
        "`default:telecom_contas:session-001`. So everything about one conversation is in one partition of each topic, in order. "
        "Gateways need not compute it: a request without key, or in another partition than its key's, is moved to its place once."
    )
    yield ""
    yield t(
        "**Every record that the pipeline writes** has these headers. Together they are a CloudEvent 1.0 in binary mode:"
    )
    yield ""
    yield from _headers(t, WRITTEN)
    yield t("**A request** may bring these; none is required:")
    yield ""
    yield from _headers(t, ACCEPTED)
    yield t(
        "**A dead letter** (`dlq.<stage>`) is the original record, byte by byte with its own headers, and these besides:"
    )
    yield ""
    yield from _headers(t, DEAD_LETTER)


def _headers(t: Words, headers: tuple[Header, ...]) -> Iterator[str]:
    some = any(header.required for header in headers)
    yield row(t("header"), *([t("always")] if some else []), t("meaning"), t("example"))
    yield "|---|---|---|---|" if some else "|---|---|---|"
    for header in headers:
        always = [t("yes") if header.required else ""] if some else []
        yield row(f"`{header.name}`", *always, t(header.meaning), f"`{header.example}`")
    yield ""


def _events(t: Words) -> Iterator[str]:
    yield f"## {t('The events')}"
    yield ""
    yield t(
        "Each is an [EventEnvelope](#eventenvelope); the part before the dot names the topic: `IC` business control points, `NOC` what "
        "operations should see, `GRL` guardrails. They commit together with what they report. A payload holds counts, codes and keyed "
        "hashes, never a customer's key, document or item; a field without a value is left out."
    )
    yield ""
    yield row(t("event"), t("meaning"), t("stage"), t("payload"))
    yield "|---|---|---|---|"
    for event in EVENTS:
        stages = t("every stage") if len(event.stages) == len(STAGES) else ", ".join(event.stages)
        yield row(f"`{event.name}`", t(event.meaning), stages, ", ".join(f"`{name}`" for name in event.payload))
    yield ""
    yield f"<details><summary>{t('What the payload fields mean')}</summary>"
    yield ""
    yield row(t("field"), t("meaning"))
    yield "|---|---|"
    for name, spec in PAYLOAD.items():
        yield row(f"`{name}`", t(spec.meaning))
    yield ""
    yield "</details>"
    yield ""


def _evolution(t: Words) -> Iterator[str]:
    yield f"## {t('How contracts change')}"
    yield ""
    yield t(
        "Inside a major version new fields are optional, required ones stay, and types and meanings stay, so **read only what you "
        "need and ignore what you do not know**. A change that would break a reader or a writer gets a new major version, "
        "`…-v2`, and each contract has a version of its own. `python -m consumers contracts check` compares the code with the "
        "released versions under these rules, and the tests are red when a change breaks one."
    )
    yield ""


def _files(t: Words) -> Iterator[str]:
    yield f"## {t('The files')}"
    yield ""
    yield t(
        "`<version>.schema.json` is the JSON Schema (2020-12) of a contract, `<version>.examples.json` are valid examples and invalid "
        "ones, each with the reason. [asyncapi.json](asyncapi.json) is an AsyncAPI 3.0 document of all topics; "
        "`python -m consumers contracts asyncapi` prints the same for your installation, with its names and numbers."
    )
    yield ""
    yield row(t("contract"), t("version"), "JSON Schema", t("examples"))
    yield "|---|---|---|---|"
    for contract in ALL:
        version = contract.VERSION
        schema, examples = (f"[{kind}.json]({version}.{kind}.json)" for kind in ("schema", "examples"))
        yield row(page_contracts.link(contract.__name__), f"`{version}`", schema, examples)
    yield ""
    yield t(
        "All of this is made from the code by `python -m consumers contracts export`; the tests compare. Do not edit it by hand."
    )


def row(*cells: str) -> str:
    """One row of a table."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def anchor(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return "".join(letter for letter in heading.lower().replace(" ", "-") if letter.isalnum() or letter in "-_")
