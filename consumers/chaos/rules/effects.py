"""What the MCP servers really did, against what was confirmed and what was told. Pure."""

from collections import Counter, defaultdict
from itertools import pairwise

from consumers.chaos.history import Found, History
from consumers.chaos.tool_ledger import arguments_digest, request_key_of_all, request_keys
from contracts.status import Status

REFUSING = "falha-503"
"""Customers for whom the demo answers 503 before it does anything, which its configuration declares a refusal."""


LOSING = (
    "falha-resposta-perdida",
    "falha-queda",
    "falha-lenta",
    "falha-malformada",
    "falha-enorme",
    "falha-503",
)
"""Customers whose answers the demo loses, spoils or delays."""


def the_server_saw_what_was_confirmed(history: History) -> Found:
    """The arguments in the MCP servers' ledger are those of the proposal."""
    for transaction, entries in history.executed.items():
        command = entries[0].value
        tool, arguments = command.transaction.tool, command.transaction.arguments
        customer = history.customers.get(command.turn.conversation_key, "")
        key = request_key_of_all(command)
        seen = history.operations.get((customer, tool, key))
        if seen is not None and seen != arguments_digest(tool, arguments):
            yield (
                command.turn.conversation_key,
                f"transaction {transaction}: {tool} was sent other arguments than shown",
            )


def effects_happen_once(history: History) -> Found:
    """One effect an item of a confirmed transaction; none that nobody confirmed, none of another customer."""
    seen: Counter[tuple[str, int]] = Counter()
    for effect in history.effects:
        owner = history.owner_of(effect)
        if owner is None:
            yield _conversation_of(history, effect.customer), f"{effect.tool} did {effect.item} and nobody confirmed it"
            continue
        conversation = history.opened.get(owner[0], "")
        seen[owner] += effect.executions
        if history.customers.get(conversation) != effect.customer:
            yield conversation, f"{effect.tool} did {effect.item} for {effect.customer}, another customer"
    for (transaction, position), times in seen.items():
        if times != 1:
            yield history.opened.get(transaction, ""), f"item {position} of {transaction} was done {times} times"


def tools_are_called_as_their_policy_allows(history: History) -> Found:
    """`report`: never twice. `status`: again only after the status tool was asked. All: a bounded number of times, for a known key."""
    known: dict[str, str] = {}
    for entries in history.executed.values():
        for key in request_keys(entries[0].value):
            known[key] = entries[0].value.turn.conversation_key
    by_key: dict[tuple[str, str], list[int]] = defaultdict(list)
    questions: dict[str, list[int]] = defaultdict(list)
    for place, arrival in enumerate(history.arrivals):
        rules = history.tools.get(arrival.tool)
        if rules is not None and rules.transactional:
            by_key[arrival.tool, arrival.request_key].append(place)
        elif arrival.request_key:
            questions[arrival.request_key].append(place)
    for (tool, key), places in by_key.items():
        customer = history.arrivals[places[0]].customer
        conversation = known.get(key, _conversation_of(history, customer))
        rules = history.tools[tool]
        if key not in known:
            yield conversation, f"{tool} was called under a key that belongs to no confirmed proposal"
        if len(places) > rules.attempts_max * rules.rounds:
            yield conversation, f"{tool} was called {len(places)} times for one proposal"
        if customer.startswith(REFUSING):
            continue  # the server refuses before it works, and says so: calling again is allowed
        if rules.recovery == "report" and len(places) > 1:
            yield conversation, f"{tool} was called {len(places)} times and its policy is to report"
        if rules.recovery == "status":
            for before, after in pairwise(places):
                if not any(before < asked < after for asked in questions[key]):
                    yield conversation, f"{tool} was called again without asking what became of the first call"


def answers_tell_the_truth(history: History) -> Found:
    """Each confirmed item has one fate; what is called done was done, what is called failed was not."""
    for transaction, entries in history.normalized.items():
        command = entries[0].value
        conversation = command.turn.conversation_key
        finals = history.finals.get(transaction, ())
        if not finals:
            continue
        fates = finals[0].value.metadata.items
        missing = [name for name in command.items if name not in [fate.subject for fate in fates]]
        if missing:
            yield conversation, f"the answer about {transaction} does not tell the fate of {', '.join(missing)}"
            continue
        rules = history.tools.get(command.transaction.tool)
        if rules is None or not rules.transactional:
            continue
        done = dict(history.effects_of.get(transaction, ()))
        for position, fate in enumerate(fates[: len(command.items)]):
            effect = done.get(position)
            if fate.outcome.value == "SUCCEEDED" and effect is None:
                yield conversation, f"{transaction}: {fate.subject} is called done, and the server never did it"
            elif fate.outcome.value == "SUCCEEDED" and effect and fate.protocol not in {None, effect.protocol}:
                yield conversation, f"{transaction}: {fate.subject} has protocol {fate.protocol}, not {effect.protocol}"
            elif fate.outcome.value == "FAILED" and effect is not None:
                yield conversation, f"{transaction}: {fate.subject} is called failed, and the server did it"


def unknown_outcomes_are_announced_and_have_a_cause(history: History) -> Found:
    """Nobody is told "unknown" without a lost answer behind it, and no lost answer is kept quiet."""
    for transaction, entries in history.normalized.items():
        command = entries[0].value
        conversation = command.turn.conversation_key
        finals = history.finals.get(transaction, ())
        if not finals:
            continue
        metadata = finals[0].value.metadata
        unknown = metadata.status is Status.OUTCOME_UNKNOWN or any(i.outcome.value == "UNKNOWN" for i in metadata.items)
        announced = history.events_of(transaction, "NOC.MCP_OUTCOME_UNKNOWN")
        if unknown != bool(announced):
            yield (
                conversation,
                f"{transaction}: outcome unknown is {unknown} in the answer, {bool(announced)} in events",
            )
        if not unknown:
            continue
        customer = history.customers.get(conversation, "")
        began = min((entry.at for entry in history.executed.get(transaction, ())), default=entries[0].at)
        disturbed = any(each.at <= entries[0].at and each.until >= began for each in history.disturbances)
        rules = history.tools.get(command.transaction.tool)
        waited_s = (entries[0].at - began).total_seconds()
        slow = rules is not None and waited_s >= rules.timeout_s  # a starved machine is a cause too
        if not disturbed and not slow and not customer.startswith(LOSING):
            yield conversation, f"{transaction}: the outcome is called unknown, and nothing had happened to the call"
        retried = rules is not None and rules.transactional and rules.recovery == "retry"
        if rules is not None and retried and command.attempts < rules.attempts_max and not disturbed:
            yield (
                conversation,
                f"{transaction}: called unknown after {command.attempts} attempts, and it may be retried",
            )


def _conversation_of(history: History, customer: str) -> str:
    return next((key for key, known in history.customers.items() if known == customer), "")
