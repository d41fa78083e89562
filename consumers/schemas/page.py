"""The page of docs/contracts for people: what travels where, for somebody who never saw the code.

Owns: the order of the page and everything on it but the contracts themselves (page_contracts) and the diagram (diagram).
Invariants: every sentence goes through `t`, so that both languages say the same.
"""

from collections.abc import Iterator

from consumers.schemas import page_contracts
from consumers.schemas.asyncapi import ANY_CHANNEL, Defaults
from consumers.schemas.diagram import flowchart
from consumers.schemas.headers import ACCEPTED, DEAD_LETTER, WRITTEN, Header
from consumers.schemas.known_contracts import ALL
from consumers.schemas.markdown import anchor, details, fenced, heading, paragraph, table
from consumers.schemas.page_contracts import link
from consumers.schemas.wording import Words
from contracts.base import Contract
from contracts.event_catalogue import EVENTS, PAYLOAD, EventSpec
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
    yield from heading(1, t("Contracts: what travels on the topics"))
    yield from paragraph(f"*{other[0]}: [{other[1]}]({other[1]})*")
    yield from paragraph(
        t(
            "A customer says one sentence about many things: *“quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr”*. The gateway of the "
            "channel (web, WhatsApp, voice) writes it to Apache Kafka as a **GatewayRequest**. Five programs, the *stages*, hand it on to "
            "each other over topics, ask the customer for one yes, call one tool once with the whole set, and write **ChannelResponses**, "
            "which the gateway reads and shows. Everything that happens is told in **events**."
        )
    )
    yield from paragraph(
        t(
            "Every value on a topic, dead letters aside, is JSON and keeps to a *contract*: a set of fields with a name and a version. This page lists them all."
        )
    )
    yield from _ways_in(t)
    yield from _flow(t)
    yield from _topics(t)
    yield from _keys_and_headers(t)
    yield from page_contracts.sections(t)
    yield from _events(t)
    yield from _evolution(t)
    yield from _files(t)


def _ways_in(t: Words) -> Iterator[str]:
    links = {
        "run a channel gateway": (link("GatewayRequest"), link("ChannelResponse")),
        "build dashboards or alarms": (link("EventEnvelope"), _section(t, "the events", "The events")),
        "write an MCP tool": (link("ToolInvocation"), link("ToolResult"), link("CertificationResult")),
        "work on the pipeline itself": (_section(t, "between the stages", "Between the stages"),),
        "generate code": ("[asyncapi.json](asyncapi.json)", _section(t, "the files", "The files")),
    }
    yield from table([t("You …"), t("read")], ([t(who), " · ".join(found)] for who, found in links.items()))


def _section(t: Words, words: str, title: str) -> str:
    return f"[{t(words)}](#{anchor(t(title))})"


def _flow(t: Words) -> Iterator[str]:
    yield from heading(2, t("Who writes and reads what"))
    yield from table([t("stage"), t("what it does")], ([f"`{stage}`", t(what)] for stage, what in DOES.items()))
    yield from paragraph(t("Cylinders are topics, blue boxes are stages, yellow ones are outside the pipeline."))
    yield from fenced("mermaid", flowchart(t))
    yield from paragraph(
        t(
            "`pipeline.status` is the only way back: by it, reconcile learns what has become of what it handed on. The stage that has "
            "something to say to the customer writes the ChannelResponse itself."
        )
    )


def _topics(t: Words) -> Iterator[str]:
    yield from heading(2, t("The topics"))
    yield from paragraph(
        t(
            "Partitions and retention are the defaults; an installation sets its own, and may put a prefix before every name. Whoever "
            "reads responses, events or dead letters **must use** `isolation.level=read_committed`: what is not committed may still be "
            "taken back."
        )
    )
    topics = sorted(wanted_topics(Defaults(), (ANY_CHANNEL,)), key=_place)
    one_of_each = {shown(topic.spec): topic for topic in reversed(topics)}
    head = ("topic", "written by", "read by", "value", "key", "partitions", "kept")
    yield from table([t(name) for name in head], (_topic(t, each) for each in reversed(one_of_each.values())))


