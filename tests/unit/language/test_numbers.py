"""Amounts, counts and numerals by locale."""

from decimal import Decimal

import pytest

from pipeline.language.numbers import read_number

AMBIGUOUS, NONE = "ambiguous", "not_a_number"

PT = (
    # numerals
    ("R$ 71,99", "71.99"), ("r$71,99", "71.99"), ("71,99", "71.99"), ("71.99", "71.99"), ("71,9", "71.9"), ("1.234,56", "1234.56"),
    ("1.234", "1234"), ("2.300", "2300"), ("12.345.678,90", "12345678.90"), ("1234", "1234"), ("1234,5", "1234.5"), ("0,50", "0.50"), ("007", "7"),
    ("R$ 1.500", "1500"), ("R$1500,00", "1500"), ("71,99 reais", "71.99"), ("71,99.", "71.99"), ("71,99!", "71.99"), ("(71,99)", "71.99"),
    ("-5", "-5"), ("R$ -5,00", "-5"), ("10%", "10"), ("1,234", "1.234"), ("10.5", "10.5"), ("100 mil", "100000"), ("7１,９９", "71.99"),
    ("BRL 10", "10"), ("US$ 30", "30"), ("€ 12,50", "12.50"), ("30 dólares", "30"), ("1,234.56", "1234.56"),
    # numerals without a single reading
    ("1.23.456", AMBIGUOUS), ("0.500", AMBIGUOUS), ("12.5000", AMBIGUOUS), ("1234.567", AMBIGUOUS), ("71,99,00", AMBIGUOUS), ("1 234,56", AMBIGUOUS),
    # words
    ("três", "3"), ("tres", "3"), ("TRÊS", "3"), ("dezesseis", "16"), ("catorze", "14"), ("quatorze", "14"), ("vinte e dois", "22"), ("vinte dois", "22"),
    ("cem", "100"), ("cento e vinte e três", "123"), ("cento vinte três", "123"), ("duzentos e cinquenta", "250"), ("mil", "1000"),
    ("mil e quinhentos", "1500"), ("dois mil e duzentos", "2200"), ("dois mil duzentos e dez", "2210"), ("vinte e cinco mil trezentos e dois", "25302"),
    ("um milhão", "1000000"), ("um milhão e meio", "1500000"), ("dois milhões e duzentos mil", "2200000"), ("cincoenta", "50"), ("zero", "0"),
    ("noventa e nove reais", "99"), ("um real", "1"), ("mil reais", "1000"),
    # scales, halves, dozens
    ("2 mil", "2000"), ("2,5 mil", "2500"), ("10 mil e quinhentos", "10500"), ("3 mil 200", "3200"), ("5k", "5000"), ("1,5 milhão", "1500000"),
    ("dois e meio", "2.5"), ("5 e meio", "5.5"), ("uma dúzia", "12"), ("duas dúzias", "24"), ("meia dúzia", "6"), ("uma dúzia e meia", "18"),
    # money in words
    ("15 reais e 50 centavos", "15.50"), ("15 reais e 50", "15.50"), ("15 reais com 50 centavos", "15.50"), ("50 centavos", "0.50"),
    ("setenta e um reais e noventa e nove centavos", "71.99"), ("dois mil reais e trinta centavos", "2000.30"), ("setenta e um vírgula noventa e nove", "71.99"),
    ("três vírgula zero cinco", "3.05"), ("50 conto", "50"), ("duzentos pila", "200"),
    # inside a sentence
    ("foi 49,90", "49.90"), ("a cobrança é de R$ 49,90 por mês", "49.90"), ("paguei 120 reais", "120"), ("uma cobrança de 49,90", "49.90"),
    ("dia 5 foi 49,90", "49.90"), ("às 10h cobraram 30 reais", "30"), ("é 30, por favor", "30"), ("não, 49,90", "49.90"), ("são duas pessoas", "2"),
    ("só uma", "1"), ("quero 3 unidades", "3"), ("3x sem juros", "3"), ("em 12 vezes", "12"), ("não reconheço 59,90", "59.90"),
    # taken back
    ("49,90, não, 59,90", "59.90"), ("49,90 não, 59,90", "59.90"), ("foi 49,90, não 59,90", "49.90"), ("não foi 49,90, foi 59,90", "59.90"),
    ("foi 49,90, quer dizer, 59,90", "59.90"), ("49,90 ops 59,90", "59.90"), ("10, aliás 12", "12"), ("59,90 em vez de 49,90", "59.90"),
    ("não foi 49,90", AMBIGUOUS),
    ("R$ 49,90/mês", "49.90"), ("meio milhão", "500000"), ("menos 10", "-10"), ("1 dúzia", "12"), ("um pedido só", "1"),
    # several, spans, bounds, guesses
    ("71,99 ou 79,90", AMBIGUOUS), ("10 e 20", AMBIGUOUS), ("entre 10 e 20", AMBIGUOUS), ("de 10 a 20", AMBIGUOUS), ("10-20", AMBIGUOUS), ("12x de 50", AMBIGUOUS),
    ("uns 50", AMBIGUOUS), ("umas 3", AMBIGUOUS), ("mais ou menos 50", AMBIGUOUS), ("cerca de 50", AMBIGUOUS), ("quase 50", AMBIGUOUS), ("acho que 50", AMBIGUOUS),
    ("talvez 50", AMBIGUOUS), ("50 e poucos", AMBIGUOUS), ("cinquenta e poucos reais", AMBIGUOUS), ("até 50", AMBIGUOUS), ("pelo menos 50", AMBIGUOUS),
    ("mais de 50", AMBIGUOUS), ("menos de 50", AMBIGUOUS), ("50+", AMBIGUOUS), ("~50", AMBIGUOUS), ("deve ser 50", AMBIGUOUS), ("50 ou mais", AMBIGUOUS),
    ("é 50?", AMBIGUOUS), ("quinze e noventa", AMBIGUOUS), ("2 3", AMBIGUOUS), ("dois três", AMBIGUOUS), ("dos mil", AMBIGUOUS), ("1" * 40, AMBIGUOUS),
    ("por volta de 100 reais", AMBIGUOUS), ("não tenho certeza, 50", AMBIGUOUS),
    # none
    ("não sei", NONE), ("Deezer", NONE), ("foi um erro", NONE), ("P-100", NONE), ("10GB5", NONE), ("5/12", NONE), ("10h30", NONE), ("nenhum", NONE), ("um", "1"),
    ("tem um problema", NONE), ("R$", NONE), ("—", NONE), ("NaN", NONE), ("infinito", NONE), ("por cento", NONE),
)  # fmt: skip

