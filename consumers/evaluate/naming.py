"""Whether a text names every item, on the channel that it was written for. Pure.

Owns: when an item counts as named: by words of its own (HBO is not named by HBO Max), up to case, accents and signs, as the channel
writes or speaks it; shortened with an ellipsis; or counted by the catalogue's own words where the channel had no room.
Never: corrects a text. Source: DESIGN 7 (Normalize: every item is named), pipeline/language/channel_text, wording.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.language.channel_text import speakable, without_markup
from pipeline.language.messages import Catalogue
from pipeline.language.normalize import fold
from pipeline.language.typography import LOCALES
from pipeline.language.wording import Wording
from pipeline.policy import ChannelSpec

RECOGNISED_CHARS = 12
"""Characters of a shortened name that make it recognisable; the channel never writes fewer of a longer one."""
COUNTS = ("list.more", "list.more_results")
"""Texts that count what did not fit."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a text says of a set of items."""

    missing: int
    """Items neither named nor counted."""
    counted: int = 0
    """Items counted in words instead of named."""


class Naming:
    """Looks at texts as the configured channels write them."""

    def __init__(self, channels: Mapping[str, ChannelSpec], catalogue: Catalogue) -> None:
        self._channels = channels
        self.catalogue = catalogue

    def look(self, channel: str, text: str, names: Sequence[str]) -> Look:
        """Whether every one of these is named; a name that is there twice has to be said twice."""
        spec = self._channels.get(channel, ChannelSpec())
        left, signs = f" {words(text)} ", text
        absent = []
        for name in sorted(names, key=len, reverse=True):
            if (
                not words(name) and name.strip() in signs
            ):  # nothing but signs: they are there as they are, or not at all
                signs = signs.replace(name.strip(), "", 1)
                continue
            found = next((form for form in forms(name, spec) if form and f" {form} " in left), None)
            if found is None:
                absent.append(name)
            else:
                left = left.replace(f" {found} ", "  ", 1)
        if not absent:
            return Look(0)
        absent = beyond_shortened(text, absent)
        counted = self._counted(text, len(absent), spec)
        return Look(len(absent) - counted, counted)

    def _counted(self, text: str, count: int, spec: ChannelSpec) -> int:
        """How many of so many the text counts: all, or none."""
        said = f" {words(text)} "
        for locale in LOCALES if count else ():
            wording = Wording(self.catalogue, locale, spec)
            for key in COUNTS:
                phrase = wording.say_inside(key, count=count)
                spoken = speakable(phrase, locale) if spec.format == "speech" else phrase
                if any(f" {words(form)} " in said for form in (phrase, spoken)):
                    return count
        return 0


def words(text: str) -> str:
    """The words of a text in their comparison form, one blank between them."""
    return re.sub(r"[^\w]+", " ", fold(text)).strip()


def forms(name: str, spec: ChannelSpec) -> list[str]:
    """How a channel may write a name."""
    written = [name, without_markup(name)]
    if spec.format == "speech":
        written += [speakable(name, locale) for locale in LOCALES]
    return list(dict.fromkeys(words(form) for form in written))


def beyond_shortened(text: str, names: Sequence[str]) -> list[str]:
    """The names that are not there in a shortened form either; an ellipsis stands for one name."""
    before = [f" {words(part)}" for part in text.split("…")[:-1]]
    absent = []
    for name in names:
        whole = words(name)
        cuts = [whole[:size].rstrip() for size in range(len(whole), min(RECOGNISED_CHARS, len(whole)) - 1, -1)]
        place = next((p for p, part in enumerate(before) if any(part.endswith(f" {cut}") for cut in cuts)), None)
        if place is None:
            absent.append(name)
        else:
            del before[place]
    return absent
