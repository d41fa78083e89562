"""Replies to one open question, row by row. Source: language.json REPLY-0 to REPLY-6; DESIGN 7 Confirm."""

from typing import Any

import pytest

from pipeline.language.replies import Verdict, read_reply

VAS = ("TIM Fashion", "Aya Audiobooks", "Neymar Jr")
PACKAGES = ("Pacote 5GB", "Deezer")
ORDERS = ("P-100", "P-101", "P-102")
MAGAZINES = ("Veja", "Casa e Jardim", "Mais Você", "Superinteressante")
ONE = ("Seguro Residencial",)
CHARGES = ("R$ 19,90", "R$ 49,90")


def ask(noun: str, items: tuple[str, ...], article: str = "o") -> dict[str, Any]:
    listed = ", ".join(items[:-1]) + (" e " if len(items) > 1 else "") + items[-1]
    return {"items": items, "operation": noun, "question": f"Você confirma {article} {noun} de {listed}?"}


CANCEL = ask("cancelamento", VAS)
HIRE = ask("contratação", PACKAGES, "a")
RETURN: dict[str, Any] = {
    "items": ORDERS,
    "operation": "devolução",
    "question": "Você confirma a devolução dos pedidos P-100, P-101 e P-102?",
}
STOP_MAGAZINES = ask("cancelamento", MAGAZINES)
DISPUTE = ask("contestação", CHARGES, "a")
INSURANCE = ask("cancelamento", ONE)
RENEW = ask("renovação", MAGAZINES, "a")
EN: dict[str, Any] = {
    "items": VAS,
    "operation": "cancellation",
    "question": "Do you confirm the cancellation of TIM Fashion, Aya Audiobooks and Neymar Jr?",
    "locale": "en",
}
EN_BUY: dict[str, Any] = {
    "items": PACKAGES,
    "operation": "purchase",
    "question": "Do you confirm the purchase of Pacote 5GB and Deezer?",
    "locale": "en",
}
ES: dict[str, Any] = {
    "items": VAS,
    "operation": "cancelación",
    "question": "¿Confirma la cancelación de TIM Fashion, Aya Audiobooks y Neymar Jr?",
    "locale": "es",
}


def rows(context: dict[str, Any], *texts: str) -> list[Any]:
    return [pytest.param(text, context, id=f"{context['operation']}: {text[:50]}") for text in texts]


