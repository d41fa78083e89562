"""The facts of one reply, weighed: the verdict and the rule that gave it.

Owns: which fact outweighs which. An accept is proved, never guessed: every sign of the reply must be an affirmation, the
operation's own word, the naming of the whole set, a courtesy or a filler; whatever is left over makes it another verdict.
Invariants: a question, condition, hedge or delay never accepts nor amends. Source: language.json REPLY-1 to REPLY-5.
"""

from collections import Counter

from pipeline.language.reply_amendment import Amendment
from pipeline.language.reply_facts import Stance
from pipeline.language.reply_reasons import explains_refusal
from pipeline.language.reply_segments import Clause, Matter
from pipeline.language.reply_verdicts import Reply, Verdict
from pipeline.language.senses import Sense
from pipeline.language.signs import Sign
from pipeline.language.word_lists import listed

__all__ = ["Judgement"]

_SENDS = listed(
    "manda mande mandar envia envie enviar emite emitir gera gerar gere imprime send print mandame enviame envieme"
)
"""Verbs that can ask for a thing only, never for a word about the proposal."""


class Judgement(Amendment):
    """The verdict of one reply."""

    __slots__ = ()

    def verdict(self) -> Reply:
        """Return the verdict; a bare no stays one whatever explains it."""
        reply = self._weighed()
        if (
            reply.verdict is Verdict.UNCLEAR
            and not self.facts.dangling
            and explains_refusal(self.page.signs, self.parts)
        ):
            return self._declined("REPLY-2 refused with a reason")
        return reply

    def _weighed(self) -> Reply:
        self._settle_strangers()
        facts = self.facts
        amends = self._amends()
        if facts.asks:
            return self._asked(amends=amends)
        doubt = self._doubt()
        if doubt and not (amends and doubt == "REPLY-4 delay" and self._only_hesitates()):
            if (
                facts.refuses
                and not facts.affirms
                and not amends
                and doubt in ("REPLY-4 not understood", "REPLY-4 delay")
            ):
                return self._declined("REPLY-2 refused, whatever else")
            if (
                not facts.affirms
                and not facts.refuses
                and not amends
                and doubt == "REPLY-4 not understood"
                and self._request()
            ):
                return self._new_intent()
            return Reply(Verdict.UNCLEAR, rule=doubt)
        if amends:
            return self._amended()
        if facts.refuses:
            if (
                facts.alternative
                or facts.affirms
                or (
                    facts.whole
                    and not facts.strange
                    and not facts.own_verb
                    and not facts.calls_off
                    and not self._keeps_all()
                )
            ):
                return Reply(Verdict.UNCLEAR, rule="REPLY-4 contradiction")
            return self._declined("REPLY-2 refused")
        if self._request() and not self._affirmed():
            return self._new_intent()
        return self._accepted()

    def _request(self, *, after_verdict: bool = False) -> str:
        """The separate request, as written: from its first clause to the end of its last."""
        matters = [part for part in self.parts if part.matter in (Matter.REQUEST, Matter.QUESTION)]
        if not matters:
            return ""
        first, last = matters[0].first, matters[-1].after - 1
        while (
            after_verdict
            and first < last
            and self.page.signs[first].sense in (Sense.AND, Sense.COMMA, Sense.ALSO, Sense.FILLER, Sense.STOP)
        ):
            first += 1
        end = self.page.tokens[self.page.signs[last].last].end
        start = self.page.tokens[self.page.signs[first].first].start
        tail = self.page.text[end : end + 3]
        if matters[-1].asks and tail.lstrip().startswith("?"):
            end += tail.index("?") + 1
        return " ".join(self.page.text[start:end].split())

    def _new_intent(self) -> Reply:
        return Reply(Verdict.NEW_INTENT, rule="REPLY-5 another matter", rest=" ".join(self.page.text.split()))

    def _asked(self, *, amends: bool) -> Reply:
        facts = self.facts
        if (
            not facts.affirms
            and not amends
            and self._request()
            and not any(part.matter is Matter.ASKS for part in self.parts)
        ):
            if facts.refuses:
                return self._declined("REPLY-2 refused, then asks for something else")
            return self._new_intent()
        return Reply(Verdict.UNCLEAR, rule="REPLY-4 question", question=True)

    def _doubt(self) -> str:
        """Return the rule by which nothing can be decided, "" where nothing stands in the way."""
        facts = self.facts
        if facts.hedges:
            return "REPLY-4 hedge"
        if facts.conditions:
            return "REPLY-4 condition"
        if facts.no_such_place:
            return "REPLY-4 no such position"
        if facts.contradicts:
            return "REPLY-4 contradiction"
        if facts.ambiguous:
            return "REPLY-4 two readings"
        if facts.waits or facts.later:
            return "REPLY-4 delay"
        if facts.dangling:
            return "REPLY-4 breaks off"
        if facts.puzzled:
            return "REPLY-4 not understood"
        return ""

    def _only_hesitates(self) -> bool:
        """Whether the delay is an interjection before an amendment ('pera, tira o Neymar')."""
        if self.facts.later or not self.parts:
            return False
        first = self.parts[0]
        waits = [index for index, sign in enumerate(self.page.signs) if sign.sense is Sense.WAIT]
        return all(index < first.after for index in waits) and not self.facts.affirms

    def _keeps_all(self) -> bool:
        return any(sign.sense is Sense.KEEP for sign in self.page.signs)

    def _declined(self, rule: str) -> Reply:
        return Reply(Verdict.DECLINE, rule=rule, rest=self._request(after_verdict=True))

    def _affirmed(self) -> bool:
        facts = self.facts
        named = len(facts.places(Stance.APPROVED, Stance.NAMED)) == self.proposal.size or facts.whole
        return facts.affirms or named or (facts.own_verb and not self.proposal.operation.cancels) or facts.rest is True

    def _accepted(self) -> Reply:
        """Return accept where everything said is accounted for, else unclear."""
        facts = self.facts
        if not self._affirmed():
            bare = facts.own_verb or facts.own_noun
            return Reply(Verdict.UNCLEAR, rule="REPLY-4 bare operation" if bare else "REPLY-4 no verdict")
        if (
            facts.but
            or facts.alternative
            or facts.strange
            or facts.refuses
            or facts.calls_off
            or facts.corrects
            or facts.out
        ):
            return Reply(Verdict.UNCLEAR, rule="REPLY-4 not all understood")
        if self._singles_out():
            return Reply(Verdict.UNCLEAR, rule="REPLY-4 two readings")
        if facts.rest_apart:  # 'a Mel vai, desmarca os outros'
            return Reply(Verdict.UNCLEAR, rule="REPLY-4 two readings")
        if facts.rest is True and len(facts.places(Stance.APPROVED, Stance.NAMED)) in (0, self.proposal.size):
            return Reply(Verdict.UNCLEAR, rule="REPLY-4 not all understood")
        if facts.reasons or (facts.remarks and not self.proposal.operation.cancels):
            return Reply(Verdict.UNCLEAR, rule="REPLY-4 not all understood")
        if not self._requests_follow():
            return Reply(Verdict.UNCLEAR, rule="REPLY-4 not all understood")
        return Reply(
            Verdict.ACCEPT,
            rule="REPLY-1 affirmed" if facts.affirms else "REPLY-1 the whole set named",
            rest=self._request(after_verdict=True),
        )

    def _singles_out(self) -> bool:
        """Whether some of the whole set are named besides: 'todos, a Mel', 'Rex, Mel e Thor, o primeiro'."""
        said = Counter(entry.place for entry in self.facts.entries if entry.place >= 0)
        return (self.facts.whole and 0 < len(said) < self.proposal.size) or len(set(said.values())) > 1

    def _requests_follow(self) -> bool:
        """Whether separate requests stand behind the yes, plainly joined, and touch nothing of the proposal."""
        seen = False
        for part in self.parts:
            if part.matter in (Matter.REQUEST, Matter.QUESTION):
                seen = True
                if (
                    part.lead not in (Sense.AND, Sense.COMMA, Sense.STOP, Sense.BREAK)
                    or part.matter is Matter.QUESTION
                    or part.asks
                ):
                    return False
                if not self._recognised(part):
                    return False
                if any(self._touches(sign) for sign in self.page.signs[part.first : part.after]):
                    return False
            elif seen and not all(
                sign.sense in (Sense.COURTESY, Sense.FILLER, Sense.KIND_SIGN, Sense.GREETING)
                for sign in self.page.signs[part.first : part.after]
            ):
                return False
        return True

    def _recognised(self, part: Clause) -> bool:
        """Whether a clause surely asks for another matter: a verb of request and the matter or the person it is about."""
        signs = self.page.signs[part.first : part.after]
        asks = any(sign.sense is Sense.GIVE or sign.has(Sense.WANT, Sense.CONSENT) for sign in signs)
        matter = any(sign.has(Sense.TOPIC, Sense.PERSON) and not self.proposal.is_echo(sign) for sign in signs)
        sends = any(sign.sense is Sense.GIVE and sign.words[-1] in _SENDS for sign in signs)
        thing = any(sign.sense in (Sense.UNKNOWN, Sense.QUOTED, Sense.CODE) for sign in signs)
        if (asks and matter) or (sends and thing):
            return True
        return part.lead in (Sense.AND, Sense.COMMA) and (matter or thing) and self._follows_request(part)

    def _follows_request(self, part: Clause) -> bool:
        """Whether a clause goes on with a recognised request: 'a fatura e o extrato'."""
        index = self.parts.index(part)
        return index > 0 and self.parts[index - 1].matter is Matter.REQUEST and self._recognised(self.parts[index - 1])

    def _touches(self, sign: Sign) -> bool:
        if sign.sense in (
            Sense.MENTION,
            Sense.ORDINAL,
            Sense.NOT,
            Sense.REFUSE,
            Sense.HEDGE,
            Sense.WAIT,
            Sense.IF,
            Sense.BEFORE,
            Sense.REST,
            Sense.EXCEPT,
            Sense.ONLY,
            Sense.LATER,
            Sense.BUT,
            Sense.NONE,
            Sense.KEEP,
            Sense.CORRECT,
            Sense.NO_SIGN,
            Sense.DOUBT_SIGN,
        ):
            return True
        return any(
            self.proposal.operation.is_own(word)
            for word in sign.words
            if sign.sense in (Sense.VERB, Sense.GIVE, Sense.UNKNOWN)
        )
