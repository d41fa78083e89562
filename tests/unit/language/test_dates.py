"""Days by locale and direction, seen from Monday 2026-11-30 10:00 in São Paulo."""

from datetime import UTC, datetime

import pytest

from pipeline.language.dates import read_date

NOW = datetime.fromisoformat("2026-11-30T10:00:00-03:00")
AMBIGUOUS, NONE, INVALID = "ambiguous", "not_a_date", "invalid_date"

FUTURE = (
    ("semana que vem, na quarta", "2026-12-09"), ("na quarta, semana que vem", "2026-12-09"), ("mês que vem, dia 5", "2026-12-05"), ("cinco do doze", "2026-12-05"), ("amanhã não dá, pode ser quinta", "2026-12-03"), ("dia 5 deste mês", AMBIGUOUS), ("05/12 (sábado)", "2026-12-05"), ("amanhã dia 2", AMBIGUOUS),
    ("hoje", "2026-11-30"), ("hj", "2026-11-30"), ("amanhã", "2026-12-01"), ("amanha", "2026-12-01"), ("AMANHÃ!", "2026-12-01"), ("depois de amanhã", "2026-12-02"),
    ("amanhã de manhã", "2026-12-01"), ("amanhã às 10h", "2026-12-01"), ("amanhã, umas 10 horas", "2026-12-01"), ("hoje à noite", "2026-11-30"), ("hoje, segunda", "2026-11-30"),
    ("dia 5", "2026-12-05"), ("no dia 5", "2026-12-05"), ("dia 05", "2026-12-05"), ("dia 30", "2026-11-30"), ("dia 29", "2026-12-29"), ("dia 31", "2026-12-31"), ("dia 1º", "2026-12-01"),
    ("dia primeiro", "2026-12-01"), ("dia vinte", "2026-12-20"), ("dia vinte e um", "2026-12-21"), ("dia 5 do mês que vem", "2026-12-05"), ("dia 5 às 14:30", "2026-12-05"), ("dia 5, 14h", "2026-12-05"),
    ("pode ser dia 5", "2026-12-05"), ("dia 5 por favor", "2026-12-05"), ("pro dia 7", "2026-12-07"), ("quero a visita no dia 10, pode ser?", "2026-12-10"),
    ("5/12", "2026-12-05"), ("05/12", "2026-12-05"), ("05/12/26", "2026-12-05"), ("05/12/2026", "2026-12-05"), ("05-12-2026", "2026-12-05"), ("05.12.2026", "2026-12-05"), ("2026-12-05", "2026-12-05"),
    ("2026-12-05T10:00:00-03:00", "2026-12-05"), ("05/12 às 10", "2026-12-05"), ("29/11", "2027-11-29"), ("30/11", "2026-11-30"), ("1/1", "2027-01-01"), ("29/02", "2028-02-29"), ("dia 05/12", "2026-12-05"),
    ("5 do 12", "2026-12-05"), ("12/05/1990", "1990-05-12"), ("31/12/26 10:00", "2026-12-31"),
    ("1º de dezembro", "2026-12-01"), ("primeiro de dezembro", "2026-12-01"), ("5 de dezembro", "2026-12-05"), ("5 de dez", "2026-12-05"), ("5 dez", "2026-12-05"), ("5/dez", "2026-12-05"),
    ("vinte e cinco de dezembro", "2026-12-25"), ("2 de janeiro", "2027-01-02"), ("2 de janeiro de 27", "2027-01-02"), ("5 de dezembro de 2027", "2027-12-05"), ("5 de dezembro do ano que vem", "2027-12-05"),
    ("dia 10 de janeiro às 9h", "2027-01-10"), ("3 de março", "2027-03-03"), ("natal", "2026-12-25"), ("véspera de natal", "2026-12-24"),
    ("sexta", "2026-12-04"), ("sexta-feira", "2026-12-04"), ("sexta feira", "2026-12-04"), ("6ª feira", "2026-12-04"), ("na sexta", "2026-12-04"), ("nesta sexta", "2026-12-04"), ("sexta agora", "2026-12-04"), ("terça", "2026-12-01"),
    ("sábado", "2026-12-05"), ("sabado de manha", "2026-12-05"), ("domingo", "2026-12-06"), ("sexta, dia 4", "2026-12-04"), ("sexta 04/12", "2026-12-04"), ("quinta feira dia 3/12", "2026-12-03"), ("sexta à tarde", "2026-12-04"),
    ("segunda que vem", "2026-12-07"), ("próxima segunda", "2026-12-07"), ("na próxima segunda-feira", "2026-12-07"), ("sexta da semana que vem", "2026-12-11"), ("quero agendar para quinta", "2026-12-03"),
    ("daqui a 3 dias", "2026-12-03"), ("daqui 3 dias", "2026-12-03"), ("em dois dias", "2026-12-02"), ("daqui a dez dias", "2026-12-10"),
    ("sexta não, sábado", "2026-12-05"), ("amanhã não, quarta", "2026-12-02"), ("sexta, quer dizer, sábado", "2026-12-05"), ("não pode ser sexta, sábado", "2026-12-05"),
    ("tomorrow", "2026-12-01"), ("December 5th", "2026-12-05"), ("mañana", "2026-12-01"),
    # no single day
    ("segunda", AMBIGUOUS), ("nesta segunda", AMBIGUOUS), ("segunda agora", AMBIGUOUS), ("sexta que vem", AMBIGUOUS), ("próxima sexta", AMBIGUOUS), ("semana que vem", AMBIGUOUS), ("próxima semana", AMBIGUOUS), ("mês que vem", AMBIGUOUS),
    ("fim do mês", AMBIGUOUS), ("começo do mês", AMBIGUOUS), ("no final de dezembro", AMBIGUOUS), ("dezembro", AMBIGUOUS), ("em janeiro", AMBIGUOUS), ("12/2026", AMBIGUOUS), ("fim de semana", AMBIGUOUS), ("daqui a uma semana", AMBIGUOUS),
    ("daqui a uns dias", NONE), ("sexta ou sábado", AMBIGUOUS), ("dia 5 ou 6", AMBIGUOUS), ("dia 5 ou dia 6", AMBIGUOUS), ("05/12 ou 06/12", AMBIGUOUS), ("de 5 a 10 de dezembro", AMBIGUOUS), ("entre 5 e 10/12", AMBIGUOUS), ("até sexta", AMBIGUOUS),
    ("a partir de sexta", AMBIGUOUS), ("depois do dia 5", AMBIGUOUS), ("antes de sexta", AMBIGUOUS), ("sexta, dia 5", AMBIGUOUS), ("acho que dia 5", AMBIGUOUS), ("talvez sexta", AMBIGUOUS), ("lá pelo dia 5", AMBIGUOUS), ("por volta do dia 5", AMBIGUOUS),
    ("qualquer dia", AMBIGUOUS), ("amanhã ou depois", AMBIGUOUS), ("domingo da semana que vem", AMBIGUOUS), ("se der, sexta", AMBIGUOUS), ("ontem", AMBIGUOUS), ("sexta passada", AMBIGUOUS), ("3 dias úteis", AMBIGUOUS), ("daqui a 3 dias úteis", AMBIGUOUS),
    ("amanhã?", AMBIGUOUS), ("sexta e sábado", AMBIGUOUS), ("não quero sexta", AMBIGUOUS), ("o quanto antes", AMBIGUOUS),
    # no such day
    ("31/02", INVALID), ("30/02/2027", INVALID), ("31/11", INVALID), ("31 de novembro", INVALID), ("29/02/2027", INVALID), ("32/01", INVALID), ("13/13", INVALID), ("12/25", INVALID), ("0/12", INVALID), ("dia 32", INVALID), ("dia 0", INVALID), ("2026-02-30", INVALID),
    # no day
    ("banana", NONE), ("não sei", NONE), ("15", NONE), ("de manhã", NONE), ("às 10h", NONE), ("10:30", NONE), ("segunda via", NONE), ("R$ 10,50", NONE), ("quero ter", NONE), ("123456", NONE), ("10.5", NONE), ("o primeiro", NONE),
)  # fmt: skip

