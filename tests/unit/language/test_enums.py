"""Options chosen by name, by words, by number; refused, doubled, unknown."""

from typing import Any

import pytest

from pipeline.language.enums import read_enum

AMBIGUOUS, NONE = "ambiguous", "not_in_enum"

PAY = ("pix", "boleto", "cartao_credito")
CARDS = ("pix", "cartao_credito", "cartao_debito")
PACKS = ("5GB", "10GB", "20GB")
PLANS = ("Plano Família", "Plano Família Plus", "Plano Individual")
LINES = ("pre_pago", "pos_pago", "controle")
PERIODS = ("manhã", "tarde", "noite")
REGIONS = ("Norte", "Sul", "Leste", "Oeste")
DUE = (5, 10, 15)
SPEED = ("100 Mega", "300 Mega", "500 Mega")
EXAMS = ("hemograma", "raio-x", "ultrassom abdominal", "ultrassom pélvico")
PRIORITY = ("low", "medium", "high")

ROWS: tuple[tuple[tuple[Any, ...], str, Any], ...] = (
    (PAY, "pix", "pix"), (PAY, "PIX", "pix"), (PAY, "no pix", "pix"), (PAY, "Pix, por favor!", "pix"), (PAY, "cartão de crédito", "cartao_credito"), (PAY, "cartao credito", "cartao_credito"), (PAY, "Cartão-Crédito", "cartao_credito"),
    (PAY, "crédito", "cartao_credito"), (PAY, "quero pagar com cartão", "cartao_credito"), (PAY, "prefiro o boleto", "boleto"), (PAY, "pode ser no pix", "pix"), (PAY, "boletto", "boleto"), (PAY, "boletos", "boleto"), (PAY, "vou de pix", "pix"),
    (PAY, "boleto não, pix", "pix"), (PAY, "pix, não boleto", "pix"), (PAY, "não quero boleto, quero pix", "pix"), (PAY, "não é boleto nem cartão, é pix", "pix"), (PAY, "boleto, quer dizer, pix", "pix"), (PAY, "pix em vez de boleto", "pix"), (PAY, "no boleto não, no pix", "pix"),
    (PAY, "boleto ou pix", AMBIGUOUS), (PAY, "pix e boleto", AMBIGUOUS), (PAY, "pix?", AMBIGUOUS), (PAY, "talvez pix", AMBIGUOUS), (PAY, "acho que boleto", AMBIGUOUS), (PAY, "se tiver desconto, pix", AMBIGUOUS),
    (PAY, "dinheiro", NONE), (PAY, "não quero boleto", NONE), (PAY, "nem pix nem boleto", NONE), (PAY, "pixar", NONE), (PAY, "tanto faz", NONE), (PAY, "o segundo", NONE), (PAY, "2", NONE), (PAY, "sim", NONE), (PAY, "qualquer um menos boleto", NONE), (PAY, "-", NONE),
    (CARDS, "cartão", AMBIGUOUS), (CARDS, "débito", "cartao_debito"), (CARDS, "cartão de débito", "cartao_debito"), (CARDS, "cartão não, pix", "pix"), (CARDS, "crédito ou débito", AMBIGUOUS), (CARDS, "no cartão de crédito mesmo", "cartao_credito"),
    (PACKS, "10GB", "10GB"), (PACKS, "10 gb", "10GB"), (PACKS, "10", "10GB"), (PACKS, "o de 10 giga", "10GB"), (PACKS, "dez gigas", "10GB"), (PACKS, "o de vinte", "20GB"), (PACKS, "20gb por favor", "20GB"), (PACKS, "o de 5", "5GB"), (PACKS, "10GB não, 20GB", "20GB"),
    (PACKS, "5 ou 10", AMBIGUOUS), (PACKS, "giga", NONE), (PACKS, "15 giga", NONE), (PACKS, "100", NONE), (PACKS, "o maior", NONE), (PACKS, "o 2", NONE),
    (PLANS, "plano família", "Plano Família"), (PLANS, "quero o plano família", "Plano Família"), (PLANS, "familia plus", "Plano Família Plus"), (PLANS, "plus", "Plano Família Plus"), (PLANS, "o individual", "Plano Individual"), (PLANS, "plano", AMBIGUOUS), (PLANS, "PLANO FAMILIA PLUS", "Plano Família Plus"),
    (LINES, "pré-pago", "pre_pago"), (LINES, "prepago", "pre_pago"), (LINES, "pre pago", "pre_pago"), (LINES, "quero o pós", "pos_pago"), (LINES, "pago", AMBIGUOUS), (LINES, "controle", "controle"),
    (PERIODS, "de manhã", "manhã"), (PERIODS, "manha", "manhã"), (PERIODS, "à tarde", "tarde"), (PERIODS, "pela manhã", "manhã"), (PERIODS, "tarde ou noite", AMBIGUOUS), (PERIODS, "de madrugada", NONE), (PERIODS, "menos à noite", NONE),
    (REGIONS, "zona sul", "Sul"), (REGIONS, "moro no norte", "Norte"), (REGIONS, "centro", NONE), (REGIONS, "sulista", NONE),
    (DUE, "dia 10", 10), (DUE, "10", 10), (DUE, "quinze", 15), (DUE, "o 5", 5), (DUE, "20", NONE),
    (SPEED, "300", "300 Mega"), (SPEED, "trezentos mega", "300 Mega"), (SPEED, "500mega", "500 Mega"), (SPEED, "mega", AMBIGUOUS), (SPEED, "200 mega", NONE), (SPEED, "100 ou 300", AMBIGUOUS),
    (EXAMS, "raio x", "raio-x"), (EXAMS, "raiox", "raio-x"), (EXAMS, "ultrassom", AMBIGUOUS), (EXAMS, "ultrassom pelvico", "ultrassom pélvico"), (EXAMS, "o abdominal", "ultrassom abdominal"), (EXAMS, "um hemograma", "hemograma"),
    (PRIORITY, "high please", "high"), (PRIORITY, "HIGH", "high"), (PRIORITY, "medium or high", AMBIGUOUS), (PRIORITY, "urgent", NONE), (PRIORITY, "it is low", "low"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("options", "text", "want"), [pytest.param(*row, id=f"{row[0][0]}…: {row[1]}") for row in ROWS]
)
def test_option_is_chosen_by(options: tuple[Any, ...], text: str, want: Any) -> None:
    reading = read_enum(text, options, "pt-BR")
    assert (reading.error or reading.value) == want
