"""What must hold, whatever happens: checked with every commit and every effect, and at the end.

Owns: the list of promises and how each is looked at from outside (topics, the servers' own ledger, what customers said and heard).
Invariants: a violation names the promise it breaks and is found at the first step that breaks it. Never: looks into a stage's code; the
only inner thing compared is live state with replayed state. Source: issue "exactly once, proved"; DESIGN 4.
"""

from pipeline import topology
from pipeline.runtime.changelog import Restored
from pipeline.runtime.ports import TopicPartition
from pipeline.runtime.state_store import StateStore
from pipeline.testing.invariants.commits import Commits
from pipeline.testing.invariants.effects import Effects
from pipeline.testing.invariants.ending import Ending
from pipeline.testing.invariants.watch import Seen, Violation, Watch
from pipeline.testing.replicas import stage as stage_of
from pipeline.testing.world import World
from pipeline.topology import StageName

__all__ = ["Invariants", "Violation"]


class Invariants(Watch):
    """Watches a world from every side."""

    def __init__(self, world: World, *, allow_alarms: bool = False) -> None:
        super().__init__(world, Seen(allow_alarms=allow_alarms))
        self._effects = Effects(world, self._seen)
        self._ending = Ending(world, self._seen)
        world.broker.on_decided.append(Commits(world, self._seen).decided)
        world.servers.watchers.append(self._effects.look)

    @property
    def violations(self) -> list[Violation]:
        """Broken promises, the first of each."""
        return self._seen.violations

    @property
    def commits(self) -> int:
        """Transactions committed so far."""
        return self._seen.commits

    @property
    def stalls(self) -> int:
        """Stalls that a watchdog saw."""
        return self._seen.stalls

    def allow_skew(self) -> None:
        """Clocks differ by more than they may: instants by the clock of whoever wrote them prove nothing."""
        self._seen.allow_skew = True

    def at_end(self) -> None:
        """What must hold once the world is at rest."""
        self._effects.look()
        self._ending.at_end()

    def keys_of(self, transaction: str) -> set[str]:
        """Idempotency keys under which calls of a transaction arrived."""
        return self._ending.keys_of(transaction)

    def open_transactions(self) -> list[str]:
        """Transactions that have not ended: a question may still be open when the last customer has gone."""
        return self._ending.open_transactions()

    def unwell(self) -> list[str]:
        """Why some worker is not ready."""
        return self._ending.unwell()

    def forgotten(self) -> None:
        """After the retention nothing is kept: memory is bounded."""
        self._ending.forgotten()

    def compare_state(self, stage: StageName, number: int, store: StateStore) -> None:
        """Live state equals replayed state."""
        topic = self._settings.named(topology.state(stage))
        restored = Restored(checkpoints={})
        for record in self._world.broker.decided_records(TopicPartition(topic, number)):
            restored.apply(record)
        replayed = StateStore(stage_of(stage, 0), restored.checkpoints)
        live = {key: store.get(key) for key in store.conversations()}
        again = {key: replayed.get(key) for key in replayed.conversations()}
        empty = {key for key, state in again.items() if stage_of(stage, 0).is_empty(state)}
        for key in empty:
            again.pop(key)
        if live != again:
            different = sorted(key for key in live.keys() | again.keys() if live.get(key) != again.get(key))
            key = different[0]
            self.violated(
                "live state equals replayed state", f"{stage}-{number} {key}: {live.get(key)!r} != {again.get(key)!r}"
            )
