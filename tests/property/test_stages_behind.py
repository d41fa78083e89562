"""Whatever customers reply, tools answer and clocks do: one end, one effect, and only what was shown is executed."""

from datetime import timedelta
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts.channel_response import ResponseKind
from contracts.confirm_command import VerdictKind
from contracts.status import Status
from pipeline.proposal import proposal_digest
from pipeline.testing.tools import answered, failed, lost, not_sent, unknown
from tests.unit.stages.behind import Behind

ITEMS = ("TIM Fashion Mensal", "Neymar Jr")
RESULTS = {"ok": True, "results": [{"subject": item, "success": True} for item in ITEMS]}
PARTIAL = {
    "ok": False,
    "error": "x",
    "results": [{"subject": ITEMS[0], "success": True}, {"subject": ITEMS[1], "success": False}],
}

tool_answers = st.sampled_from(
    [
        answered(RESULTS),
        answered(PARTIAL),
        answered(RESULTS, after_ms=3_000),
        failed({"error": "no"}),
        not_sent(),
        unknown(),
        lost(),
        answered("?"),
    ]
)
status_answers = st.sampled_from(
    [
        answered({"status": "done", "result": RESULTS}),
        answered({"status": "in_progress"}),
        answered({"status": "unknown_key"}),
        unknown(),
        lost(),
    ]
)
validator_answers = st.sampled_from(
    [
        answered({"eligible": True}),
        answered({"eligible": True}),
        answered({"eligible": False}),
        answered({"eligible": "x"}),
        unknown(),
        lost(),
        not_sent(),
    ]
)
replies = st.tuples(
    st.just("reply"),
    st.sampled_from(VerdictKind),
    st.sampled_from(["right", "digest", "revision", "token", "user"]),
    st.integers(-1, 1),
)
steps = st.lists(
    replies
    | st.tuples(st.just("wait"), st.sampled_from([1, 60, 1_000]))
    | st.tuples(st.just("crash"), st.sampled_from(["pre-validate", "confirm", "execute", "normalize"])),
    max_size=8,
)


def reply(world: Behind, verdict: VerdictKind, what: str, late: int) -> None:
    """Reply to the question told last, rightly or wrongly."""
    asked = [status for status in world.statuses if status.proposal is not None]
    if not asked:
        return
    proposal = asked[-1].proposal
    assert proposal is not None
    fields: dict[str, Any] = {"said_at": proposal.expires_at + timedelta(seconds=late)}
    if what == "digest":
        fields["digest"] = "other"
    elif what == "revision":
        fields["revision"] = 99
    elif what == "token":
        fields["token"] = "cf_other.token"
    elif what == "user":
        fields["turn"] = world.turn.model_copy(update={"user_id": "somebody else"})
    world.answer(verdict, **fields)
    if world.last_status.granted is VerdictKind.AMEND:
        world.validate(
            "cancelar_produtos", {"items": list(ITEMS)}, revision=world.last_status.revision + 1, amended=True
        )


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    plan=steps,
    validator=st.lists(validator_answers, min_size=1, max_size=3),
    tool=st.lists(tool_answers, min_size=1, max_size=3),
    status=st.lists(status_answers, min_size=1, max_size=3),
)
def test_transaction_ends_once_and_executes_only_what_was_shown(
    plan: Any, validator: Any, tool: Any, status: Any
) -> None:
    world = Behind(
        {"validar_produtos_cancelamento": validator, "cancelar_produtos": tool, "consultar_operacao": status}
    )
    world.validate("cancelar_produtos", {"items": list(ITEMS)})
    for step in plan:
        match step:
            case ("reply", verdict, what, late):
                reply(world, verdict, what, late)
            case ("wait", seconds):
                world.wait(seconds=seconds)
            case ("crash", stage):
                world.crash(stage)
    world.wait(hours=2)

    assert len(world.ends) == 1, "every transaction reaches exactly one terminal status"
    finals = [told for told in world.responses if told.metadata.kind is ResponseKind.FINAL]
    assert [told.metadata.status for told in finals] == world.ends
    assert len(world.executes) <= 1
    shown = {status.proposal.digest for status in world.statuses if status.proposal is not None}
    for command in world.executes:
        assert command.digest in shown
        assert command.digest == proposal_digest(command.turn, command.transaction, command.items, command.text)
        assert world.event_types().count("IC.TRANSACTION_CONFIRMATION_ACCEPTED") == 1
    calls = world.tools.calls_of("cancelar_produtos")
    assert bool(calls) <= bool(world.executes)
    assert len({call.idempotency_key for call in calls}) <= 1
    if Status.COMPLETED in world.ends:
        assert all(item in finals[0].text for item in ITEMS)
    for stage in ("pre-validate", "confirm", "execute", "normalize"):
        agenda = world.agenda(stage, world.conversation)
        assert agenda.calls == ()
        assert all(timer.timer_id.startswith("retention/") for timer in agenda.timers)
    sequences: dict[str | None, list[int]] = {}
    for event in world.events:
        assert event.sequence is not None
        sequences.setdefault(event.stage, []).append(event.sequence)
    assert all(numbers == sorted(set(numbers)) for numbers in sequences.values())
    said = " ".join(event.model_dump_json() for event in world.events)
    assert all(secret not in said for secret in (*ITEMS, "11999999999"))
