"""What must hold with every call that arrives and every effect: how often, for whom, with whose yes."""

from datetime import datetime

from pipeline.policy import Recovery
from pipeline.testing.invariants.watch import (
    SURELY_BEFORE_MS,
    Watch,
)
from pipeline.testing.server import Arrival, Effect, Fate


class Effects(Watch):
    """Watches the servers' own ledger."""

    def look(self) -> None:
        """Check what has arrived and what was done since the last look."""
        servers = self._world.servers
        for arrival in servers.arrivals[self._seen.arrivals_seen :]:
            self._arrived_at_server(arrival)
        self._seen.arrivals_seen = len(servers.arrivals)
        for effect in servers.effects[self._seen.effects_seen :]:
            self._done(effect)
        self._seen.effects_seen = len(servers.effects)

    def _arrived_at_server(self, arrival: Arrival) -> None:
        tool = self._world.installation.tools[arrival.tool]
        late = arrival.late_s > SURELY_BEFORE_MS / 1000
        what = f"{arrival.tool} {arrival.key} came {arrival.late_s:.2f} s after its not_after"
        self.check("nothing is sent after not_after", not late or self._seen.allow_skew, what)
        if not tool.transactional:
            return
        earlier = [other for other in self._seen.arrived.setdefault(arrival.key, []) if other.fate is not Fate.REFUSED]
        self._seen.arrived[arrival.key].append(arrival)
        if not earlier:
            return
        if tool.recovery is Recovery.REPORT:
            self.violated(
                "called at most once", f"{arrival.tool} {arrival.key} arrived again (attempt {arrival.attempt})"
            )
        elif tool.recovery is Recovery.STATUS:
            self.violated(
                "called again only after an unknown key",
                f"{arrival.tool} {arrival.key} arrived again (attempt {arrival.attempt}), begun at {earlier[0].at_s:.2f} s",
            )

    def _done(self, effect: Effect) -> None:
        transaction, revision_text = effect.call_id.split("/")[:2]
        revision = int(revision_text)
        again = self._seen.effects_of.setdefault(effect.key, [])
        again.append(effect)
        self.check("no double effect", len(again) == 1, f"{effect.tool} {effect.key} was done {len(again)} times")
        for item in effect.succeeded:
            place = (transaction, item)
            self.check(
                "no double effect", place not in self._seen.items_done, f"{item} of {transaction} was done twice"
            )
            self._seen.items_done[place] = effect.key
        tool = self._world.installation.tools[effect.tool]
        if tool.needs_confirmation:
            self._confirmed(effect, transaction, revision)
        told = self._seen.transactions.get(transaction)
        owner = self._owner(told.conversation) if told else None
        said = effect.arguments.get("customer_id")
        if said is not None:
            self.check("isolation", said == f"customer of {owner}", f"{effect.tool} was called for {said!r} by {owner}")

    def _confirmed(self, effect: Effect, transaction: str, revision: int) -> None:
        proposal = self._seen.shown.get((transaction, revision))
        if proposal is None:
            self.violated("executed is what was shown", f"{transaction}/{revision} was never shown")
            return
        shown = tuple(proposal["items"])
        same = effect.items == shown if effect.call_id.endswith("/call/1") else set(effect.items) <= set(shown)
        self.check("executed is what was shown", same, f"shown {shown}, executed {effect.items}")
        asked_ms = self._seen.asked_ms.get((transaction, revision))
        told = self._seen.transactions[transaction]
        yes_ms = self._yes_to(told.conversation, f"{transaction}/{revision}", asked_ms)
        if yes_ms is None:
            what = f"{transaction}/{revision} {effect.items} was executed, nobody said yes"
            self.violated("nothing without a yes", what)
            return
        expires_ms = datetime.fromisoformat(proposal["expires_at"]).timestamp() * 1000
        what = f"{transaction}/{revision}: yes at {yes_ms}, expired at {expires_ms}"
        self.check("a late yes executes nothing", yes_ms <= expires_ms, what)

    def _yes_to(self, conversation: str, proposal: str, asked_ms: int | None) -> int | None:
        """Broker time of the first yes said after the question was published."""
        if asked_ms is None:
            return None
        for customer in self._world.customers:
            if customer.conversation != conversation:
                continue
            meant = {said.message_id for said in customer.said if said.button_of in {None, proposal}}
            times = [
                record.timestamp_ms
                for record, request in self._world.gateway.sent
                if request["payload"]["message"] == "sim"
                and request["payload"]["message_id"] in meant
                and record.timestamp_ms >= asked_ms
            ]
            return min(times, default=None)
        return None
