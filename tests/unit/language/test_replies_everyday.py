"""Replies as customers of several trades type them, row by row. Source: language.json REPLY-0 to REPLY-6."""

from typing import Any

import pytest

from pipeline.language.replies import Verdict, read_reply

STREAMING = ("Globoplay", "HBO Max", "Paramount+", "Telecine")
FIRST_THREE = STREAMING[:3]
CANCEL: dict[str, Any] = {
    "items": STREAMING,
    "operation": "cancelamento",
    "question": "Você confirma o cancelamento de Globoplay, HBO Max, Paramount+ e Telecine?",
}
BANK = ("Seguro Viagem", "Conta Kids")
HIRE: dict[str, Any] = {
    "items": BANK,
    "operation": "contratação",
    "question": "Confirma a contratação de Seguro Viagem e Conta Kids?",
}
ORDERS = ("4455", "4456", "4457")
RETURN: dict[str, Any] = {
    "items": ORDERS,
    "operation": "devolução",
    "question": "Confirma a devolução dos pedidos 4455, 4456 e 4457?",
}
VISIT: dict[str, Any] = {
    "items": ("dia 05/12 às 10h",),
    "operation": "agendamento",
    "question": "Confirma o agendamento para dia 05/12 às 10h?",
}
EN: dict[str, Any] = {
    "items": STREAMING,
    "operation": "cancellation",
    "question": "Do you confirm the cancellation of Globoplay, HBO Max, Paramount+ and Telecine?",
    "locale": "en",
}
ES: dict[str, Any] = {
    "items": STREAMING,
    "operation": "cancelación",
    "question": "¿Confirma la cancelación de Globoplay, HBO Max, Paramount+ y Telecine?",
    "locale": "es",
}


def rows(context: dict[str, Any], verdict: Verdict, texts: str, items: tuple[str, ...] = ()) -> list[Any]:
    return [
        pytest.param(text.strip(), context, verdict, items, id=f"{context['operation']} {verdict}: {text.strip()[:50]}")
        for text in texts.strip().split("|")
    ]


A, D, M, U, N = Verdict.ACCEPT, Verdict.DECLINE, Verdict.AMEND, Verdict.UNCLEAR, Verdict.NEW_INTENT