ACCEPTS = [
    *rows(
        CANCEL,
        "sim", "Sim!", "SIM", "s", "ss", "simmm", "siiim", "siiiiimmmm", "sim sim", "sim, por favor", "sim pfv", "sim, pode", "pode", "pode sim", "podeee", "pode cancelar", "pode cancelar sim",
        "pode cancelar os três", "pode cancelar todos", "pode cancelar tudo", "sim, todos", "todos", "tudo", "os três", "os 3", "todos os três", "sim, os três", "cancela os três", "cancela tudo", "cancela todos por favor",
        "confirmo", "confirmo sim", "confirmado", "confirmado!", "confirma", "confirmo o cancelamento", "eu confirmo o cancelamento dos três", "confirmo o cancelamento de todos", "isso", "isso mesmo", "isso aí", "é isso aí", "é isso",
        "exato", "exatamente", "perfeito", "correto", "certo", "certinho", "tá certo", "tá bom", "tá", "ok", "okk", "okay", "ok ok", "blz", "beleza", "beleza, pode cancelar", "fechado", "fechou", "combinado", "show", "top",
        "claro", "claro que sim", "com certeza", "sem dúvida", "lógico", "óbvio", "positivo", "afirmativo", "aham", "uhum", "ahaam", "manda ver", "manda bala", "vai fundo", "bora", "partiu", "demorou", "já é", "pode crer", "de boa",
        "sem galho, pode seguir", "sem problema, pode cancelar", "não tem problema, pode cancelar", "pode prosseguir", "prossiga", "pode seguir", "segue o baile", "vai em frente", "pode ir em frente", "pode fazer", "faz isso", "faça isso por favor",
        "quero", "quero sim", "quero cancelar", "sim, quero cancelar", "quero sim, cancela", "sim, cancela", "sim cancela", "ok cancela", "isso, cancela", "cancela sim", "cancelar sim",
        "👍", "👍👍👍", "sim 👍", "sim 😊", "ok 🙏", "✅", "sim, obrigado", "sim, muito obrigada!", "sim obg", "sim vlw", "oi, sim", "bom dia, pode sim", "sim, por gentileza", "sim senhora", "sim amor",
        "TIM Fashion, Aya Audiobooks e Neymar Jr", "tim fashion aya e neymar", "sim, TIM Fashion, Aya e Neymar", "cancela o TIM Fashion, o Aya e o Neymar", "pode cancelar o neymar, o fashion e o aya",
        "sim, pode cancelar agora", "cancela agora sim", "pode cancelar hoje mesmo", "sim, não uso mais", "pode cancelar, não uso mais", "autorizo", "de acordo", "concordo", "aceito", "pode confirmar", "pode confrmar", "confimo", "sim, confirmo.",
        "yes", "yes please", "sure, go ahead", "yep", "sí", "dale", "sí, claro", "vamos lá", "pode mandar ver", "tudo certo, pode cancelar", "tudo bem", "kkk sim", "sim kkkk", "sim.", "sim...", "sim, cancela esses três", "cancela esses aí sim", "ah sim, pode cancelar", "Claro, pode cancelar todos eles",
    ),
    *rows(HIRE, "contratar", "contrata", "pode contratar", "quero contratar", "sim, contrata os dois", "os dois", "ambos", "quero os dois", "quero", "eu quero", "aceito", "bora", "fechado, pode contratar", "Pacote 5GB e Deezer", "contrata o pacote e o deezer", "fecha", "topo", "quero sim, os dois"),
    *rows(RETURN, "pode devolver", "devolve tudo", "sim, quero devolver os três", "P-100, P-101 e P-102", "confirmo a devolução", "devolver", "pode devolver os pedidos"),
    *rows(STOP_MAGAZINES, "cancela a Veja, a Casa e Jardim, a Mais Você e a Superinteressante", "as quatro", "todas", "pode cancelar todas elas", "sim, as 4"),
    *rows(DISPUTE, "pode contestar", "contesta as duas", "sim, as duas", "contesto"),
    *rows(INSURANCE, "sim, cancela o seguro", "pode cancelar o seguro residencial", "confirmo o cancelamento do seguro"),
    *rows(EN, "yes", "Yes, please", "yep", "sure", "of course", "go ahead", "yes, go ahead", "that's right", "that is it, go ahead", "confirmed", "I confirm", "do it", "please do", "sounds good", "ok", "yes, cancel all three", "cancel all of them", "all of them", "yes cancel them all", "absolutely", "correct", "fine, go ahead", "sim"),
    *rows(EN_BUY, "buy both", "yes, both", "both", "I want both"),
    *rows(ES, "sí", "si", "sí, por favor", "claro", "claro que sí", "dale", "vale", "adelante", "de acuerdo", "confirmo", "sí, cancela los tres", "los tres", "todos", "por supuesto", "hazlo", "está bien", "correcto", "sí, gracias", "ok"),
]  # fmt: skip

