"""Words that refuse, and what a negation reaches.

Owns: whether such a word speaks of the names beside it or of the whole set.
Source: language.json REPLY-2 to REPLY-4.
"""

from pipeline.language.reply_consent_words import GOES, ConsentWords
from pipeline.language.reply_facts import Stance
from pipeline.language.reply_ground import LOOSE
from pipeline.language.senses import Sense
from pipeline.language.signs import Sign
from pipeline.language.word_lists import listed

__all__ = ["RefusalWords"]

_NEGATIONS = frozenset({"nao", "no", "nem", "don't", "not", "ni", "i", "do", "please"})
_NEEDS = listed("preciso precisa precisamos precisam necesito")
_TO = frozenset({"a", "ao", "aos", "para", "to"})
_NEXT = 3
"""Signs in which the clause behind a comma says 'only'."""
_BRIDGES = LOOSE - {Sense.ARTICLE, Sense.POSITION, Sense.DEMONSTRATIVE}
"""What a negation passes on its way over the verbs of its clause."""


class RefusalWords(ConsentWords):
    """Reads the words that refuse."""

    __slots__ = ()

    def _needed_ahead(self, index: int, after: int) -> bool:
        """Whether 'do X' stands here: the thing itself, no verb about it."""
        return (
            index + 1 < after
            and self.signs[index].sense is Sense.PREPOSITION
            and self._names_ahead(index + 1, after)
            and not self._verb_ahead(index + 1, after)
        )

    def _not(self, index: int, after: int) -> int:
        """A negation: of the names before it, of the verb or names behind it, or of everything."""
        group = self._group_before(index)
        following = self._ahead(index + 1, after)
        if group and index + 1 < after and self.signs[index + 1].word in GOES and self.proposal.operation.takes_away:
            self.facts.ambiguous = True  # 'o Rex não vai', before a cancellation
        if group and (
            following is None
            or following.sense in (Sense.NOT, Sense.COURTESY, Sense.REASON, Sense.REMARK, Sense.FILLER)
        ):
            self._turn_group(group, Stance.REMOVED)
            return index + 1
        if group and following is not None and self._negatable(following) and not self._names_ahead(index + 1, after):
            self._turn_group(group, Stance.REMOVED)
            return self._over_verbs(index + 1, after)
        if following is None or following.sense in (
            Sense.KIND_SIGN,
            Sense.DOUBT_SIGN,
            Sense.OTHER_SIGN,
            Sense.NO_SIGN,
            Sense.GREETING,
        ):
            self.facts.refuses = True
            return index + 1
        if group and all(entry.stance is Stance.REMOVED for entry in group) and self._names_ahead(index + 1, after):
            self._set(Stance.REMOVED)  # 'nem o X nem o Y'
            return index + 1
        if group:
            # 'o TIM não o Aya sim': the negation closes the names before it
            self._turn_group(group, Stance.REMOVED)
            return index + 1
        if self._negatable(following):
            return self._negated_verb(index, after)
        match following.sense:
            case Sense.AFFIRM | Sense.YES_SIGN:
                self.facts.contradicts = True
            case Sense.NOT | Sense.REFUSE:
                self.facts.refuses = True
            case Sense.MENTION | Sense.ORDINAL | Sense.LAST:
                self._set(Stance.REMOVED)
                self.once = True
            case _ if self._whole_ahead(index + 1, after) and self._only_some_follow(after):
                return self._over_count(index + 1, after)  # 'não tudo, só o X'
            case _ if self._whole_ahead(index + 1, after) and self.signs[index + 1].word not in _TO:
                self.facts.ambiguous = True  # 'mas não todos': which ones?
            case Sense.NONE:
                self.facts.refuses = True
            case Sense.REMARK | Sense.REASON:
                self.facts.refuses = True
            case _ if self._places(self._spot(index + 1, after), after) is not None:
                self._set(Stance.REMOVED)
            case _:
                self.facts.strange += 1
        return index + 1

    def _only_some_follow(self, after: int) -> bool:
        """Whether the next clause says which ones alone are meant."""
        only = after + 1 < len(self.signs) and any(
            sign.sense is Sense.ONLY for sign in self.signs[after : after + _NEXT]
        )
        return only and any(sign.sense is Sense.MENTION for sign in self.signs[after:])

    def _over_count(self, index: int, after: int) -> int:
        """Return the index behind 'das três', 'of the three': the count a 'nenhum' is of."""
        spot = self._spot(index, after)
        places = self._places(spot, after) if spot > index else None
        return places.after if places is not None and places.whole else index

    def _whole_ahead(self, index: int, after: int) -> bool:
        spot = self._spot(index, after)
        places = self._places(spot, after) if spot >= 0 else None
        return places is not None and places.whole

    def _negatable(self, sign: Sign) -> bool:
        return sign.sense is Sense.CONSENT or self._is_own(sign) or self._calls_off(sign) or sign.has(Sense.WANT)

    def _over_verbs(self, index: int, after: int) -> int:
        while index < after and (self._negatable(self.signs[index]) or self.signs[index].sense in _BRIDGES):
            index += 1
        return index

    def _negated_verb(self, index: int, after: int) -> int:
        """'não cancela o X' takes X out, 'não quero cancelar' refuses."""
        spot = index + 1
        verbs: list[Sign] = []
        while spot < after and (self._negatable(self.signs[spot]) or self.signs[spot].sense in _BRIDGES):
            if self._negatable(self.signs[spot]):
                verbs.append(self.signs[spot])
            spot += 1
        own = any(self._is_own(verb) for verb in verbs)
        if any(self._calls_off(verb) for verb in verbs):
            self.facts.ambiguous = True
            return spot
        if own:
            self.facts.own_verb = True
        if not self._names_ahead(spot, after):
            if (
                self.signs[spot - 1].words[-1:] == ("mais",)
                and self.proposal.operation.cancels
                and not own
                and not self._own_noun_ahead(spot, after)
            ):
                # 'não quero mais': the products, or the cancellation?
                self.facts.ambiguous = True
            self.facts.refuses = True
            return spot
        if not own and self.proposal.operation.cancels and any(verb.has(Sense.WANT) for verb in verbs):
            self.facts.ambiguous = True
        self._set(Stance.REMOVED)
        return spot

    def _refuse(self, index: int, after: int) -> int:
        sign = self.signs[index]
        group = self._group_before(index)
        if group and all(entry.stance in (Stance.NAMED, Stance.APPROVED) for entry in group):
            self._turn_group(group, Stance.REMOVED)
            return self._over_verbs(index + 1, after)
        following = self._ahead(index + 1, after)
        if sign.words[-1] in _NEEDS and self.proposal.operation.takes_away and self._needed_ahead(index + 1, after):
            self.facts.ambiguous = True  # 'não preciso do X': it may go, or it need not be cancelled?
        if (
            sign.words[0].startswith("desist")
            and following is not None
            and self._negatable(following)
            and not self._names_ahead(index + 1, after)
        ):
            self.facts.refuses = True  # 'desisti de contratar'
            return self._over_verbs(index + 1, after)
        if (
            following is not None
            and following.sense is Sense.DROP
            and not self._is_own(following)
            and {"nao", "no", "not"} & set(sign.words)
        ):
            self.facts.ambiguous = True  # 'não precisa tirar o X': it stays, or it is not cancelled?
        if (
            following is not None
            and (sign.words[0] in _NEGATIONS or {"nao", "not"} & set(sign.words))
            and (self._is_own(following) or following.sense is Sense.CONSENT or following.has(Sense.WANT))
        ):
            return self._negated_verb(index, after)
        if following is not None and (
            following.sense in (Sense.MENTION, Sense.ORDINAL, Sense.LAST)
            or self._places(self._spot(index + 1, after), after) is not None
        ):
            self._set(Stance.REMOVED)
            return index + 1
        self.facts.refuses = True
        self._set(Stance.NAMED)
        return index + 1