def _topic(t: Words, topic: Wanted) -> list[str]:
    spec = topic.spec
    value = t("original bytes") if spec.contract is None else link(spec.contract.__name__)
    own = [_writers(t, spec), _readers(t, spec), value, t(spec.key), str(topic.partitions), _kept(t, topic)]
    return [f"`{shown(spec)}`", *own]


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
    yield from heading(2, t("Keys and headers"))
    yield from paragraph(
        t(
            "**The key** of a record is its conversation: `tenant:agent:session`, each part percent-encoded, such as "
            "`default:telecom_contas:session-001`. So everything about one conversation is in one partition of each topic, in order. "
            "Gateways need not compute it: a request without key, or in another partition than its key's, is moved to its place once."
        )
    )
    about = {
        "**Every record that the pipeline writes** has these headers; a value of its own state only the first two. Together they are a "
        "CloudEvent 1.0 in binary mode:": WRITTEN,
        "**A request** may bring these; none is required:": ACCEPTED,
        "**A dead letter** (`dlq.<stage>`) is the original record, byte by byte with its own headers, and these besides:": DEAD_LETTER,
    }
    for sentence, headers in about.items():
        yield from paragraph(t(sentence))
        yield from _headers(t, headers)


def _headers(t: Words, headers: tuple[Header, ...]) -> Iterator[str]:
    some = any(header.required for header in headers)
    head = [t("header"), *([t("always")] if some else []), t("meaning"), t("example")]
    yield from table(head, (_header(t, header, always=some) for header in headers))


def _header(t: Words, header: Header, *, always: bool) -> list[str]:
    required = [t("yes") if header.required else ""] if always else []
    return [f"`{header.name}`", *required, t(header.meaning), f"`{header.example}`"]


def _events(t: Words) -> Iterator[str]:
    yield from heading(2, t("The events"))
    yield from paragraph(
        t(
            "Each is an [EventEnvelope](#eventenvelope); the part before the dot names the topic: `IC` business control points, `NOC` what "
            "operations should see, `GRL` guardrails. They commit together with what they report. A payload holds counts, codes and keyed "
            "hashes, never a customer's key, document or item; a field without a value is left out."
        )
    )
    yield from table([t("event"), t("meaning"), t("stage"), t("payload")], (_event(t, event) for event in EVENTS))
    fields = ([f"`{name}`", t(spec.meaning)] for name, spec in PAYLOAD.items())
    yield from details(t("What the payload fields mean"), table([t("field"), t("meaning")], fields))


def _event(t: Words, event: EventSpec) -> list[str]:
    stages = t("every stage") if len(event.stages) == len(STAGES) else ", ".join(event.stages)
    return [f"`{event.name}`", t(event.meaning), stages, ", ".join(f"`{name}`" for name in event.payload)]


def _evolution(t: Words) -> Iterator[str]:
    yield from heading(2, t("How contracts change"))
    yield from paragraph(
        t(
            "Inside a major version new fields are optional, required ones stay, and types and meanings stay, so **read only what you "
            "need and ignore what you do not know**. A change that would break a reader or a writer gets a new major version, "
            "`…-v2`, and each contract has a version of its own. `python -m consumers contracts check` compares the code with the "
            "released versions under these rules, and the tests are red when a change breaks one. "
            "More in [evolution.md](../evolution.md)."
        )
    )


def _files(t: Words) -> Iterator[str]:
    yield from heading(2, t("The files"))
    yield from paragraph(
        t(
            "`<version>.schema.json` is the JSON Schema (2020-12) of a contract, `<version>.examples.json` are valid examples and invalid "
            "ones, each with the reason. [asyncapi.json](asyncapi.json) is an AsyncAPI 3.0 document of all topics; "
            "`python -m consumers contracts asyncapi` prints the same for your installation, with its names and numbers."
        )
    )
    yield from table([t("contract"), t("version"), "JSON Schema", t("examples")], (_file(each) for each in ALL))
    yield t(
        "All of this is made from the code by `python -m consumers contracts export`; the tests compare. Do not edit it by hand."
    )


def _file(contract: type[Contract]) -> list[str]:
    version = contract.VERSION
    files = [f"[{kind}.json]({version}.{kind}.json)" for kind in ("schema", "examples")]
    return [link(contract.__name__), f"`{version}`", *files]