ROWS = [
    *rows(CANCEL, A, """Pode ser feito sim|pode mandar|isso, pode cancelar|sim, são esses mesmos|são esses mesmo|uhum, pode|confirmado, pode tocar|tô de acordo|ciente, pode seguir|Ok, confirmo!|ss pode
        |claaaro|certeza|absoluta certeza|tenho certeza, pode cancelar|é pra cancelar sim|é isso mesmo, obrigada|pode dar sequência|pode meter bala|vai lá|vai que vai|só vai|firmeza|bele|sim, cancela os quatro
        |cancela as quatro assinaturas|pode cancelar todas as quatro|pode cancelar esses 4|todos eles sim|Sim, quero cancelar todos os 4|quero cancelar tudo|SIM POR FAVOR|pode efetuar o cancelamento|prossiga com o cancelamento
        |pode dar andamento no cancelamento|sim. pode cancelar. obrigado|👍🏽|👌|ok👍|globoplay hbo paramount telecine|sem dúvida nenhuma|claro, né|logico q sim|obviamente|mas é claro que sim|isso ae|issooo|desejo sim
        |sim desejo cancelar|tá certo sim|bora cancelar|vamos cancelar|tmj, pode cancelar|nada contra, pode cancelar|não vejo problema, pode cancelar|yes, cancel it|sí señor|Sim, confirmo o cancelamento dos 4 itens
        |sim, cancela todos esses aí pra mim|quero mesmo|cancela tudo logo"""),
    *rows(CANCEL, D, """Não, obrigado.|ñ|nn quero|não mesmo|não, deixa|deixa do jeito que tá|por favor não cancela|não quero que cancele|não é pra cancelar|não era pra cancelar|nao precisa nao|melhor deixar|acho melhor deixar
        |resolvi não cancelar|decidi não cancelar|não vou cancelar mais|quero continuar com eles|vou ficar com todos|vou manter todos|mantenha tudo|não mexe|mudei de ideia, não quero mais cancelar|desisti de cancelar
        |esquece o cancelamento|cancela o cancelamento|não, tá caro mas eu uso|não, meus filhos usam|não, minha esposa assiste|Não. Eu uso todos.|de forma nenhuma|nem morto|nem um pouco|não quero cancelar nenhum deles
        |nenhum, deixa tudo|🙅|❌❌|nop|obrigado, mas não|discordo|não autorizo o cancelamento|prefiro manter|prefiro ficar com eles|pensando bem, não|pensei melhor, deixa|não, para|pare|stop|não, tira da sua cabeça"""),
    *rows(CANCEL, U, """não, espera|não, calma|não, quanto custa?|sim, mas e a multa|sim, só me confirma o valor antes|sim, se isso não gerar multa|se não cobrar nada pode|só se for sem custo|depende, tem multa?|quando eu receber pode
        |assim que eu receber o boleto cancela|cancela dia 10|pode cancelar no fim do mês|semana que vem pode|amanhã eu confirmo|vou ver com minha esposa|tenho que falar com meu marido|preciso perguntar pro meu filho|deixa eu ver aqui|pera
        |calmaaa|1 min|já te falo|agora não posso|e se eu quiser voltar?|vou perder meus dados?|tem certeza?|cobra algo?|vocês cobram?|quando para de cobrar?|por que vocês querem cancelar?|cancelar o quê?|cancela?|confirma?|que isso?
        |não pedi isso?|repete por favor|me explica isso|oi??|boa tarde|tudo bem?|sim?? não sei|acho q sim|quase certeza|meio que sim|a princípio pode|tô em dúvida|não decidi|não sei se cancelo o globoplay|sei lá viu|como vocês acharem melhor
        |o que vc acha?|sim mas não|sim, na verdade não|não, na verdade sim|não, digo, sim|sim... não|pode não pode|cancela logo|cancelem|sim, cancela o quinto|tira o 9|os cinco|🤷|sim 😬|kkkk|ok mas|antes me diz a multa
        |quanto vou economizar?|minha fatura diminui?|vai mudar o valor da fatura?|tomate|99|pod—|cancela isso|sim banana|sim, ?|sim, quero xyz|tira o Telecine ou o HBO|cancelar cancelar|sim, cancela amanhã cedo|posso mudar de ideia depois?"""),
    *rows(CANCEL, N, """quero falar com um humano|chama um atendente|tem alguém aí de verdade?|minha fatura veio errada|preciso do boleto de novembro|me envia o comprovante de pagamento|quero mudar de plano|minha internet não funciona|tô sem sinal
        |meu controle não funciona|quero comprar um celular|quanto custa o plano de 20GB?|que horas vocês fecham?|como troco minha senha?|cadê meu pedido?|e a segunda via?|me conta uma piada"""),
    *rows(CANCEL, M, """menos o telecine|sim, tudo menos o telecine|sim só o telecine não|sim, só não cancela o telecine|cancela os três primeiros|sim mas deixa o telecine|sim mas o telecine eu quero manter|o telecine eu quero manter
        |o telecine quero continuar|quero manter só o telecine|cancela tudo e mantém o telecine|desconsidera o telecine|esquece o telecine|não, mantém o telecine|telecini não|cancela globoplay, hbo e paramount|os itens 1, 2 e 3|tira o item 4
        |não quero que cancele o telecine|o resto sim, o telecine não|pode cancelar os outros, o telecine não|pode tirar o telecine|nada de cancelar o telecine""", FIRST_THREE),
    *rows(CANCEL, M, """só o 1|cancela só o globoplay, o resto deixa|globoplay só|na verdade só o globoplay|o globoplay sim, os outros não|cancela o globoplay e mantém os outros|tira os três últimos""", STREAMING[:1]),
    *rows(CANCEL, M, """troca o telecine pelo premiere|põe o premiere no lugar do telecine|em vez do telecine põe o premiere|o premiere ao invés do telecine|tira o telecine e coloca o premiere|não o telecine, o premiere
        |não é telecine, é premiere""", (*FIRST_THREE, "premiere")),
    *rows(CANCEL, M, """inclui o premiere|sim e mais o premiere|esqueceu o premiere|coloca o premiere junto|cancela o premiere também|sim, cancela também o premiere|também quero cancelar o premiere|mais o premiere""", (*STREAMING, "premiere")),
    *rows(HIRE, M, "só o seguro|não quero a conta kids|contrata só o seguro viagem|sim, mas sem a conta kids|cancela a conta kids|o seguro sim, a conta não|não precisa da conta kids", BANK[:1]),
    *rows(HIRE, A, "pode contratar os dois|contrato|fechou, contrata|sim quero os 2|confirmo a contratação|pode fechar"),
    *rows(HIRE, D, "cancela|cancela isso|não contrata nada|pode cancelar|cancelar tudo|não, muito caro|achei caro, não quero|tá caro, deixa pra lá"),
    *rows(HIRE, U, "quanto fica por mês?|tem carência?|qual a cobertura?|sim se for até 50 reais|o que o seguro cobre?|muito caro|será que vale a pena?"),
    *rows(RETURN, A, "devolve os três|sim, os três pedidos|4455, 4456 e 4457|todos os pedidos|sim, pode devolver todos os pedidos"),
    *rows(RETURN, M, "só o 4455 e o 4456|o 4457 não|menos o último|4455 e 4456", ORDERS[:2]),
    *rows(RETURN, D, "não quero devolver|cancela a devolução|vou ficar com eles|deixa, vou ficar com os pedidos|cancela"),
    *rows(VISIT, A, "sim|pode agendar|isso, pode marcar|dia 05/12 às 10h|pode marcar sim"),
    *rows(VISIT, U, "pode ser mais tarde?|tem outro horário?|depois das 10h?"),
    *rows(EN, A, "yes, all of them|yes all four|cancel all four please|go for it|that's correct|sure thing|alright|yes, thanks"),
    *rows(EN, D, "no, keep them|no, I still use them|please don't|no way|cancel nothing|not anymore|keep all of them|I'd rather not"),
    *rows(EN, U, "is there a fee?|only if it's free|yes, but when?|can I think about it?|yes if no fee|what happens next?|perhaps|why?"),
    *rows(EN, M, "all except Telecine|all but Telecine|not Telecine|everything but the last one|leave Telecine out|take out Telecine|yes, but not Telecine|the first three", FIRST_THREE),
    *rows(EN, N, "talk to a human|what's my balance?|I need a copy of my bill"),
    *rows(ES, A, "sí, todos|sí, los cuatro|claro, adelante|procede|sí, cancélalos"),
    *rows(ES, D, "no los canceles|mejor no|no quiero cancelar nada|ya no quiero cancelar"),
    *rows(ES, M, "todos menos Telecine|Telecine no|no canceles Telecine|deja Telecine|solo los tres primeros|sí, excepto Telecine", FIRST_THREE),
    *rows(ES, U, "¿tiene costo?|no sé|si no hay multa|¿por qué?|déjame pensarlo|sí, pero ¿cuánto?"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "context", "verdict", "items"), ROWS)
def test_everyday_reply_is_understood(
    text: str, context: dict[str, Any], verdict: Verdict, items: tuple[str, ...]
) -> None:
    reply = read_reply(text, **context)
    assert (reply.verdict, reply.items) == (verdict, items), reply
