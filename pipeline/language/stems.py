"""Word stems for routing: one stem for the forms of a verb or noun, by cutting everyday endings.

Owns: the endings of Portuguese, Spanish and English that carry no meaning here; past and infinitive forms told apart.
Invariants: a stem is a prefix of its word (plurals in -ões apart), so "ajuste" never meets "reajuste".
Never: decides a request.
"""

from functools import lru_cache
from typing import Final

from pipeline.language.lexemes import word_set

_ENDINGS: Final = tuple(
    sorted(
        word_set(
            "amentos amento imentos imento acoes acao icao ancia ando endo indo aram eram iram asse esse isse ados adas "
            "idos idas ado ada ido ida arem erem irem emos amos imos avam ava iam ia ar er ir am em ei ou iu eu as es os "
            "a e o i aste iste arei aria aremos ariam ing ed ling led tion ment"
        ),
        key=lambda ending: (-len(ending), ending),
    )
)
_LONG: Final = word_set(
    "ado ada ido ida ados adas idos idas ia iam esse asse isse es os as ing ed ment tion emos imos ancia"
)
_SPECIAL: Final = {
    "bloqueia": "bloque", "bloqueio": "bloque", "bloqueie": "bloque", "bloqueiam": "bloque", "bloqueiem": "bloque",
    "desbloqueia": "desbloque", "desbloqueio": "desbloque", "desbloqueie": "desbloque", "desbloqueiem": "desbloque",
    "troquei": "troc", "troque": "troc", "troquem": "troc", "marque": "marc", "marquei": "marc", "desmarque": "desmarc",
    "desmarquei": "desmarc", "religue": "relig", "religuem": "relig", "desligue": "deslig", "pague": "pag", "paguei": "pag",
    "ligue": "lig", "liguei": "lig", "verifique": "verific", "aplique": "aplic", "devolucao": "devolv", "devolucoes": "devolv",
    "faz": "faz", "faca": "faz", "fazer": "faz", "fiz": "faz", "vencimento": "venc", "vence": "venc", "vencer": "venc",
    "venca": "venc", "vencida": "venc", "cancellation": "cancel", "cancelled": "cancel", "canceled": "cancel",
    "cancelling": "cancel", "stopped": "stop", "bought": "buy", "rastreio": "rastre", "rastreia": "rastre",
    "rastreie": "rastre", "rastrear": "rastre", "rastreamento": "rastre", "transferencia": "transfer", "transfira": "transfer",
    "autorizacao": "autoriz", "contestacao": "contest", "religacao": "relig", "refunded": "refund",
    "altere": "alter", "consulte": "consult", "informe": "inform", "agendamento": "agend",
    "pedidos": "pedido", "pedido": "pedido", "conta": "conta", "contas": "conta", "saida": "saida", "via": "via", "vias": "via",
    "guia": "guia", "guias": "guia", "loja": "loja", "lojas": "loja", "dia": "dia", "dias": "dia",
    "contato": "contato", "contatos": "contato", "contar": "contar", "contador": "contador", "contrato": "contrato",
    "contratos": "contrato", "consulta": "consult", "consultas": "consult", "consultoria": "consultoria",
    "pagina": "pagina", "paginas": "pagina", "linha": "linha", "linhas": "linha", "nota": "nota", "notas": "nota",
    "notar": "notar", "notei": "notar", "ligacao": "ligacao", "plano": "plano", "planos": "plano", "plana": "plana",
    "caro": "caro", "cara": "cara", "carta": "carta", "carteira": "carteira", "carteirinha": "carteirinha",
    "compra": "compr", "compras": "compr", "luz": "luz", "pix": "pix", "limite": "limite", "limites": "limite",
    "limitada": "limitado", "entrega": "entreg", "relogio": "relogio", "exame": "exame", "exames": "exame",
}  # fmt: skip
"""Folded words whose stem endings would get wrong, or would be shared with a word of another sense."""

_PAST_FIRST: Final = word_set(
    "tirei retirei parei virei esperei alterei liberei gerei recuperei "
    "pedi recebi resolvi consegui vi fiz quis pus disse trouxe devolvi desisti transferi abri vendi escolhi "
    "cancelled canceled paid received bought asked requested called returned recibi pague cancele contrate compre "
    "devolvi"
)
_NOT_PAST: Final = word_set("sei hei lei rei farei irei serei terei vou")


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """The stem of a folded word; words of up to three letters are their own."""
    if word in _SPECIAL:
        return _SPECIAL[word]
    if len(word) <= 3:
        return word
    if word.endswith("oes"):
        word = word[:-3] + "ao"
    elif word.endswith("ais") and len(word) > 5:
        word = word[:-3] + "al"
    for ending in _ENDINGS:
        floor = 4 if ending in _LONG or len(ending) == 1 else 3
        if word.endswith(ending) and len(word) - len(ending) >= floor:
            return word[: -len(ending)]
    return word


def is_infinitive(word: str) -> bool:
    return (len(word) >= 4 and word.endswith(("ar", "er", "ir"))) or word in {
        "ver",
        "ter",
        "ser",
        "por",
        "dar",
        "ir",
        "repor",
    }


def is_first_person_past(word: str) -> bool:
    """cancelei, pedi, fiz: what the customer did; a future in -arei is none."""
    if word in _PAST_FIRST:
        return True
    return (
        len(word) > 4 and word.endswith("ei") and not word.endswith(("arei", "erei", "irei")) and word not in _NOT_PAST
    )


def is_told(word: str) -> bool:
    """A finite past or participle of anyone: cancelaram, cancelou, cancelado; no request by itself."""
    return len(word) > 5 and word.endswith(
        (
            "aram",
            "eram",
            "iram",
            "ado",
            "ada",
            "ados",
            "adas",
            "enso",
            "ensa",
            "ou",
            "ando",
            "endo",
            "indo",
            "led",
            "ped",
            "iu",
            "eu",
        )
    )
