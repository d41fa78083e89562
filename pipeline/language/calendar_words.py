"""The words of the calendar in Portuguese, English and Spanish, folded: data only.

Owns: months, weekdays, relative days, feasts with a fixed day, and the words for a time without a day.
Never: computes a date.
"""

from typing import Final

from pipeline.language.lexemes import Phrases

MONTHS: Final[dict[str, int]] = {
    word: number
    for number, words in enumerate(
        (
            "janeiro jan enero ene january",
            "fevereiro fev febrero feb february",
            "marco mar marzo march",
            "abril abr april apr",
            "maio mai mayo may",
            "junho jun junio june",
            "julho jul julio july",
            "agosto ago august aug",
            "setembro set septiembre setiembre sept sep september",
            "outubro out octubre oct october",
            "novembro nov noviembre november",
            "dezembro dez diciembre dic december dec",
        ),
        start=1,
    )
    for word in words.split()
}

MONTHS_OF_OTHER_SENSE: Final = frozenset({"may", "march", "mar", "set", "ago", "dec", "out", "sep", "fev", "feb"})
"""Folded month words that are no month when they stand alone."""

WEEKDAYS: Final = Phrases(
    {
        "0": "segunda-feira|segunda feira|segunda|seg|2a feira|2a-feira|2ª-feira|lunes|monday|mon",
        "1": "terça-feira|terça feira|terça|ter|3a feira|3a-feira|martes|tuesday|tue",
        "2": "quarta-feira|quarta feira|quarta|qua|4a feira|4a-feira|miércoles|wednesday|wed",
        "3": "quinta-feira|quinta feira|quinta|qui|5a feira|5a-feira|jueves|thursday|thu",
        "4": "sexta-feira|sexta feira|sexta|sex|6a feira|6a-feira|viernes|friday|fri|sextou",
        "5": "sábado|sabadão|sab|saturday|sat",
        "6": "domingo|domingão|dom|sunday|sun",
    }
)

WEEKS: Final = frozenset({"next week", "this week", "last week"})

WEEKDAY_ORDINALS: Final = frozenset({"segunda", "terca", "quarta", "quinta", "sexta"})
WEEKDAY_ABBREVIATIONS: Final = frozenset(
    {"seg", "ter", "qua", "qui", "sex", "sab", "dom", "mon", "tue", "wed", "thu", "fri", "sat", "sun"}
)
"""Taken for weekdays in short texts, or behind a preposition, only."""
COUNTED_IN_ORDER: Final = frozenset(
    {
        "via",
        "vez",
        "opcao",
        "parcela",
        "linha",
        "chance",
        "fatura",
        "conta",
        "tentativa",
        "pergunta",
        "cobranca",
        "compra",
        "parte",
    }
)
"""Nouns that make "segunda" an ordinal."""

WEEKDAY_MODIFIERS: Final = Phrases(
    {
        "this": "nesta|nessa|neste|nesse|esta|essa|este|esse|agora|this|na|no|on|el|mesmo|próxima agora",
        "next": "que vem|próxima|próximo|na próxima|no próximo|seguinte|next|que viene|próximo|la próxima",
        "next week": "na semana que vem|semana que vem|na próxima semana|próxima semana|la semana que viene|da semana que vem|da próxima semana|de la semana que viene|de la próxima semana|of next week|next week",
        "this week": "esta semana|nesta semana|nessa semana|essa semana|desta semana|dessa semana|de esta semana|of this week|this week",
        "last week": "da semana passada|de la semana pasada|of last week|last week",
        "last": "passada|passado|última|último|na última|no último|last|pasado|el pasado",
        "before last": "retrasada|retrasado",
    }
)

RELATIVE: Final = Phrases(
    {
        "0": "hoje|hj|hoy|today|tonight|hoje mesmo|ainda hoje",
        "1": "amanhã|amanha|amnh|amanhã mesmo|mañana|tomorrow|tmrw|mañana mismo",
        "2": "depois de amanhã|dps de amanhã|depois d amanhã|dp de amanhã|pasado mañana|the day after tomorrow|day after tomorrow",
        "-1": "ontem|ontem mesmo|ayer|yesterday|ontem à noite",
        "-2": "anteontem|antes de ontem|antiontem|anteayer|antier|antes de ayer|the day before yesterday|day before yesterday",
        "-3": "trasanteontem|trasantontem",
    }
)

