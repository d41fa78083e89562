"""How close a whole message comes to a tool, where neither its words nor its nearest example decide.

Owns: the texts of a tool that closeness is measured against, the small talk every message is also measured against.
Invariants: a choice needs a distance from small talk and from the next tool; at most one more look at a message.
Never: loads a model (`Nearest` is given). Source: rules ROUTE-1, ROUTE-4; measured on the case files: the three closest of a
tool's texts say more than its closest one, and small talk lies closer to everything than a request does to another tool.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from typing import Final

from pipeline.language.tool_profile import RoutingTool

Nearest = Callable[[str, tuple[RoutingTool, ...]], Mapping[str, float]]
"""Similarity of a text to each tool, by name, 0 to 1."""

TALK_WEIGHT: Final = 0.6
CLOSE: Final = 0.14
"""How much closer than small talk (weighted) a tool has to be."""
APART: Final = 0.1
"""How much closer than the next tool."""
TROUBLE_CLOSE: Final = 0.1
TROUBLE_APART: Final = 0.05
_LOOKED_AT: Final = 3
"""Closest texts of a tool that count."""
_TALK: Final = (
    "oi, tudo bem?|bom dia|boa tarde, como vai?|obrigado, era só isso|valeu, ajudou muito|tchau, até mais|kkkkk muito bom|que piada|"
    "me conta uma piada|vocês são péssimos|que vergonha de empresa|que absurdo|adorei o atendimento, parabéns|o atendimento foi ótimo|"
    "muito bom o serviço de vocês|já resolvi, obrigado|já chegou, obrigado|voltou a funcionar, valeu|deu tudo certo ontem|"
    "quero falar com um atendente|preciso de ajuda|tenho uma dúvida|quero resolver um problema|que horas vocês abrem?|"
    "qual o endereço da loja?|vocês têm desconto?|quanto custa um celular?|tem vaga de emprego?|quem é o dono da empresa?|"
    "vocês vendem ração?|que dia lindo|está chovendo muito hoje|meu time ganhou ontem|vou almoçar e já volto|estou cansado|"
    "tô pensando ainda|talvez depois|hello there|thank you, that was all|you are terrible|I love your service|tell me a joke|"
    "are you a robot?|what's the weather?|it arrived, thanks|can I talk to a person?|hola, ¿qué tal?|muchas gracias, hasta luego|"
    "son pésimos|ya lo arreglaron, gracias|cuéntame un chiste|quiero hablar con una persona|me gusta mucho el servicio|"
    "qual é o aplicativo de vocês?|o site está bonito|aceitam cartão de crédito?|quem é o responsável?|o atendente foi muito educado|"
    "o motorista foi grosso|vocês são de onde?|meu vizinho fez isso também|meu filho gosta muito|estou estudando para uma prova|"
    "comprei um presente para minha mãe|vou viajar nas férias|estou com dor de cabeça|meu cachorro é lindo|o lugar estava lotado|"
    "que calor hoje|qual a história da empresa?|onde fica o banheiro?|tem estacionamento?|me recomenda um filme|até amanhã|"
    "foi ótimo falar com vocês|não quero nada, só olhando|tem desconto para idoso?|who is the boss?|the staff was rude|my dog is cute|"
    "I am going on vacation|who won the game?|¿quién es el dueño?|el personal es muy amable|estoy cansado hoy"
)
SMALL_TALK: Final = tuple(RoutingTool(f"~{place}", text) for place, text in enumerate(_TALK.split("|")))
"""What asks for nothing or for nothing a tool does, as texts to compare with."""


@lru_cache(maxsize=1024)
def texts_of(tool: RoutingTool) -> tuple[RoutingTool, ...]:
    """Each text of a tool as something to compare with: description, examples, both together, keywords."""
    said = [text for text in (tool.description or tool.name.replace("_", " "), *tool.examples) if text.strip()]
    texts = (*said, " ".join(said), *tool.keywords)
    return tuple(RoutingTool(f"{tool.name}~{place}", text) for place, text in enumerate(texts) if text.strip())


def closest(
    text: str,
    tools: tuple[RoutingTool, ...],
    nearest: Nearest,
    troubles: Sequence[bool] = (),
) -> tuple[int, float] | None:
    """The place of the one tool that `text` is clearly close to, and how close (0 to 1); None where none is.

    `troubles`: for a text that tells of a trouble, which tools are told of such; of these one may be less close.
    """
    texts = [texts_of(tool) for tool in tools]
    similar = nearest(text, (*SMALL_TALK, *(one for own in texts for one in own)))
    talk = _mean(nlargest(2, (similar.get(one.name, 0.0) for one in SMALL_TALK)))
    close = [_mean(nlargest(_LOOKED_AT, (similar.get(one.name, 0.0) for one in own))) for own in texts]
    told = [value if troubled else 0.0 for value, troubled in zip(close, troubles, strict=False)]
    if any(told) and _stands_out(told, talk, TROUBLE_CLOSE, TROUBLE_APART):
        return told.index(max(told)), max(told)
    return (close.index(max(close)), max(close)) if _stands_out(close, talk, CLOSE, APART) else None


def _stands_out(close: list[float], talk: float, distance: float, apart: float) -> bool:
    best, *others = sorted(close, reverse=True)
    return best - TALK_WEIGHT * talk >= distance and best - max(others, default=0.0) >= apart


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
