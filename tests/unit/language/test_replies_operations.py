"""Every operation is answered with its own verb. Source: language.json REPLY-1 to REPLY-4."""

import pytest

from pipeline.language.replies import Verdict, read_reply

ITEMS = ("Alfa Um", "Beta Dois", "Gama Três")
A, D, M, U = Verdict.ACCEPT, Verdict.DECLINE, Verdict.AMEND, Verdict.UNCLEAR
PORTUGUESE = """
    cancelamento cancelar cancela|contratação contratar contrata|devolução devolver devolve|troca trocar troca|contestação contestar contesta
    |bloqueio bloquear bloqueia|desbloqueio desbloquear desbloqueia|renovação renovar renova|agendamento agendar agenda|reagendamento reagendar reagenda
    |pagamento pagar paga|transferência transferir transfere|reembolso reembolsar reembolsa|estorno estornar estorna|envio enviar envia
    |alteração alterar altera|atualização atualizar atualiza|parcelamento parcelar parcela|resgate resgatar resgata|religação religar religa
    |ativação ativar ativa|desativação desativar desativa|suspensão suspender suspende|remoção remover remove|exclusão excluir exclui
    |inclusão incluir inclui|compra comprar compra|assinatura assinar assina|instalação instalar instala|recarga recarregar recarrega
    |portabilidade portar porta|encerramento encerrar encerra|desligamento desligar desliga|reserva reservar reserva|negociação negociar negocia
    |antecipação antecipar antecipa|emissão emitir emite|impressão imprimir imprime|empréstimo emprestar empresta|rescisão rescindir rescinde
    |interrupção interromper interrompe|liberação liberar libera|cadastro cadastrar cadastra|migração migrar migra|doação doar doa
    |consulta consultar consulta|entrega entregar entrega|retirada retirar retira
"""
ENGLISH = "cancellation cancel|purchase buy|return return|renewal renew|payment pay|subscription subscribe|transfer transfer|activation activate|exchange exchange|refund refund|booking book|dispute dispute"
SPANISH = "cancelación cancelar cancela|contratación contratar contrata|compra comprar compra|devolución devolver devuelve|renovación renovar renueva|pago pagar paga|activación activar activa|bloqueo bloquear bloquea|cambio cambiar cambia"

ROWS_PT = [
    ("pode {0}", A), ("sim, pode {0}", A), ("quero {0} sim", A), ("{1} os três", A), ("confirmo {noun}", A), ("sim, {1}", A),
    ("não quero {0}", D), ("não {1}", D), ("não precisa {0}", D), ("desisti de {0}", D),
    ("{1} só o Alfa", M), ("não {1} o Beta", M), ("sim, mas o Gama não", M), ("{1} todos menos o Beta", M),
    ("pode {0} se for de graça", U), ("pode {0}?", U),
]  # fmt: skip
ROWS_EN = [
    ("yes, {0} them", A), ("you can {0} all three", A), ("please {0} all of them", A), ("I want to {0} all of them", A), ("yes, confirm the {noun}", A),
    ("don't {0}", D), ("don't {0} anything", D), ("I don't want to {0} them", D), ("{0} only Alfa Um", M), ("don't {0} Beta Dois", M),
]  # fmt: skip
ROWS_ES = [
    ("sí, puede {0}", A), ("sí, quiero {0}", A), ("{1} los tres", A), ("confirmo la {noun}", A), ("no quiero {0}", D), ("no {1}", D),
    ("{1} solo Alfa Um", M), ("sí, menos Beta Dois", M), ("¿puede {0}?", U),
]  # fmt: skip


def cases(operations: str, rows: list[tuple[str, Verdict]], locale: str, question: str) -> list[object]:
    made: list[object] = []
    for line in operations.split("|"):
        noun, *verbs = line.split()
        for form, verdict in rows:
            text = form.format(*verbs, noun=noun)
            made.append(pytest.param(text, noun, locale, question.format(noun), verdict, id=f"{noun}: {text}"))
    return made


@pytest.mark.parametrize(
    ("text", "operation", "locale", "question", "verdict"),
    [
        *cases(PORTUGUESE, ROWS_PT, "pt-BR", "Você confirma: {} de Alfa Um, Beta Dois e Gama Três?"),
        *cases(ENGLISH, ROWS_EN, "en", "Do you confirm the {} of Alfa Um, Beta Dois and Gama Três?"),
        *cases(SPANISH, ROWS_ES, "es", "¿Confirma la {} de Alfa Um, Beta Dois y Gama Três?"),
    ],
)
def test_operation_is_answered_with_its_own_verb(
    text: str, operation: str, locale: str, question: str, verdict: Verdict
) -> None:
    reply = read_reply(text, items=ITEMS, operation=operation, question=question, locale=locale)
    assert reply.verdict is verdict, reply
