"""Settings that are right alone and wrong together, or wrong on this machine.

Source: DESIGN 4 (handover below the rebalance, values below max.message.bytes).
"""

from collections.abc import Iterator
from pathlib import Path
from zoneinfo import ZoneInfo

from pipeline.policy import Limits
from pipeline.settings.sections import READ_MAX_BYTES, KafkaSettings, RuntimeSettings


def contradictions(kafka: KafkaSettings, runtime: RuntimeSettings, limits: Limits, timezone: str) -> Iterator[str]:
    """Sentences of what can't be together; the first one is told."""
    yield from _of_groups(kafka, runtime)
    yield from _of_surroundings(kafka, timezone)
    yield from _of_sizes(kafka, runtime, limits)
    if kafka.min_insync_replicas > kafka.replication_factor:
        yield (
            f"kafka.min_insync_replicas ({kafka.min_insync_replicas}) must not be above "
            f"kafka.replication_factor ({kafka.replication_factor}): nothing could be written"
        )


def _of_groups(kafka: KafkaSettings, runtime: RuntimeSettings) -> Iterator[str]:
    if runtime.handover_ms >= kafka.rebalance_timeout_ms:
        yield "runtime.handover_ms must be below kafka.rebalance_timeout_ms"
    if kafka.heartbeat_interval_ms * 3 > kafka.session_timeout_ms:
        yield "kafka.heartbeat_interval_ms must be at most a third of kafka.session_timeout_ms"


def _of_surroundings(kafka: KafkaSettings, timezone: str) -> Iterator[str]:
    """What the cluster asks for, and what this machine has not."""
    if kafka.security_protocol.startswith("SASL") and not (kafka.sasl_username and kafka.sasl_password):
        yield f"kafka.sasl_username and kafka.sasl_password are required with {kafka.security_protocol}"
    if kafka.ssl_cafile is not None and not Path(kafka.ssl_cafile).is_file():
        yield f"kafka.ssl_cafile: there is no file {kafka.ssl_cafile}"
    if not _is_zone(timezone) and _is_zone("UTC"):  # else this machine has no time zones at all
        yield f"timezone: {timezone!r} is not known here; give a name such as America/Sao_Paulo"


def _of_sizes(kafka: KafkaSettings, runtime: RuntimeSettings, limits: Limits) -> Iterator[str]:
    for lower, least, upper, most in (
        ("runtime.value_max_bytes", runtime.value_max_bytes, "kafka.max_message_bytes", kafka.max_message_bytes),
        ("limits.payload_bytes", limits.payload_bytes, "runtime.value_max_bytes", runtime.value_max_bytes),
        ("limits.message_bytes", limits.message_bytes, "limits.payload_bytes", limits.payload_bytes),
    ):
        if least >= most:
            yield f"{lower} ({least}) must be below {upper} ({most})"
    if kafka.max_message_bytes > READ_MAX_BYTES:  # limits.payload_bytes is below it already
        yield (
            f"kafka.max_message_bytes ({kafka.max_message_bytes}) must not be above READ_MAX_BYTES ({READ_MAX_BYTES}): "
            "a larger request would be refused unread"
        )


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True