DECLINES = [
    *rows(
        CANCEL,
        "não", "nao", "n", "naum", "nãooo", "NÃO", "não!", "não, obrigado", "não obrigada", "nn", "não não", "não quero", "não quero não", "quero não", "não quero cancelar", "não quero mais cancelar", "não cancela", "não cancele", "não cancela nada", "não cancela nenhum", "não precisa", "não precisa cancelar", "não precisa mais",
        "deixa quieto", "deixa pra lá", "deixa", "deixa assim", "deixa como está", "deixa isso pra lá", "esquece", "esquece isso", "pode esquecer", "desisti", "desisto", "mudei de ideia", "me arrependi", "melhor não", "acho melhor não", "é melhor não", "prefiro não", "prefiro não cancelar",
        "claro que não", "com certeza não", "de jeito nenhum", "nem pensar", "jamais", "nunca", "negativo", "nem a pau", "de forma alguma", "nada disso", "nenhum", "nenhum deles", "nada", "não confirmo", "não autorizo", "não concordo", "não aceito", "não pode", "agora não", "hoje não", "por enquanto não",
        "quero manter", "quero manter todos", "mantém tudo", "mantém todos", "quero ficar com todos", "não, quero ficar com eles", "não, porque ainda uso", "não, eu ainda uso todos", "não pq uso muito", "não mexe em nada", "não faz isso", "não faça nada", "para tudo", "cancela não", "pode não", "👎", "❌", "não 👎", "não 😡", "não vou cancelar", "não desejo cancelar", "não é isso que eu quero",
        "tira o TIM, o Aya e o Neymar", "nem o TIM nem o Aya nem o Neymar", "não cancela o TIM Fashion, o Aya e o Neymar", "no", "nope", "no thanks", "no gracias", "never mind",
    ),
    *rows(HIRE, "cancela", "cancelar", "cancela tudo", "pode cancelar", "quero cancelar", "cancela por favor", "cancela a contratação", "não", "não quero", "não quero mais", "não quero contratar", "não contrata", "desisti da contratação", "deixa pra lá", "não quero nenhum", "nenhum dos dois", "tira os dois", "não quero mais nada", "cancela o pacote e o deezer", "tira tudo"),
    *rows(RETURN, "não quero devolver", "não quero mais devolver", "cancela a devolução", "não devolve", "cancela", "não, vou ficar com eles"),
    *rows(RENEW, "não quero renovar", "não renova", "cancelar", "não precisa renovar"),
    *rows(EN, "no", "nope", "no thanks", "No, thank you", "don't", "do not cancel", "don't cancel anything", "never mind", "forget it", "leave it", "keep them all", "I changed my mind", "not now", "of course not", "I don't want to cancel", "stop"),
    *rows(ES, "no", "no, gracias", "no quiero", "no quiero cancelar", "mejor no", "olvídalo", "déjalo así", "claro que no", "ni hablar", "cambié de opinión", "para nada", "no canceles nada"),
]  # fmt: skip

T, A, N = VAS


def amend(context: dict[str, Any], text: str, *items: str) -> Any:
    return pytest.param(text, context, items, id=f"{context['operation']}: {text[:60]}")


