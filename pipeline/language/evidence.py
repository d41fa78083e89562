"""How much the words of a clause speak for each tool, without any model.

Owns: the weighing of keyword verbs, phrases, nouns, hints and everyday verbs across the tools of an agent.
Invariants: a word that many tools share says little; whole tokens only; deterministic.
Never: decides. Source: rules ROUTE-1, ROUTE-2.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from rapidfuzz.distance import OSA

from pipeline.language.clauses import Clause, Role
from pipeline.language.lexemes import word_set
from pipeline.language.normalize import unstretched
from pipeline.language.request_words import ACT_OF, ASKS, CONCEPTS, EMPTY_WORDS, GENERIC_VERBS, SAME, WANTS
from pipeline.language.stems import is_first_person_past, is_infinitive, is_told, stem
from pipeline.language.tool_profile import Profile, RoutingTool, profile_of


@dataclass(frozen=True, slots=True)
class Evidence:
    """How much the words of a clause speak for one tool, 0 to 1, and by what."""

    score: float
    action: bool
    phrase: bool
    named: tuple[int, int]
    """Of tools that fit alike: telling words of the longest phrase, keywords said in their very form."""
    nouns: int
    hints: int
    act: bool
    coverage: float
    """Share of the telling words of the clause that the tool explains."""
    acting: bool
    """The tool changes something: words about its object alone do not ask for it."""
    happened: bool
    """The clause tells the very problem the tool exists for: "não serviu", "roubaram"."""
    verbatim: bool
    """The clause is one of the tool's examples, word for word."""
    state: bool
    """Something is as the tool's texts say of the trouble it exists for."""
    of_object: bool
    """It is asked for by verbs that mean nothing without their object: comprar, mudar."""
    mends: bool
    """It puts a trouble right."""
    kin: bool
    """A word of the family of a keyword: "vence" beside "vencimento"."""
    foreign: bool
    """A verb that the tool does not know says what is asked."""
    other_act: bool
    """Such a verb asks for what the tool does not do: "cancelar o seguro", of a tool that quotes."""
    apart: bool
    """What is asked and what the tool does are of different kinds."""
    rule: str

    @property
    def only_act(self) -> bool:
        return self.act and not (self.nouns or self.hints or self.action or self.phrase)


_ACTING: Final = frozenset({"end", "buy", "free", "block", "dispute", "return", "change", "transfer", "raise"})


_HAPPENINGS: Final = frozenset({"report", "block", "track", "dispute", "return", "change"})