AHEAD: Final = Phrases(
    {
        "1": "daqui a|daqui|daki a|dentro de|em|en|in|de aquí a",
        "-1": "há|ha|faz|hace|tem",
    }
)
AGO: Final = Phrases(
    {
        "-1": "atrás|ago|antes|pra trás",
        "1": "a partir de hoje|depois de hoje|from now|from today|a partir de agora",
    }
)
DAY_UNITS: Final[dict[str, str]] = {
    **dict.fromkeys(("dia", "dias", "day", "days"), "day"),
    **dict.fromkeys(("semana", "semanas", "week", "weeks", "quinzena", "quinzenas"), "week"),
    **dict.fromkeys(("mes", "meses", "month", "months", "ano", "anos", "year", "years"), "month"),
}

NEXT_MONTH: Final = Phrases(
    {
        "": "do mês que vem|do próximo mês|do mês seguinte|mês que vem|of next month|next month|del mes que viene|del próximo mes"
    }
)
THIS_MONTH: Final = Phrases(
    {
        "": "deste mês|desse mês|do mês corrente|deste|este mês|esse mês|of this month|this month|de este mes|del corriente"
    }
)
LAST_MONTH: Final = Phrases(
    {"": "do mês passado|do último mês|mês passado|of last month|last month|del mes pasado|mes pasado"}
)
NEXT_YEAR: Final = Phrases(
    {"": "ano que vem|próximo ano|o ano que vem|next year|año que viene|próximo año|of next year"}
)
THIS_YEAR: Final = Phrases({"": "este ano|deste ano|desse ano|esse ano|this year|este año|corrente ano"})

FEASTS: Final = Phrases(
    {
        "12-25": "dia de natal|natal|christmas day|christmas|navidad",
        "12-24": "véspera de natal|christmas eve|nochebuena",
    }
)

SPELLED: Final = Phrases(
    {
        "": (
            "semana que vem|próxima semana|na semana|esta semana|essa semana|semana passada|mês que vem|próximo mês|"
            "este mês|esse mês|mês passado|ano que vem|ano passado|fim de semana|final de semana|fds|"
            "fim do mês|final do mês|começo do mês|início do mês|meio do mês|meados|começo de|início de|fim de|final de|"
            "next week|this week|last week|next month|this month|last month|weekend|end of the month|next year|"
            "beginning of|end of|middle of|"
            "semana próxima|próxima semana|semana que viene|semana pasada|mes que viene|próximo mes|mes pasado|"
            "fin de semana|fin de mes|principio de mes|a fines de|a principios de|"
            "de hoje a oito|amanhã ou depois|dia útil|dias úteis|primeiro dia útil|feriado|carnaval|páscoa"
        )
    }
)
VAGUE: Final = Phrases(
    {
        "": (
            "qualquer dia|um dia desses|outro dia|o quanto antes|o mais rápido possível|assim que possível|logo|em breve|"
            "mais tarde|depois|semana|mês|any day|some day|soon|as soon as possible|asap|later|the other day|"
            "cualquier día|pronto|lo antes posible|cuanto antes|después"
        )
    }
)

ORDINAL_DAYS: Final[dict[str, int]] = {
    "primeiro": 1,
    "primero": 1,
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
    "thirteenth": 13,
    "fourteenth": 14,
    "fifteenth": 15,
    "sixteenth": 16,
    "seventeenth": 17,
    "eighteenth": 18,
    "nineteenth": 19,
    "twentieth": 20,
    "twenty": 20,
    "thirtieth": 30,
    "thirty": 30,
}
DAY_LEADS: Final = frozenset({"dia", "day", "o", "el", "the", "no", "on", "para", "pro", "em"})
JOINS: Final = frozenset({"de", "do", "of", "del", "/", "-"})
CLOCK_LEADS: Final = frozenset({"as", "at", "a", "pelas", "umas", "partir"})
CLOCK_UNITS: Final = frozenset({"h", "hs", "hrs", "hora", "horas", "am", "pm", "o'clock", "hours"})