PAST = (
    ("foi dia 20 do mês passado", "2026-10-20"), ("sexta da semana passada", "2026-11-27"), ("sábado retrasado", "2026-11-21"),
    ("hoje", "2026-11-30"), ("ontem", "2026-11-29"), ("anteontem", "2026-11-28"), ("antes de ontem", "2026-11-28"), ("foi ontem às 15h", "2026-11-29"), ("há 3 dias", "2026-11-27"), ("3 dias atrás", "2026-11-27"), ("faz dois dias", "2026-11-28"),
    ("sexta", "2026-11-27"), ("sexta passada", "2026-11-27"), ("última sexta", "2026-11-27"), ("domingo", "2026-11-29"), ("segunda passada", "2026-11-23"), ("dia 5", "2026-11-05"), ("dia 30", "2026-11-30"), ("dia 31", "2026-10-31"),
    ("05/12", "2025-12-05"), ("30/11", "2026-11-30"), ("29/02", "2024-02-29"), ("15/11", "2026-11-15"), ("dia 10 de outubro", "2026-10-10"), ("20 de dezembro", "2025-12-20"), ("05/12/2024", "2024-12-05"), ("foi no dia 12", "2026-11-12"),
    ("não foi dia 5, foi dia 6", "2026-11-06"), ("yesterday", "2026-11-29"), ("3 days ago", "2026-11-27"), ("ayer", "2026-11-29"), ("hace 2 días", "2026-11-28"), ("two days ago", "2026-11-28"),
    ("segunda", AMBIGUOUS), ("semana passada", AMBIGUOUS), ("mês passado", AMBIGUOUS), ("uns 3 dias atrás", AMBIGUOUS), ("amanhã", AMBIGUOUS), ("há uma semana", AMBIGUOUS), ("em outubro", AMBIGUOUS), ("31/02", INVALID), ("outro dia", AMBIGUOUS),
)  # fmt: skip