AMENDS = [
    amend(CANCEL, "sim, mas tira o Neymar", T, A),
    amend(CANCEL, "sim menos o Neymar", T, A),
    amend(CANCEL, "todos menos o Aya", T, N),
    amend(CANCEL, "pode, exceto o TIM", A, N),
    amend(CANCEL, "tira o Neymar", T, A),
    amend(CANCEL, "tira o neimar", T, A),
    amend(CANCEL, "tira o Neymar da lista", T, A),
    amend(CANCEL, "tira o primeiro", A, N),
    amend(CANCEL, "tira o 2", T, N),
    amend(CANCEL, "o 2 não", T, N),
    amend(CANCEL, "o último não", T, A),
    amend(CANCEL, "o Neymar não", T, A),
    amend(CANCEL, "o Neymar não, por favor", T, A),
    amend(CANCEL, "não o Neymar", T, A),
    amend(CANCEL, "não cancela o Neymar", T, A),
    amend(CANCEL, "não quero cancelar o Neymar", T, A),
    amend(CANCEL, "não precisa cancelar o Neymar", T, A),
    amend(CANCEL, "o Aya não precisa", T, N),
    amend(CANCEL, "não, tira o Neymar", T, A),
    amend(CANCEL, "não, só o primeiro", T),
    amend(CANCEL, "só o primeiro", T),
    amend(CANCEL, "apenas o TIM Fashion", T),
    amend(CANCEL, "somente o TIM e o Aya", T, A),
    amend(CANCEL, "só os dois primeiros", T, A),
    amend(CANCEL, "só o TIM e o Neymar por favor", T, N),
    amend(CANCEL, "só 1 e 3", T, N),
    amend(CANCEL, "o primeiro só", T),
    amend(CANCEL, "cancela só o Neymar", N),
    amend(CANCEL, "sim, só o Neymar", N),
    amend(CANCEL, "quero cancelar só o TIM", T),
    amend(CANCEL, "só quero cancelar o TIM", T),
    amend(CANCEL, "mantém o Neymar", T, A),
    amend(CANCEL, "sim, mas mantém o Neymar", T, A),
    amend(CANCEL, "pode cancelar, mas deixa o Aya", T, N),
    amend(CANCEL, "quero ficar com o Neymar", T, A),
    amend(CANCEL, "o Neymar fica", T, A),
    amend(CANCEL, "o Neymar deixa", T, A),
    amend(CANCEL, "deixa o Neymar de fora", T, A),
    amend(CANCEL, "os dois primeiros sim, o último não", T, A),
    amend(CANCEL, "TIM e Aya sim, Neymar não", T, A),
    amend(CANCEL, "o TIM sim, o resto não", T),
    amend(CANCEL, "cancela o TIM e deixa o resto", T),
    amend(CANCEL, "tira o Neymar, o resto pode", T, A),
    amend(CANCEL, "o Neymar não, os outros pode cancelar", T, A),
    amend(CANCEL, "cancela o TIM e o Aya", T, A),
    amend(CANCEL, "pode cancelar o TIM", T),
    amend(CANCEL, "sim, inclui o Deezer também", T, A, N, "Deezer"),
    amend(CANCEL, "sim, e cancela o Deezer também", T, A, N, "Deezer"),
    amend(CANCEL, "adiciona o Babbel", T, A, N, "Babbel"),
    amend(CANCEL, "coloca o Babbel e o Deezer também", T, A, N, "Babbel", "Deezer"),
    amend(CANCEL, "faltou o Deezer", T, A, N, "Deezer"),
    amend(CANCEL, "e o Deezer também", T, A, N, "Deezer"),
    amend(CANCEL, "sim e o Deezer também", T, A, N, "Deezer"),
    amend(CANCEL, "troca o Neymar pelo Deezer", T, A, "Deezer"),
    amend(CANCEL, "troca o primeiro por Deezer", "Deezer", A, N),
    amend(CANCEL, "substitui o Aya por Babbel", T, "Babbel", N),
    amend(CANCEL, "em vez do Neymar, o Deezer", T, A, "Deezer"),
    amend(CANCEL, "o Deezer em vez do Neymar", T, A, "Deezer"),
    amend(CANCEL, "no lugar do Neymar coloca o Deezer", T, A, "Deezer"),
    amend(CANCEL, "não, Deezer em vez do Neymar", T, A, "Deezer"),
    amend(CANCEL, "o Neymar não, o Deezer", T, A, "Deezer"),
    amend(CANCEL, "muda o Neymar para o Deezer", T, A, "Deezer"),
    amend(CANCEL, "tira o Neymar e põe o Deezer", T, A, "Deezer"),
    amend(CANCEL, "tira o Neymar e o Aya", T),
    amend(CANCEL, "pera, tira o Neymar", T, A),
    amend(CANCEL, "1", T),
    amend(CANCEL, "1 e 2", T, A),
    amend(CANCEL, "o 1 e o 3", T, N),
    amend(CANCEL, "1 sim, 2 sim, 3 não", T, A),
    amend(CANCEL, "sim pros dois primeiros", T, A),
    amend(CANCEL, "o primeiro", T),
    amend(CANCEL, "o do Neymar não", T, A),
    amend(CANCEL, "menos o audiobooks", T, N),
    amend(CANCEL, "todos, o Neymar não", T, A),
    amend(CANCEL, "sim, sem o Neymar", T, A),
    amend(CANCEL, "tira o Neymar porque eu uso", T, A),
    amend(CANCEL, "tira o TIM Fashion, esse eu ainda uso", A, N),
    amend(CANCEL, "não cancela o Neymar, cancela os outros", T, A),
    amend(CANCEL, "sim, com exceção do Aya", T, N),
    amend(HIRE, "tira o Deezer", "Pacote 5GB"),
    amend(HIRE, "não quero o Deezer", "Pacote 5GB"),
    amend(HIRE, "cancela o Deezer", "Pacote 5GB"),
    amend(HIRE, "só o pacote", "Pacote 5GB"),
    amend(HIRE, "quero só o Deezer", "Deezer"),
    amend(HIRE, "sim, mas o Deezer não", "Pacote 5GB"),
    amend(HIRE, "troca o 5GB pelo Pacote 10GB", "Pacote 10GB", "Deezer"),
    amend(HIRE, "não, só o Deezer", "Deezer"),
    amend(HIRE, "quero também o Babbel", "Pacote 5GB", "Deezer", "Babbel"),
    amend(RETURN, "só o P-100", "P-100"),
    amend(RETURN, "tira o P-101", "P-100", "P-102"),
    amend(RETURN, "troca o P-101 pelo P-105", "P-100", "P-105", "P-102"),
    amend(RETURN, "devolve só o primeiro e o último", "P-100", "P-102"),
    amend(RETURN, "inclui o P-200", "P-100", "P-101", "P-102", "P-200"),
    amend(STOP_MAGAZINES, "tira a Veja", "Casa e Jardim", "Mais Você", "Superinteressante"),
    amend(STOP_MAGAZINES, "menos a Casa e Jardim", "Veja", "Mais Você", "Superinteressante"),
    amend(STOP_MAGAZINES, "só a Mais Você", "Mais Você"),
    amend(STOP_MAGAZINES, "a mais você não", "Veja", "Casa e Jardim", "Superinteressante"),
    amend(STOP_MAGAZINES, "as duas primeiras", "Veja", "Casa e Jardim"),
    amend(STOP_MAGAZINES, "só as duas últimas", "Mais Você", "Superinteressante"),
    amend(DISPUTE, "só a de 19,90", "R$ 19,90"),
    amend(DISPUTE, "a de 49,90 não", "R$ 19,90"),
    amend(EN, "yes, except Neymar", T, A),
    amend(EN, "all but the last one", T, A),
    amend(EN, "remove Neymar", T, A),
    amend(EN, "only the first one", T),
    amend(EN, "just TIM Fashion", T),
    amend(EN, "keep Neymar", T, A),
    amend(EN, "yes but keep Aya", T, N),
    amend(EN, "replace Neymar with Deezer", T, A, "Deezer"),
    amend(EN, "no, Deezer instead of Neymar", T, A, "Deezer"),
    amend(EN, "don't cancel Neymar", T, A),
    amend(EN, "not Neymar", T, A),
    amend(EN, "yes, and add Deezer", T, A, N, "Deezer"),
    amend(EN, "swap Neymar for Deezer", T, A, "Deezer"),
    amend(ES, "sí, menos el Neymar", T, A),
    amend(ES, "solo el primero", T),
    amend(ES, "quita el Neymar", T, A),
    amend(ES, "no canceles el Neymar", T, A),
    amend(ES, "cambia el Neymar por el Deezer", T, A, "Deezer"),
    amend(ES, "el Neymar no", T, A),
    amend(ES, "sí, y agrega Deezer", T, A, N, "Deezer"),
]