EN = (
    ("half a million", "500000"), ("half a dozen", "6"), ("$5 and 50 cents", "5.50"), ("minus 5", "-5"), ("100k", "100000"), ("nine hundred ninety nine", "999"), ("50 something", AMBIGUOUS), ("fifteen ninety", AMBIGUOUS),
    ("1,234.56", "1234.56"), ("1,234", "1234"), ("71.99", "71.99"), ("$71.99", "71.99"), ("12.500", "12.500"), ("two hundred", "200"), ("twenty-three", "23"),
    ("two thousand five hundred", "2500"), ("a hundred", "100"), ("one", "1"), ("it was 49.90", "49.90"), ("50 cents", "0.50"), ("15 dollars and 50 cents", "15.50"),
    ("I paid 71.99", "71.99"), ("a dozen", "12"), ("no, 50", "50"), ("three point five", "3.5"),
    ("71,99", AMBIGUOUS), ("12,34,567", AMBIGUOUS), ("about 50", AMBIGUOUS), ("50 or 60", AMBIGUOUS), ("between 5 and 10", AMBIGUOUS), ("I think 50", AMBIGUOUS),
    ("at least 50", AMBIGUOUS), ("50ish", NONE), ("not 50", AMBIGUOUS), ("nothing", NONE), ("a mistake", NONE),
)  # fmt: skip

ES = (
    ("medio millón", "500000"), ("dos mil quinientos", "2500"), ("cincuenta centavos", "0.50"), ("no fueron 20, fueron 30", "30"),
    ("71,99", "71.99"), ("1.234,56", "1234.56"), ("dos mil doscientos", "2200"), ("veintitrés", "23"), ("veintitres", "23"), ("veintidos", "22"), ("mil quinientos", "1500"),
    ("treinta y uno", "31"), ("quince pesos con 50 centavos", "15.50"), ("treinta y cuatro reales con noventa", "34.90"), ("fueron 49,90", "49.90"), ("una docena", "12"), ("cien", "100"), ("2 mil", "2000"),
    ("unos 50", AMBIGUOUS), ("más o menos 50", AMBIGUOUS), ("casi 50", AMBIGUOUS), ("creo que 50", AMBIGUOUS), ("no fue 50", AMBIGUOUS), ("10 o 20", AMBIGUOUS), ("nada", NONE),
)  # fmt: skip


def cases(locale: str, rows: tuple[tuple[str, str], ...]) -> list[object]:
    return [pytest.param(locale, text, want, id=f"{locale}: {text[:40]}") for text, want in rows]


@pytest.mark.parametrize(("locale", "text", "want"), [*cases("pt-BR", PT), *cases("en", EN), *cases("es", ES)])
def test_number_is_read_as(locale: str, text: str, want: str) -> None:
    reading = read_number(text, locale)
    if want in {AMBIGUOUS, NONE}:
        assert (reading.value, reading.error) == (None, want)
    else:
        assert (reading.value, reading.error) == (Decimal(want), None)
