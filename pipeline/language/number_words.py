"""Number words of Portuguese, English and Spanish, and the words that stand around numbers.

Owns: which words count, their repair before text2num reads them, units, scales and currencies.
Invariants: a run of words is one number or None.
Never: decides which number of a text is meant. Source: rules COERCE-2, COERCE-3.
"""

from functools import lru_cache
from itertools import pairwise
from typing import Final

from text_to_num import text2num

from pipeline.language.lexemes import word_set

MAX_RUN: Final = 24
"""Words read as one number; a longer run is no number."""


ONES: Final = {
    "pt": word_set("um uma"),
    "es": word_set("un una uno"),
    "en": word_set("one a an"),
}
NUMBER_WORDS: Final = {
    "pt": word_set(
        "zero dois duas tres quatro cinco seis sete oito nove dez onze doze treze quatorze catorze quinze dezesseis "
        "dezasseis dezessete dezassete dezoito dezenove dezanove vinte trinta quarenta cinquenta cincoenta sessenta "
        "setenta oitenta noventa cem cento duzentos duzentas trezentos trezentas quatrocentos quatrocentas quinhentos "
        "quinhentas seiscentos seiscentas setecentos setecentas oitocentos oitocentas novecentos novecentas"
    ),
    "es": word_set(
        "cero dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete "
        "dieciocho diecinueve veinte veintiun veintiuno veintiuna veintidos veintitres veinticuatro veinticinco "
        "veintiseis veintisiete veintiocho veintinueve treinta cuarenta cincuenta sesenta setenta ochenta noventa "
        "cien ciento doscientos doscientas trescientos trescientas cuatrocientos cuatrocientas quinientos quinientas "
        "seiscientos seiscientas setecientos setecientas ochocientos ochocientas novecientos novecientas"
    ),
    "en": word_set(
        "zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty thirty forty fourty fifty sixty seventy eighty ninety hundred"
    ),
}
SCALES: Final = {
    "mil": 1_000,
    "milhao": 1_000_000,
    "milhoes": 1_000_000,
    "mi": 1_000_000,
    "bilhao": 1_000_000_000,
    "bilhoes": 1_000_000_000,
    "millon": 1_000_000,
    "millones": 1_000_000,
    "thousand": 1_000,
    "million": 1_000_000,
    "hundred": 100,
    "k": 1_000,
}
SCALE_WORDS: Final = {
    "pt": word_set("mil milhao milhoes bilhao bilhoes"),
    "es": word_set("mil millon millones"),
    "en": word_set("hundred thousand million"),
}
JOIN: Final = {"pt": "e", "es": "y", "en": "and"}
SPELLINGS: Final = {
    "cincoenta": "cinquenta",
    "veintidos": "veintidós",
    "veintitres": "veintitrés",
    "veintiun": "veintiuno",
    "veintiuna": "veintiuno",
    "milhao": "milhão",
    "milhoes": "milhões",
    "bilhao": "bilhão",
    "bilhoes": "bilhões",
    "tres": "três",
    "fourty": "forty",
    "an": "one",
    "a": "one",
}
UNITS: Final = word_set(
    "x gb gbs mb mbs g kg km m cm h hs hrs min mins mbps giga gigas mega megas real reais reales un und unid pc pcs k mil "
    "anos ano dias dia o a c usd brl eur p pts"
)
ASIDE_UNITS: Final = word_set("h hs hrs hora horas am pm")
WHOLE_MONEY: Final = word_set(
    "real reais reales conto contos pila pilas pau paus mango mangos prata pratas dolar dolares euro euros peso pesos "
    "dollar dollars buck bucks brl usd eur"
)
CENTS: Final = word_set("centavo centavos cent cents centimo centimos ctvs")
JOINS: Final = word_set("e y and com con with")
DOZENS: Final = word_set("duzia duzias dozen dozens docena docenas")
HALVES: Final = word_set("meio meia half medio media")
POINTS: Final = {"virgula": "pt", "ponto": "pt", "point": "en", "coma": "es", "punto": "es", "comma": "en"}
COUNTED: Final = word_set(
    "vez vezes unidade unidades parcela parcelas pessoa pessoas dia dias mes meses ano anos hora horas item itens "
    "produto produtos pedido pedidos conta contas linha linhas chip chips copia copias via vias ponto pontos comodo comodos quarto quartos caixa "
    "caixas pacote pacotes aparelho aparelhos dependente dependentes filho filhos peca pecas cartao cartoes giga so "
    "unico unica unit units time times piece pieces person people item items line lines copy copies unidad unidades "
    "persona personas pieza piezas linea lineas copia"
)
FILLERS: Final = word_set(
    "so apenas somente quero queria e foi eh era seria por favor pfv pf oi ola sao tenho temos preciso de o a os as "
    "acho only just i want please it is was the si el la solo solamente quiero es fue unico unica total ao todo no sim mesmo"
)
DAY_WORDS: Final = word_set("dia day")
MONTHS: Final = word_set(
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro enero febrero marzo "
    "mayo junio julio septiembre setiembre octubre noviembre diciembre january february march april june july august "
    "september october november december"
)


def languages(locale: str) -> tuple[str, ...]:
    own = locale[:2].lower()
    return (
        (own, *(language for language in ("pt", "en", "es") if language != own)) if own in JOIN else ("pt", "en", "es")
    )


@lru_cache(maxsize=4096)
def run_value(words: tuple[str, ...], language: str) -> int | None:
    """The value of one run of number words, joins left out; None when they do not make one number."""
    scales = SCALE_WORDS[language]
    said = [words[0]]
    for before, word in pairwise(words):
        if language == "pt" and before not in scales and word not in scales:
            said.append("e")
        elif language == "es" and before in ES_TENS:
            said.append("y")
        said.append(word)
    if language == "en" and words[0] in {"hundred", "thousand", "million"}:
        said.insert(0, "one")
    try:
        return int(text2num(" ".join(SPELLINGS.get(word, word) for word in said), language))
    except (ValueError, KeyError, IndexError):
        return None


ES_TENS: Final = word_set("treinta cuarenta cincuenta sesenta setenta ochenta noventa")