UNCLEARS = [
    *rows(
        CANCEL,
        "", "   ", "?", "???", "!!!", "...", "sim?", "pode?", "sim, né?", "ok?", "não?", "será?", "talvez", "acho que sim", "acho que não", "acho que sim, pode", "pode ser", "tanto faz", "sei lá", "não sei", "não tenho certeza", "sim, acho", "quem sabe", "provavelmente sim", "mais ou menos", "em dúvida", "estou na dúvida",
        "se for de graça", "sim, se for de graça", "sim, se não tiver multa", "pode, desde que não cobre nada", "só se não tiver multa", "caso não tenha custo, sim", "depende", "sim, dependendo do valor",
        "espera", "espera um pouco", "pera aí", "calma", "um momento", "só um minuto", "já volto", "deixa eu ver", "deixa eu pensar", "vou pensar", "depois", "depois eu vejo", "mais tarde", "amanhã", "ainda não", "sim, mas só amanhã", "cancela amanhã", "pode cancelar mês que vem", "sim, espera",
        "sim não", "não sim", "sim e não", "sim, não", "não, pode cancelar", "cancela", "cancelar", "cancelamento", "cancela por favor", "cancela isso", "o cancelamento", "cancelar por favor", "quanto custa?", "tem multa?", "qual o valor?", "quando cancela?", "por quê?", "porque?", "vou pagar multa?", "quanto vou pagar?", "e a multa?", "ok mas antes me fala o valor", "sim, mas quanto custa?", "sim, quanto fica?", "tem algum custo pra cancelar?", "a partir de quando?", "o que é o Aya Audiobooks?", "por que o Neymar?", "vem na próxima fatura?",
        "Você confirma o cancelamento de TIM Fashion, Aya Audiobooks e Neymar Jr?", "> Você confirma o cancelamento de TIM Fashion, Aya Audiobooks e Neymar Jr?\nsim", "não entendi", "como assim?", "hein?", "o quê?", "hã", "oi", "oi?", "bom dia", "obrigado", "hmm", "hum", "🤔", "sim 🤔", "asdfgh", "xyz", "12345", "tira o quinto", "o 4 não", "só o sexto", "os dois", "só os cinco primeiros", "sim pod-", "sim —", "pode can-", "sim, mas", "sim porém", "sim, só que", "tira", "inclui", "só", "menos", "mas", "e", "sim, ou não", "sim ou não?", "não sei se cancelo", "nem sim nem não",
        "não quero mais", "quero o Neymar", "deixa só o Neymar", "tira tudo", "pode deixar", "sim, antes quero saber a multa", "posso pensar?", "tem certeza?", "sim... espera", "sim, primeiro me diz quanto é", "talvez só o primeiro", "acho que tira o Neymar", "tira o Neymar?", "se der, tira o Neymar", "sim, mas não", "sim, a menos que tenha multa", "sim 👎", "você que sabe", "como quiser", "sim para", "sim, exceto", "não só o primeiro", "sim, mas o valor tá errado", "ok, mas cobram multa", "confirmo nada", "sim sim não", "não não sim", "pode cancelar nenhum", "por mim tanto faz", "o Aya é o quê?",
        "maybe", "I think so", "wait", "if it's free", "hold on", "quizás", "espera un momento", "depende",
    ),
    *rows(HIRE, "quanto custa?", "sim, se couber no orçamento", "talvez", "qual a velocidade do pacote?", "sim, mas quanto fica por mês?", "sim, cancela", "os três", "é mensal?", "tem fidelidade?"),
    *rows(EN, "maybe", "yes?", "yes, if it's free", "yes but how much is it", "I think so", "not sure", "wait", "hold on", "cancel", "cancellation", "what?", "how much?", "yes no", "yes, unless there is a fee", "let me think", "I guess", "if there's no fee, yes", "the fifth one", "what is the fee", "yes, tomorrow"),
    *rows(ES, "tal vez", "creo que sí", "sí, si es gratis", "si no cobran multa", "espera", "¿cuánto cuesta?", "no sé", "sí pero ¿cuánto?", "cancelar", "cancela", "¿sí?", "depende"),
]  # fmt: skip

