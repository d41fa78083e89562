"""Words that agree: yes, may, the operation's own verb.

Owns: whether such a word speaks of the names beside it or of the whole set, and when it only calls a state good.
Source: language.json REPLY-1, REPLY-3.
"""

from pipeline.language.operations import CALL_OFF
from pipeline.language.reply_facts import Stance
from pipeline.language.reply_ground import open_for_verdict
from pipeline.language.reply_set_words import SetWords
from pipeline.language.senses import Sense
from pipeline.language.verbs import verb_stem
from pipeline.language.word_lists import listed

__all__ = ["GOES", "ConsentWords"]

_STATES = listed("to estou estamos ando fico i'm am estoy")
"""Verbs by which a customer tells how they are: no yes to what was proposed."""
_AGREEING_STATES = listed("de acordo|certo disso|certa disso|sure|ciente|positive", "|")
_TOLD = (
    "aram", "eram", "iram", "aria", "ariam", "eria", "eriam", "iria", "iriam", "asse", "assem", "esse", "isse", "ei", "ou", "aste", "ava",
    "avam", "aron", "ieron",
)  # fmt: skip
"""Endings of a verb that tells of what was done or would be."""
_ACCENTS = ("é", "ó")
"""What Spanish tells by: 'ya lo cancelé', 'canceló'."""
_WAS = listed("foi foram fue fueron was were")
GOES = listed("vai vao")
_AS_IT_IS = listed(
    "assim|como esta|como ta|desse jeito|deste jeito|do jeito que esta|do jeito que ta|asi|as it is|as is|as they are"
    "|the way it is|the way they are",
    "|",
)


