"""Reads a history: every topic of the run from its beginning, the ledger of the MCP servers, the logs of the replicas.

Invariants: only committed records count (read_committed); a topic is read to the end that it had when reading began.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from consumers.chaos.faults import Hit
from consumers.chaos.ground import Ground
from consumers.chaos.history import Asked, DeadLetter, Disturbance, Entry, History, Takeover, ToolRules
from consumers.chaos.tool_ledger import read_arrivals, read_effects, read_operations
from contracts.base import Contract
from contracts.checkpoint import Checkpoint
from contracts.gateway_request import GatewayRequest
from contracts.identity import conversation_key
from pipeline import topology
from pipeline.decision import ContractViolation
from pipeline.policy import Installation
from pipeline.runtime.kafka import KafkaClients
from pipeline.runtime.ports import RawRecord
from pipeline.runtime.serde import MOVED_AT, instant, text_headers
from pipeline.topology import StageName

META = "_meta"


def history_of(under: Ground, records: Mapping[str, Sequence[RawRecord]], hits: Iterable[Hit]) -> History:
    """Understand what was read."""
    installation = under.configuration.installation
    clients = KafkaClients(under.configuration.settings, under.bootstrap)
    count = under.configuration.settings.kafka.partitions
    contracts = {spec.name: spec for spec in topology.topics(under.channels)}

    def entries(*topics: str) -> Any:
        return [
            _entry(topic, record, contracts[topic].contract) for topic in topics for record in records.get(topic, ())
        ]

    return History(
        asked=[
            _asked(record, installation, lambda key: clients.partition_of(key, count))
            for record in records.get(topology.GATEWAY_REQUESTS, ())
        ],
        responses=entries(*(topology.responses(channel) for channel in under.channels)),
        statuses=entries(topology.STATUS),
        confirms=entries(topology.CONFIRM),
        executes=entries(topology.EXECUTE),
        normalizes=entries(topology.NORMALIZE),
        events=entries(*topology.EVENTS),
        dead_letters=[
            _dead_letter(stage, record)
            for stage in StageName
            for record in records.get(topology.dead_letters(stage), ())
        ],
        states={stage: last_values(records.get(topology.state(stage), ())) for stage in StageName},
        effects=read_effects(under.ledger),
        arrivals=read_arrivals(under.ledger),
        operations=read_operations(under.ledger),
        tools={
            name: ToolRules(
                transactional=tool.transactional,
                recovery=tool.recovery.value,
                attempts_max=installation.timing.call_attempts_max,
                timeout_s=tool.spec.timeout_ms / 1000,
                rounds=tool.policy.item_retry.max_attempts if tool.policy.item_retry else 1,
            )
            for name, tool in installation.tools.items()
        },
        disturbances=[
            Disturbance(
                kind=hit.kind.value,
                target=hit.target,
                at=hit.at,
                until=hit.until,
                life=hit.life,
                of_process=hit.kind.of_process,
            )
            for hit in hits
        ],
        takeovers=takeovers(under.logs),
    )


def last_values(records: Iterable[RawRecord]) -> dict[str, Checkpoint]:
    """A compacted topic as a map; tombstones and the runtime's own record left out."""
    found: dict[str, Checkpoint] = {}
    for record in records:
        key = (record.key or b"").decode()
        if record.value is None:
            found.pop(key, None)
        elif key != META:
            found[key] = Checkpoint.model_validate_json(record.value)
    return found


def takeovers(logs: Path) -> list[Takeover]:
    """Who became owner of what, and when, by the replicas' own logs."""
    found = []
    for path in sorted(logs.glob("r*.log")):
        replica, life, _ = path.name.rsplit(".", 2)
        for line in path.read_text("utf-8", "replace").splitlines():
            if '"taken over"' not in line:
                continue
            said = json.loads(line)
            at = datetime.fromisoformat(said["timestamp"])
            found.append(
                Takeover(at=at, replica=replica, life=int(life), stage=said["stage"], number=int(said["number"]))
            )
    return sorted(found, key=lambda takeover: takeover.at)


def _entry(topic: str, record: RawRecord, contract: type[Contract] | None) -> Entry[Any]:
    assert contract is not None
    return Entry(
        topic=topic,
        partition=record.partition,
        offset=record.offset,
        at=instant(record.timestamp_ms),
        key=None if record.key is None else record.key.decode(),
        value=contract.model_validate_json(record.value or b""),
        headers=text_headers(record),
    )


def _asked(record: RawRecord, installation: Installation, right_of: Any) -> Asked:
    request, conversation = _request(record, installation)
    key = None if record.key is None else record.key.decode("utf-8", "replace")
    placed = conversation is not None and key == conversation and record.partition == right_of(conversation.encode())
    return Asked(
        partition=record.partition,
        offset=record.offset,
        at=instant(record.timestamp_ms),
        key=key,
        request=request,
        conversation=conversation,
        right=placed,
        moved=MOVED_AT in text_headers(record),
    )


def _request(record: RawRecord, installation: Installation) -> tuple[GatewayRequest | None, str | None]:
    try:
        request = GatewayRequest.model_validate_json(record.value or b"")
    except ValidationError:
        return None, None
    known = request.channel in installation.channels and request.tenant_id is not None and request.agent_id is not None
    if not known or not installation.agent_allowed(request.agent_id or "", request.tenant_id or ""):
        return request, None
    try:
        return request, conversation_key(request.tenant_id or "", request.agent_id or "", request.payload.session_id)
    except (ValueError, ContractViolation):
        return request, None


def _dead_letter(stage: str, record: RawRecord) -> DeadLetter:
    headers = text_headers(record)
    origin = "/".join(headers.get(f"dlq_origin_{part}", "?") for part in ("topic", "partition", "offset"))
    return DeadLetter(
        stage=stage, origin=origin, error=headers.get("dlq_error", "?"), text=headers.get("dlq_text", "?")
    )