NEW_INTENTS = [
    *rows(
        CANCEL,
        "quero falar com atendente", "me passa pra um humano", "atendente", "quero falar com uma pessoa", "me transfere pra um atendente por favor", "qual o valor da minha fatura?", "e a minha fatura?", "me manda a segunda via do boleto", "quero a segunda via", "quero contratar mais internet", "minha internet tá lenta", "minha internet caiu", "quero desbloquear minha linha", "qual o horário da loja?", "vocês abrem domingo?", "quero mudar meu endereço", "esqueci minha senha", "quanto de saldo eu tenho?", "preciso da nota fiscal", "quero comprar um chip", "meu pedido não chegou", "quero saber do meu pedido", "onde fica a loja mais próxima?", "quero fazer uma reclamação", "quero ver minha fatura", "me manda o boleto",
    ),
    *rows(HIRE, "quero cancelar minha linha", "qual o vencimento da minha fatura?", "quero falar com um atendente", "meu sinal tá ruim"),
    *rows(EN, "I want to talk to an agent", "what is my balance?", "send me the bill", "where is my order?", "I need to change my address"),
    *rows(ES, "quiero hablar con un agente", "¿cuál es mi saldo?", "mándame la factura", "¿dónde está mi pedido?"),
]  # fmt: skip

RESTS = [
    pytest.param(
        "sim, e me manda a fatura", CANCEL, Verdict.ACCEPT, "me manda a fatura", id="a request after a plain yes"
    ),
    pytest.param(
        "yes, and send me the bill", EN, Verdict.ACCEPT, "send me the bill", id="an English request after a plain yes"
    ),
    pytest.param(
        "pode cancelar. quero a segunda via do boleto também",
        CANCEL,
        Verdict.ACCEPT,
        "quero a segunda via do boleto também",
        id="a sentence of its own",
    ),
    pytest.param(
        "sim e quero falar com um atendente",
        CANCEL,
        Verdict.ACCEPT,
        "quero falar com um atendente",
        id="a person after a yes",
    ),
    pytest.param("não, me manda a fatura", CANCEL, Verdict.DECLINE, "me manda a fatura", id="a request after a no"),
    pytest.param(
        "forget it, I want to see my bill",
        EN,
        Verdict.DECLINE,
        "I want to see my bill",
        id="giving up for something else",
    ),
    pytest.param(
        "deixa pra lá, quero falar com atendente",
        CANCEL,
        Verdict.DECLINE,
        "quero falar com atendente",
        id="a person after a no",
    ),
    pytest.param(
        "não, qual o valor da minha fatura?",
        CANCEL,
        Verdict.DECLINE,
        "qual o valor da minha fatura?",
        id="a question after a no",
    ),
    pytest.param(
        "tira o Neymar e me manda a fatura",
        CANCEL,
        Verdict.AMEND,
        "me manda a fatura",
        id="a request after an amendment",
    ),
    pytest.param(
        "quero ver minha fatura e o boleto",
        CANCEL,
        Verdict.NEW_INTENT,
        "quero ver minha fatura e o boleto",
        id="a request alone",
    ),
]


