"""The list that the named things make: which of them are items in the end, and by which rule.

Owns: remarks and comments left out, what is excepted, everything and the rest.
Invariants: nothing twice, known values in known order where all of them are meant.
Source: language.json ITEMS-6 to ITEMS-8.
"""

from dataclasses import dataclass

from pipeline.language.item_entries import Entry, ItemsReading, Mode, known_key
from pipeline.language.item_ground import NEAR
from pipeline.language.item_joints import COUNT_DIGITS, ItemJoints
from pipeline.language.normalize import fold
from pipeline.language.senses import Sense
from pipeline.language.word_lists import listed

__all__ = ["ItemList"]

_LOSSES = listed("perdi perdemos roubaram furtaram clonaram fui fiquei casei mudei lost")
"""Verbs a reason before a request opens with."""
_ANYTHING = listed("coisa coisas negocio negocios treco trecos parada paradas thing things stuff cosa cosas")
"""Nouns that stand for whatever is meant: 'umas coisas no meu celular'."""
_BESIDE = listed(
    "app aplicativo aplicacao plano pacote canal site streaming servico programa jogo service plan channel aplicacion paquete "
    "mensal mensais anual semanal trimestral premium basico basica plus pro gratis gratuito completo completa inteiro inteira "
    "monthly yearly annual weekly basic free mensual urgente logo rapido rapidao rapidinho direto mesmo tudo"
)
"""Words that stand beside a name and name nothing of their own."""
_HOW = ("mente", "ndo", "ly", "zinho", "zinha", "ado", "ada", "ido", "ida")
"""Endings of words that say how."""
_LED = frozenset({Sense.ARTICLE, Sense.POSSESSIVE, Sense.DEMONSTRATIVE, Sense.PREPOSITION, Sense.FOR})


@dataclass(slots=True)
class ItemList(ItemJoints):
    """Draws the list."""

    def _in_a_row(self, first: int, after: int) -> bool:
        """Whether an unlisted word is one of several names said without articles and commas: 'cancela netflix neymar jr'."""
        for spot in range(first, after):
            sign = self.signs[spot]
            if sign.sense is not Sense.UNKNOWN or sign.word in _BESIDE or sign.word.endswith(_HOW):
                return False
        row = first
        while row and self.signs[row - 1].sense in (Sense.UNKNOWN, Sense.MENTION) and first - row < NEAR:
            row -= 1
        return row > 0 and self.signs[row - 1].sense not in _LED and self.sentences[-1].requested

    def _announces(self, first: int, after: int) -> bool:
        """Whether a run of words only says that things follow: '3 coisas', 'três serviços:'."""
        counted = self.signs[first].sense is Sense.CODE and self.signs[first].word.isdecimal()
        noun = first + counted
        if noun >= after or self.page.is_title(noun) or self.signs[first].sense is Sense.QUOTED:
            return False
        if self.signs[noun].word in _ANYTHING:
            return True
        opens = after < len(self.signs) and self.signs[after].sense is Sense.COLON
        return counted and opens and noun + 1 == after and self.signs[noun].word.endswith("s")

    def result(self) -> ItemsReading:
        live = [entry for entry in self._without_remarks() if not entry.withdrawn]
        live = self._without_comments(live)
        against = {
            entry.key
            for entry in live
            if entry.mode in (Mode.NEGATED, Mode.REFUSED, Mode.EXCEPTED, Mode.KEPT, Mode.REPLACED)
        }
        wanted = [entry for entry in live if entry.mode is Mode.WANTED]
        if not wanted and not self.everything and not self.remainder:
            wanted = [entry for entry in live if entry.mode is Mode.OWNED]
        excepted = any(entry.mode is Mode.EXCEPTED for entry in live)
        if self.remainder:
            against |= {entry.key for entry in live if entry.mode is Mode.OWNED}
        kept_only = self.only and any(entry.mode is Mode.KEPT for entry in live)
        chosen: dict[str, str] = {}
        if self.known and (self.everything or self.remainder or ((excepted or kept_only) and not wanted)):
            chosen = {known_key(index): value for index, value in enumerate(self.known)}
        for entry in wanted:
            chosen.setdefault(entry.key, entry.text)
        for key in against:
            chosen.pop(key, None)
        folded: dict[str, str] = {}
        for text in chosen.values():
            folded.setdefault(fold(text), text)
        items = tuple(folded.values())
        rest = self.page.slice(self.foreign, len(self.signs) - 1) if self.foreign is not None else ""
        return ItemsReading(items, self._rule(items), rest)

    def _without_remarks(self) -> list[Entry]:
        """Leave out, where known values are asked for, what only leads to the request or explains it behind it."""
        entries = self.entries
        first = self.before_request
        if not self.known:
            loss = first < len(entries) and any(sign.word in _LOSSES for sign in self.signs[:2])
            return [entry for number, entry in enumerate(entries) if not loss or entry.strong or number >= first]
        asked = any(entry.known and entry.mode is Mode.WANTED for entry in entries[first:]) or self.everything
        named = len({entry.key for entry in entries if entry.known and entry.mode is Mode.WANTED})
        kept = []
        behind = self.everything
        for number, entry in enumerate(entries):
            leads = number < first and asked and not entry.known
            questions = number < first and asked and self.sentences[entry.sentence].asked
            counts = entry.key.isdecimal() and len(entry.key) < COUNT_DIGITS and int(entry.key) == named
            explains = not entry.known and not entry.strong and entry.lead is Sense.COMMA and behind
            if not (leads or questions or counts or (explains and (self.everything or entry.tells))):
                kept.append(entry)
            behind = behind or entry.known
        return kept

    def _without_comments(self, live: list[Entry]) -> list[Entry]:
        """Leave out what unlisted words of other sentences seem to name: a comment is no list."""
        requested = {
            index
            for index, sentence in enumerate(self.sentences)
            if sentence.requested and any(entry.sentence == index for entry in live)
        }
        bulleted = any(sentence.bulleted for sentence in self.sentences)
        if bulleted:
            return [
                entry
                for entry in live
                if self.sentences[entry.sentence].bulleted
                or entry.certain
                or (self.sentences[entry.sentence].requested and entry.strong)
            ]
        first = min((entry.sentence for entry in live), default=0)
        mentioned = any(entry.known or (entry.certain and entry.sentence != first) for entry in live)
        kept: list[Entry] = []
        listed = {entry.sentence for entry in live if entry.known}
        for entry in live:
            sentence = self.sentences[entry.sentence]
            if (
                entry.certain
                or entry.mode in (Mode.REFUSED, Mode.EXCEPTED)
                or (entry.alone and not entry.tells and entry.sentence in listed)
                or sentence.requested
                or sentence.continued
                or sentence.listed
                or (not requested and not mentioned and entry.sentence == first)
            ):
                kept.append(entry)
        return kept

    def _rule(self, items: tuple[str, ...]) -> str:
        if not items:
            return "ITEMS-1 nothing named"
        if self.rules:
            return next((rule for rule in self.rules if rule.startswith(("ITEMS-6", "ITEMS-7"))), self.rules[0])
        if any(sign.sense is Sense.MENTION for sign in self.signs):
            return "ITEMS-5 known values"
        return "ITEMS-3 separators" if len(items) > 1 else "ITEMS-1 one name"