_MENDING: Final = frozenset({"free", "report", "return", "track"})
_INFORMING: Final = frozenset({"see", "get"})


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one clause, as every tool looks at them."""

    role: Role
    words: tuple[str, ...]
    wanting: bool
    more: bool
    asking: frozenset[str]
    """Stems of the words that can ask: not of what someone did."""
    present: frozenset[str]
    content: tuple[tuple[str, str], ...]
    """Telling words and their stems."""
    acts: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    placed: frozenset[str]
    missed: bool
    """It asks where something is: "cadê", "onde tá"."""
    charged: bool
    """It tells of a charge for what was never asked for."""


def _orders(word: str) -> bool:
    """A verb that may order something: an infinitive, or the form without its r ("devolve")."""
    if is_told(word) or is_first_person_past(word):
        return False
    return is_infinitive(word) or word + "r" in ACT_OF or any(word[:-1] + end in ACT_OF for end in ("ar", "er", "ir"))


def _wants_more(words: tuple[str, ...], role: Role) -> bool:
    """Whether what a tool sells is asked for: "quero mais 5 giga", "acabou meu pacote"."""
    if role is Role.STATEMENT:
        return not {"acabou", "acabaram", "acabando"}.isdisjoint(words)
    return role is Role.REQUEST and "mais" in words and not WANTS.isdisjoint(words)


def _groups(acts: frozenset[str]) -> frozenset[str]:
    return frozenset("inform" if act in _INFORMING else act for act in acts)


def _foreign(content: tuple[tuple[str, str], ...], profile: "Profile") -> tuple[str, ...]:
    """Verbs in it that the tool does not know."""
    return tuple(
        word
        for word, stem_ in content
        if is_infinitive(word)
        and word not in GENERIC_VERBS
        and stem_ not in profile.hints | profile.actions | profile.nouns
        and not ACT_OF.get(word, frozenset()) & profile.acts
    )


_ALL_ACTS: Final = frozenset(act for acts in ACT_OF.values() for act in acts)


def _placed(words: tuple[str, ...], *, telling: bool) -> frozenset[str]:
    """Nouns that say where something is ("no meu cartão"): no object of the request."""
    found: set[str] = set()
    for index, word in enumerate(words[:-1]):
        if word in {"no", "na", "nos", "nas"}:
            at = index + 1
            if words[at] in {"meu", "minha", "meus", "minhas"} and at + 1 < len(words):
                found.add(words[at + 1])
            elif telling:
                found.add(words[at])
    return frozenset(found)


class Profiles:
    def __init__(self, tools: Sequence[RoutingTool]) -> None:
        self.profiles = tuple(profile_of(tool) for tool in tools)
        self.request_words = frozenset().union(*(profile.action_words for profile in self.profiles))
        self.action_words = self.request_words
        acts = frozenset().union(*(profile.acts for profile in self.profiles)) - _INFORMING
        self.request_words |= {word for word, found in ACT_OF.items() if found & acts and _orders(word)}
        self._actions = Counter(action for profile in self.profiles for action in profile.actions)
        self._nouns = Counter(noun for profile in self.profiles for noun in profile.nouns)
        self._hints = Counter(hint for profile in self.profiles for hint in profile.hints | profile.nouns)
        self._finders = sum(map(_finds, self.profiles))
        self._frames = Counter(frame for profile in self.profiles for frame in profile.frames)
        self._acts = Counter(act for profile in self.profiles for act in profile.acts)
        self._keywords = frozenset().union(*(profile.action_words | profile.noun_words for profile in self.profiles))
        self._vocabulary = frozenset().union(
            *(
                profile.hints | profile.nouns | profile.actions | frozenset().union(*profile.phrases)
                for profile in self.profiles
            )
        )

    def evidence(self, clause: Clause, *, disowned: bool = False) -> list[Evidence]:
        """One entry a tool, in the order of the tools. `disowned`: the message says that something was never asked for."""
        words = tuple(self.known(word) for word in clause.words)
        nouns = self._named_nouns(clause, words)
        stems = [stem(word) for word in words]
        asking = {
            stem_
            for word, stem_ in zip(words, stems, strict=True)
            if not (is_told(word) and clause.role is not Role.QUIT) and word not in nouns
        }
        present = frozenset(stems)
        priced = (
            next((word for word in _PRICES if stem(word) in self._vocabulary), None) if _asks_price(words) else None
        )
        content = [
            (word, stem_)
            for word, stem_ in zip(words, stems, strict=True)
            if word not in EMPTY_WORDS and word not in _WHEN and not word.isdigit()
        ]
        if priced is not None and stem(priced) not in present:
            content.append((priced, stem(priced)))
        # What someone did ("cancelaram") asks for nothing; what happened ("acabou", "roubaram") may be the very problem.
        acts: set[str] = set()
        for word in {*words, *clause.words} - nouns:
            acts |= ACT_OF.get(word, frozenset()) & (_HAPPENINGS if is_told(word) else _ALL_ACTS)
        if clause.role is Role.QUIT or clause.words[:2] in {("para", "de"), ("pare", "de"), ("parem", "de")}:
            acts = {"end"}  # "para de me mandar o Babbel" asks for no sending
        if any(word in WANTS and after == "que" for word, after in pairwise(words)):
            acts.add("change")  # "quero que a conta vença dia 20"
        if _moves(clause.words):
            acts.add("change")
        if ("de", "volta") in pairwise(words):
            acts.add("return")
        charged = disowned and any(word.startswith(_CHARGES) for word in words)
        if charged:
            acts.add("dispute")
        if words[:2] == ("how", "long"):
            acts.add("track")
        missed = asks_where(clause.words)
        placed = _placed(words, telling=clause.role in {Role.STATEMENT, Role.DETAIL})
        pairs = frozenset(pairwise(stems))
        found = [
            self._against(
                profile,
                _Words(
                    role=clause.role,
                    words=clause.words,
                    wanting=not WANTS.isdisjoint(words),
                    more=_wants_more(words, clause.role),
                    asking=frozenset(asking),
                    present=present,
                    content=tuple(content),
                    acts=frozenset(acts),
                    pairs=pairs,
                    placed=placed,
                    missed=missed,
                    charged=charged,
                ),
            )
            for profile in self.profiles
        ]
        found = [replace(one, score=one.score * 0.6) if one.only_act and one.of_object else one for one in found]
        if any(one.nouns or one.phrase for one in found):
            # What is asked for has a name here: a verb alone ("trocar a senha") speaks for the tool of that name.
            found = [
                replace(one, score=one.score * 0.6) if one.only_act and not one.of_object else one for one in found
            ]
        return found

    def _named_nouns(self, clause: Clause, words: tuple[str, ...]) -> frozenset[str]:
        """Words that are nouns here and verbs elsewhere, where another verb asks: "adianta minha reserva", "tenho consulta"."""
        looks = [
            index
            for index in range(1, len(words))
            if words[index - 1] in _DETERMINERS and not is_infinitive(words[index]) and _orders(words[index])
        ]
        verbs = any(
            (_orders(word) or word in self.request_words) and word not in GENERIC_VERBS and index not in looks
            for index, word in enumerate(words)
        )
        if not verbs and not is_order(words) and clause.words[0] not in _HAVING:
            return frozenset()
        return frozenset(words[index] for index in looks)

    def _against(
        self,
        profile: Profile,
        said: _Words,
    ) -> Evidence:
        content, acts = said.content, said.acts
        missing = 1.0
        actions = profile.actions & said.asking
        for action in actions:
            missing *= 1 - 0.75 / self._actions[action]
        told_by = [size for stems, size in zip(profile.phrases, profile.telling, strict=True) if stems <= said.present]
        phrase = bool(told_by)
        if phrase:
            missing *= 1 - 0.75
        quits = (said.role is Role.QUIT or "end" in acts) and "end" in profile.acts and not actions
        if quits:
            missing *= 1 - 0.75 / self._acts["end"]
        nouns = {
            stem_
            for word, stem_ in content
            if stem_ in profile.nouns and word not in said.placed and word.removesuffix("s") in profile.noun_words
        }
        for noun in nouns - actions:
            missing *= 1 - 0.5 / self._nouns[noun] ** 2
        telling = said.role is Role.STATEMENT
        states = {stem_ for word, stem_ in content if stem_ in profile.states and (telling or is_told(word))}
        for _ in states:
            missing *= 1 - 0.5
        hints = {stem_ for _, stem_ in content if stem_ in profile.hints | profile.nouns} - nouns - actions - states
        for hint in hints:
            missing *= 1 - 0.25 / self._hints[hint] ** 2
        shared = profile.acts & acts
        if said.more and (nouns or hints):
            shared |= profile.acts & {"buy", "raise"}  # "quero mais 5 giga"
        sought = said.missed and _finds(profile)
        if sought:
            missing *= 1 - 0.75 / self._finders
        owed = said.charged and "dispute" in profile.acts
        if owed:
            missing *= 1 - 0.75 / self._acts["dispute"]
        for act in shared:
            missing *= 1 - (0.35 if act in _INFORMING else 0.45) / self._acts[act]
        plain = not any(is_infinitive(word) and word not in GENERIC_VERBS for word, _ in content)
        if said.wanting and hints and plain and not (nouns or actions or shared):
            missing *= 1 - 0.2  # "preciso de um dermatologista"
        framed = said.words[:2] in profile.frames
        if framed:
            missing *= 1 - 0.5 / self._frames[said.words[:2]] ** 2
        if said.pairs & profile.example_pairs:
            missing *= 1 - 0.15
        rule = (
            "keyword verb"
            if actions
            else "keyword phrase"
            if phrase
            else "keyword"
            if nouns
            else "words of its examples"
        )
        foreign = _foreign(content, profile)
        told = {stem_ for word, stem_ in content if ACT_OF.get(word, frozenset()) & shared}
        explained = len(nouns | hints | actions | told | states) if not phrase else len(content)
        coverage = min(1.0, explained / len(content)) if content else 0.0
        return Evidence(
            score=1 - missing,
            action=bool(actions) or quits or sought or owed or (framed and self._frames[said.words[:2]] == 1),
            phrase=phrase,
            named=(max(told_by, default=0), len(profile.forms.intersection(said.words))),
            nouns=len(nouns),
            hints=len(hints),
            # "quero um pacote", "quero mais limite": wanting the thing is asking for it.
            act=bool(shared)
            or (
                (said.wanting or _brings(said.words)) and bool(nouns) and not profile.acts.isdisjoint({"buy", "raise"})
            ),
            coverage=coverage,
            acting=bool(profile.acts & _ACTING),
            happened=bool(shared & _HAPPENINGS) or bool(states),
            verbatim=said.words in profile.examples,
            state=bool(states),
            of_object=bool(shared) and shared <= {"buy", "raise", "change"},
            mends=not profile.acts.isdisjoint(_MENDING),
            kin=any(stem_ in profile.nouns for _, stem_ in content),
            foreign=bool(foreign),
            other_act=any(word in ACT_OF and not _groups(ACT_OF[word]) & _groups(profile.acts) for word in foreign),
            apart=bool(acts) and bool(profile.acts) and not _groups(acts) & _groups(profile.acts),
            rule=rule,
        )

    @lru_cache(maxsize=8192)  # noqa: B019 - the profiles live as long as the process's configuration
    def known(self, word: str) -> str:
        """The word, or what it stands for where no tool knows it: unstretched, translated, a letter off."""
        if len(word) < 4 or word in EMPTY_WORDS or stem(word) in self._vocabulary or word in ACT_OF:
            return word
        for plain in unstretched(word):
            if stem(plain) in self._vocabulary:
                return plain
        if word in SAME and stem(SAME[word]) in self._vocabulary:
            return SAME[word]
        for mate in CONCEPTS.get(word, ()):
            if stem(mate) in self._vocabulary:
                return mate
        if len(word) >= 6 and len(word) <= 30:
            near = [one for one in self._keywords if len(one) >= 6 and OSA.distance(word, one, score_cutoff=1) <= 1]
            if len(near) == 1:
                return near[0]
        return word


_DETERMINERS: Final = word_set(
    "a as o os um uma meu minha meus minhas seu sua da do das dos na no essa esse esta este outra outro tenho tinha tem temos my the"
)
_HAVING: Final = word_set("tenho tinha tem temos have")
_WHEN: Final = word_set(
    "amanha ontem hoje cedo tomorrow yesterday today manana quinta sexta sabado domingo terca quarta"
)
"""Words of time, which no tool explains."""
_MOVING: Final = word_set("passa passar passe joga jogar jogue empurra empurrar deixa deixar")
_DAYS: Final = word_set(
    "segunda terca quarta quinta sexta sabado domingo amanha semana mes outro outra dia tarde manha noite"
)


def is_order(words: tuple[str, ...]) -> bool:
    """Opens with what can only be an order: "adianta minha reserva", "scrap the order"."""
    if len(words) < 2 or words[0] in EMPTY_WORDS or words[0] in ASKS:
        return False
    tail = words[0].endswith(("a", "e"))
    return (tail and words[1] in _OBJECTS) or words[1] in {"the", "my", "it"}


_OBJECTS: Final = word_set("o a os as um uma meu minha meus minhas esse essa")


def asks_where(words: tuple[str, ...]) -> bool:
    """Cadê a moto, onde tá: a thing is missed; "onde fica a loja" asks for a place."""
    at = next((index for index, word in enumerate(words) if word in _WHERE), None)
    if at is None or not _SITES.isdisjoint(words):
        return False
    return words[at] == "cade" or words[at + 1 : at + 2] in _IS_AT


def _brings(words: tuple[str, ...]) -> bool:
    """Manda ração, me traz um suco: an order for a thing."""
    return (
        words[0] in _BRINGING
        or words[:2] == ("me", "ve")
        or (words[0] == "me" and words[1:2] != () and words[1] in _BRINGING)
    )


_BRINGING: Final = word_set("manda mande traz traga envia envie bring send trae traeme manden")


def _finds(profile: Profile) -> bool:
    """A tool that tells where a thing is, and changes nothing."""
    return "track" in profile.acts and profile.acts.isdisjoint(_ACTING)


def _asks_price(words: tuple[str, ...]) -> bool:
    """Quanto custa, quanto fica, how much is: the price of something is asked for."""
    return any(before in _HOW_MUCH and word in _COSTS for before, word in pairwise(words)) or words[:2] == (
        "how",
        "much",
    )


_HOW_MUCH: Final = word_set("quanto cuanto")
_COSTS: Final = word_set(
    "custa custam ta esta fica ficaria sai sairia eh e vale cobram cobra da deu cuesta sale es vai"
)
_PRICES: Final = ("preco", "cotacao", "price", "quote", "precio")
_CHARGES: Final = ("cobr", "charg", "debit", "descont", "lanc")
_WHERE: Final = word_set("cade onde where donde")
_IS_AT: Final = {(word,) for word in ("ta", "esta", "estao", "tao", "anda", "andam", "parou", "is", "are")}
_SITES: Final = word_set(
    "loja lojas agencia agencias escritorio endereco unidade unidades clinica hotel escola farmacia posto sede store shop office branch tienda oficina sucursal "
    "banheiro estacionamento academia app aplicativo botao opcao menu site link nota fatura conta boleto"
)
"""What one asks the way to, or the page of."""


def _moves(words: tuple[str, ...]) -> bool:
    """Passa pra terça: something is moved to another day."""
    return any(
        word in _MOVING and "para" in words[index + 1 :] and not _DAYS.isdisjoint(words[index + 2 :])
        for index, word in enumerate(words)
    )


@lru_cache(maxsize=256)
def profiles_of(tools: tuple[RoutingTool, ...]) -> Profiles:
    return Profiles(tools)