EN = (
    ("15th", "2026-12-15"), ("friday next week", "2026-12-11"), ("in a week", AMBIGUOUS), ("31 april", INVALID),
    ("25/12", "2026-12-25"), ("12/25", "2026-12-25"), ("05/05", "2027-05-05"), ("tomorrow", "2026-12-01"), ("friday", "2026-12-04"), ("on friday", "2026-12-04"), ("this friday", "2026-12-04"), ("next monday", "2026-12-07"), ("december 5", "2026-12-05"),
    ("dec 5th, 2026", "2026-12-05"), ("the 5th", "2026-12-05"), ("5th of december", "2026-12-05"), ("in 3 days", "2026-12-03"), ("2026-12-05", "2026-12-05"), ("the day after tomorrow", "2026-12-02"), ("may 5", "2027-05-05"), ("december fifth", "2026-12-05"),
    ("tomorrow at 3pm", "2026-12-01"), ("13/1/2027", "2027-01-13"), ("05/12", AMBIGUOUS), ("05/12/2026", AMBIGUOUS), ("next friday", AMBIGUOUS), ("next week", AMBIGUOUS), ("monday", AMBIGUOUS), ("friday or saturday", AMBIGUOUS),
    ("by friday", AMBIGUOUS), ("feb 30", INVALID), ("13/13", INVALID), ("maybe friday", AMBIGUOUS), ("soon", AMBIGUOUS), ("hello", NONE), ("i may go", NONE),
)  # fmt: skip

ES = (
    ("hoy", "2026-11-30"), ("mañana", "2026-12-01"), ("mañana por la mañana", "2026-12-01"), ("mañana a las 10", "2026-12-01"), ("pasado mañana", "2026-12-02"), ("05/12", "2026-12-05"), ("5 de diciembre", "2026-12-05"), ("viernes", "2026-12-04"),
    ("el viernes", "2026-12-04"), ("este viernes", "2026-12-04"), ("lunes que viene", "2026-12-07"), ("el 5", "2026-12-05"), ("el día 5", "2026-12-05"), ("en 3 días", "2026-12-03"), ("primero de diciembre", "2026-12-01"),
    ("viernes que viene", AMBIGUOUS), ("lunes", AMBIGUOUS), ("la próxima semana", AMBIGUOUS), ("fin de mes", AMBIGUOUS), ("viernes o sábado", AMBIGUOUS), ("por la mañana", NONE), ("no sé", NONE), ("31/02", INVALID),
)  # fmt: skip

ROWS = [
    pytest.param(locale, direction, text, want, id=f"{locale} {direction}: {text}")
    for locale, direction, rows in (
        ("pt-BR", "future", FUTURE),
        ("pt-BR", "past", PAST),
        ("en", "future", EN),
        ("es", "future", ES),
    )
    for text, want in rows
]


@pytest.mark.parametrize(("locale", "direction", "text", "want"), ROWS)
def test_date_is_read_as(locale: str, direction: str, text: str, want: str) -> None:
    reading = read_date(text, locale=locale, now=NOW, timezone="America/Sao_Paulo", direction=direction)
    got = reading.value.isoformat() if reading.value else reading.error
    assert got == want


def test_bare_number_is_a_day_only_where_a_day_was_asked() -> None:
    reading = read_date("15", locale="pt-BR", now=NOW, timezone="America/Sao_Paulo", direction="future", asked_day=True)
    assert reading.value is not None
    assert reading.value.isoformat() == "2026-12-15"


def test_today_is_the_day_of_the_customer_not_of_utc() -> None:
    late = datetime(2026, 12, 1, 1, 30, tzinfo=UTC)
    reading = read_date("hoje", locale="pt-BR", now=late, timezone="America/Sao_Paulo", direction="future")
    assert reading.value is not None
    assert reading.value.isoformat() == "2026-11-30"


@pytest.mark.parametrize("text", ["amanhã", "dia 5", "sexta", "05/12"])
def test_relative_day_is_ambiguous_without_a_now(text: str) -> None:
    assert (
        read_date(text, locale="pt-BR", now=None, timezone="America/Sao_Paulo", direction="future").error == AMBIGUOUS
    )


def test_day_without_a_year_is_ambiguous_without_a_direction() -> None:
    assert read_date("05/12", locale="pt-BR", now=NOW, timezone="America/Sao_Paulo", direction=None).error == AMBIGUOUS