@pytest.mark.parametrize(("text", "context"), ACCEPTS)
def test_reply_accepts(text: str, context: dict[str, Any]) -> None:
    reply = read_reply(text, **context)
    assert reply.verdict is Verdict.ACCEPT, reply
    assert reply.rule


@pytest.mark.parametrize(("text", "context"), DECLINES)
def test_reply_declines(text: str, context: dict[str, Any]) -> None:
    reply = read_reply(text, **context)
    assert reply.verdict is Verdict.DECLINE, reply


@pytest.mark.parametrize(("text", "context", "items"), AMENDS)
def test_reply_amends_to_the_whole_set_afterwards(text: str, context: dict[str, Any], items: tuple[str, ...]) -> None:
    reply = read_reply(text, **context)
    assert (reply.verdict, reply.items) == (Verdict.AMEND, items), reply


@pytest.mark.parametrize(("text", "context"), UNCLEARS)
def test_reply_is_unclear(text: str, context: dict[str, Any]) -> None:
    reply = read_reply(text, **context)
    assert reply.verdict is Verdict.UNCLEAR, reply


@pytest.mark.parametrize(("text", "context"), NEW_INTENTS)
def test_reply_is_another_matter(text: str, context: dict[str, Any]) -> None:
    reply = read_reply(text, **context)
    assert reply.verdict is Verdict.NEW_INTENT, reply
    assert reply.rest


@pytest.mark.parametrize(("text", "context", "verdict", "rest"), RESTS)
def test_reply_keeps_a_second_request(text: str, context: dict[str, Any], verdict: Verdict, rest: str) -> None:
    reply = read_reply(text, **context)
    assert (reply.verdict, reply.rest) == (verdict, rest), reply


@pytest.mark.parametrize("text", ["sim", "pode cancelar", "confirmo", "yes", "não", "tira o Neymar"])
def test_reply_is_unclear_when_the_voice_turn_was_interrupted(text: str) -> None:
    assert read_reply(text, **CANCEL, interrupted=True).verdict is Verdict.UNCLEAR


def test_added_item_is_spelled_as_the_customer_holds_it() -> None:
    reply = read_reply("sim, inclui o deezr também", **CANCEL, known_values=("Babbel", "Deezer", *VAS))
    assert reply.items == (*VAS, "Deezer")


@pytest.mark.parametrize("text", ["quanto vou pagar?", "tem multa?", "sim, mas quanto custa?"])
def test_question_about_the_proposal_is_marked(text: str) -> None:
    assert read_reply(text, **CANCEL).question