class ConsentWords(SetWords):
    """Reads the words that agree."""

    __slots__ = ()

    def _yes(self, index: int, after: int) -> None:
        group = self._group_before(index)
        before = self.signs[index - 1] if index else None
        if (
            before is not None
            and (self._is_own(before) or self._calls_off(before))
            and self.signs[index].word in ("isso", "isso ai", "ta", "ok", "eso")
        ):
            return  # 'cancela isso': the object; 'cancela tá': a tag
        if (
            before is not None
            and before.sense is Sense.REFUSE
            and self.signs[index].word in ("vai", "ta", "ok", "beleza")
        ):
            return  # 'deixa quieto, vai': a tag
        if before is not None and before.word in _STATES and self.signs[index].word not in _AGREEING_STATES:
            self.facts.hedges = True  # 'tô de boa': fine with it, or fine without it?
            return
        if self._stays(index, after):
            self.facts.out = True
            return
        if group and self.signs[index].word in ("ta", "esta") and index + 1 < after and self._tells(index + 1):
            self.facts.strange += 1  # 'o X tá comigo'
        elif group and open_for_verdict(group):
            # 'a Mel vai', before a cancellation: it goes there, or it goes?
            goes = self.signs[index].word in GOES and self.proposal.operation.takes_away
            self.facts.ambiguous = self.facts.ambiguous or goes
            self._turn_group(group, Stance.APPROVED)
        else:
            self.facts.affirms = True
            if self.stance is not Stance.ONLY:
                self._set(Stance.NAMED)

    def _stays(self, index: int, after: int) -> bool:
        """Whether a state is called good as it is ('tá ótimo assim', 'así está perfecto'): no yes to changing it."""
        spot = index + 1
        while spot < after and self.signs[spot].sense in (Sense.FILLER, Sense.THAT, Sense.AFFIRM):
            spot += 1
        led = index - 1 if index and self.signs[index - 1].sense is not Sense.AUXILIARY else index - 2
        near = [self.signs[one] for one in (spot, led) if 0 <= one < after]
        return any(sign.sense is Sense.OUT and sign.word in _AS_IT_IS for sign in near)

    def _tells(self, index: int) -> bool:
        return self.signs[index].sense in (Sense.FILLER, Sense.PREPOSITION, Sense.UNKNOWN, Sense.POSSESSIVE)

    def _consent(self, index: int, after: int) -> int:
        sign = self.signs[index]
        if index and self.signs[index - 1].sense is Sense.EXCEPT and self.signs[index - 1].words[-1] == "nao":
            return index + 1  # 'só não quero cancelar o X'
        group = self._group_before(index)
        following = self._ahead(index + 1, after)
        if self._closes_with_not(index + 1, after):
            # 'quero não', 'o Aya pode não'
            if group:
                self._turn_group(group, Stance.REMOVED)
            else:
                self.facts.refuses = True
            return after
        wants = following is None and sign.words[-1] in ("quero", "quiero", "want")
        if group and wants and self.proposal.operation.takes_away:
            self.facts.ambiguous = True  # 'o X eu quero': to have it, or to have it cancelled?
        if group and open_for_verdict(group):
            if following is None or self._is_own(following) or following.sense in (Sense.AFFIRM, Sense.CONSENT):
                self._turn_group(group, Stance.APPROVED)
                return index + 1
            if following.sense in (Sense.DROP, Sense.KEEP):
                return index + 1
            self.facts.ambiguous = True
            return index + 1
        if following is not None and self._calls_off(following):
            return index + 1
        if (
            following is not None
            and following.sense in (Sense.DROP, Sense.KEEP, Sense.ADD, Sense.SWAP, Sense.EXCEPT)
            and sign.has(Sense.WANT, Sense.CONSENT)
        ):
            if following.sense is Sense.EXCEPT:
                self.facts.affirms = True
            return index + 1
        if self.stance in (Stance.ONLY, Stance.ADDED):
            return index + 1
        self.facts.affirms = True
        if (
            sign.has(Sense.WANT)
            and following is not None
            and following.sense in (Sense.MENTION, Sense.ORDINAL, Sense.LAST)
            and self.proposal.operation.cancels
        ):
            # 'quero o Deezer' before a cancellation: to have it, or to have it cancelled?
            self.facts.ambiguous = True
        self._set(Stance.APPROVED)
        return index + 1

    def _closes_with_not(self, index: int, after: int) -> bool:
        """Whether the clause ends with a negation: 'quero não', 'cancela não'."""
        spot = self._spot(index, after)
        return spot >= 0 and self.signs[spot].sense is Sense.NOT and self._spot(spot + 1, after) < 0

    def _verb(self, index: int, after: int) -> int:
        sign = self.signs[index]
        done = index > 0 and self.signs[index - 1].word in _WAS
        accented = self.page.tokens[sign.last].text.casefold().endswith(_ACCENTS)
        if done or ((accented or sign.words[-1].endswith(_TOLD)) and verb_stem(sign.words[-1])):
            self.facts.strange += 1  # 'já cancelaram', 'cancelaria', 'foi cancelado': told, not asked for
            return index + 1
        if self._calls_off(sign):
            self.facts.calls_off = True
            self._set(Stance.REMOVED)
            if not self._names_ahead(index + 1, after):
                self.facts.refuses = True
                return index + 1
            return index + 1
        led = index > 0 and self.signs[index - 1].sense in (Sense.ARTICLE, Sense.PREPOSITION)
        if self.proposal.operation.is_noun(sign.words[-1]) and (led or not self._is_own(sign)):
            self.facts.own_noun = True
            return index + 1
        if not self.proposal.operation.is_own(sign.words[-1]):
            self.facts.strange += 1
            return index + 1
        spot = self._spot(index + 1, after)
        if (
            spot >= 0
            and verb_stem(sign.words[-1]) in CALL_OFF
            and any(self.proposal.operation.is_noun(word) for word in self.signs[spot].words)
        ):
            self.facts.refuses = True  # 'cancela o cancelamento'
            return spot + 1
        self.facts.own_verb = True
        group = self._group_before(index)
        if group and open_for_verdict(group):
            following = self._ahead(index + 1, after)
            if following is not None and following.sense is Sense.NOT:
                self._turn_group(group, Stance.REMOVED)
                return after
            self._turn_group(group, Stance.APPROVED)
            return index + 1
        following = self._ahead(index + 1, after)
        if self._closes_with_not(index + 1, after):
            self.facts.refuses = True  # 'cancela não'
            return after
        if self.stance not in (Stance.ONLY, Stance.REMOVED, Stance.ADDED):
            self._set(Stance.APPROVED)
        return index + 1
