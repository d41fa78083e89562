"""Replies in the words customers use for yes, no, less and wait, row by row. Source: language.json REPLY-0 to REPLY-6."""

from typing import Any

import pytest

from pipeline.language.replies import Verdict, read_reply

PRODUCTS: dict[str, Any] = {
    "items": ("TIM Fashion", "Aya Audiobooks", "Neymar Jr"),
    "operation": "cancelamento",
    "question": "Você confirma o cancelamento de TIM Fashion, Aya Audiobooks e Neymar Jr?",
}
PACKAGES: dict[str, Any] = {
    "items": ("Pacote 5GB", "Deezer"),
    "operation": "contratação",
    "question": "Confirma a contratação de Pacote 5GB e Deezer?",
}
NAMES_WITH_JOINTS: dict[str, Any] = {
    "items": ("Casa e Vídeo", "Disney+ e Star+", "Mais Você"),
    "operation": "cancelamento",
    "question": "Você confirma o cancelamento de Casa e Vídeo, Disney+ e Star+ e Mais Você?",
}
NAMES_WITH_NUMBERS: dict[str, Any] = {
    "items": ("Canal 3", "Canal 1", "Canal 2"),
    "operation": "cancelamento",
    "question": "Você confirma o cancelamento de Canal 3, Canal 1 e Canal 2?",
}
VISIT: dict[str, Any] = {
    "items": ("Visita técnica",),
    "operation": "agendamento",
    "question": "Confirma o agendamento de Visita técnica?",
}
BILLS: dict[str, Any] = {
    "items": ("Fatura 10/2025", "Fatura 11/2025"),
    "operation": "pagamento",
    "question": "Confirma o pagamento de Fatura 10/2025 e Fatura 11/2025?",
}
TRANSFER: dict[str, Any] = {
    "items": ("PIX de R$ 500,00 para João",),
    "operation": "transferência",
    "question": "Confirma a transferência: PIX de R$ 500,00 para João?",
}


def rows(context: dict[str, Any], verdict: Verdict, texts: str, items: tuple[str, ...] = ()) -> list[Any]:
    return [
        pytest.param(text.strip(), context, verdict, items, id=f"{context['operation']} {verdict}: {text.strip()[:50]}")
        for text in texts.strip().split("|")
    ]


ROWS = [
    *rows(PRODUCTS, Verdict.ACCEPT, """sim, pode cancelar todos, obrigado pela ajuda|Confirmo. Obrigada!|Sim, pode cancelar. Obg|pode cancelar sim, agradeço|sim! pode cancelar os 3|é isso aí, pode cancelar tudo|
        tá certo, pode cancelar|sim, está correto|sim está certo|está certo, confirmo|correto!|exato, cancela os três|com certeza, pode cancelar|claro, cancela tudo|
        claro que sim, pode cancelar|já pode cancelar|pode cancelar já|pode cancelar logo|sim, cancela logo|ok, pode fazer o cancelamento|pode proceder com o cancelamento|
        proceda com o cancelamento|pode dar continuidade|pode finalizar|pode concluir o cancelamento|autorizo o cancelamento|estou de acordo com o cancelamento|
        concordo com o cancelamento|aceito sim|de acordo!|fechado então|combinado então|beleza então|então pode|então tá, pode cancelar|tudo bem, pode cancelar|tudo bem por mim|
        por mim tudo bem|tranquilo, pode cancelar|suave|sussa|é nóis|tamo junto, cancela|pode cancelar mesmo|sim mesmo|quero mesmo cancelar|quero cancelar mesmo|tô certo disso|
        estou certa disso|tenho certeza sim|sim, tenho certeza|sim! 👏👏|✔️|👍 pode|Sim 🙌|sim,sim|sim;|"sim"|'sim'|*sim*|(sim)|SIM!!!!!|sim sim sim sim|ok ok ok|
        uhum uhum|pode pô|pode mano|pode cara|pode querida|sim moça|sim, meu amigo|sim chefe|isso aí mano""", ()),
    *rows(PRODUCTS, Verdict.DECLINE, """não, deixa como tá|não, melhor não|não, prefiro ficar|não quero mais cancelar nenhum|não quero que cancelem|não cancelem|por favor, não cancelem|ei, não cancela!|opa, não|
        negativo, deixa|nem vem|nem pensar em cancelar|não não não|n n|nao nao|claro q nao|obvio q nao|com ctz nao|de jeito nenhum!!|jamais cancelaria|desisto do cancelamento|
        desisti do cancelamento|abandona|deixa quieto vai|esquece, vou ficar|esquece, deixa tudo como está|mudei de ideia, deixa|mudei de ideia, vou ficar com os três|melhor manter|
        melhor manter os três|mantém como está|quero manter os três|fico com todos|fico com eles|vou continuar usando|não mexe nisso|deixa os três aí|deixa eles|
        não precisa cancelar nada|não há necessidade|não tenho interesse em cancelar|não concordo com o cancelamento|recuso o cancelamento|não aceito o cancelamento|
        não está autorizado|não tá confirmado|não confirmado|cancelamento não|cancelar nada|nada de cancelar|não é pra cancelar nada|não era para cancelar|foi engano, não cancela|
        foi sem querer, não quero|cliquei errado, não quero cancelar|não fui eu que pedi, não cancela|tira o TIM, tira o Aya e tira o Neymar|o TIM não, o Aya não e o Neymar não|
        nem TIM, nem Aya, nem Neymar|sem TIM, sem Aya e sem Neymar|tira os três da lista""", ()),
    *rows(PRODUCTS, Verdict.AMEND, """sim, mas o Neymar mantém|sim, o Neymar não|sim, cancela TIM e Aya|sim, TIM e Aya|pode os dois primeiros|pode cancelar TIM e Aya apenas|só TIM Fashion e Aya Audiobooks|
        o terceiro não|o 3º não|terceiro não|3 não|o número 3 não|o item 3 deixa|menos o 3|menos o último|tudo menos o último|exceto o último|fora o neymar|tirando o neymar|
        com exceção do neymar|salvo o neymar|só não quero cancelar o Neymar|só o Neymar que não|o Neymar não é pra cancelar|o neymar eu mantenho|mantenho o neymar|neymar fica|
        neymar permanece|deixa o neymar ativo|deixa só o neymar de fora|o neymar vc deixa|não cancela o último|não cancele o Neymar Jr|não precisa o Neymar|Neymar não precisa|
        não quero cancelar o Neymar, só os outros|só os outros dois, o Neymar não|remove o neymar dessa lista|retira neymar|exclui o último|risca o neymar|corta o neymar|
        tira o tal do neymar|TIM Fashion sim, Aya sim, Neymar não|TIM: sim, Aya: sim, Neymar: não|sim pro primeiro, sim pro segundo, não pro terceiro|1 e 2 sim, 3 não|
        primeiro e segundo sim, terceiro não|os dois primeiros pode, o último deixa""", ("TIM Fashion", "Aya Audiobooks")),
    *rows(PRODUCTS, Verdict.AMEND, """só o último|somente o neymar|cancela o neymar só|quero cancelar o Neymar apenas|não, só o Neymar|não, somente o terceiro|não, é só o Neymar|é só o Neymar|era só o Neymar|
        eu só quero cancelar o Neymar|na verdade é só o Neymar|tira o TIM e o Aya|mantém TIM e Aya|deixa o TIM e o Aya|o TIM e o Aya não|nem TIM nem Aya|não cancela TIM nem Aya|
        menos TIM e Aya|tira os dois primeiros|os dois primeiros não|o neymar sim, o resto não|só neymar mesmo|cancela só o último por favor""", ("Neymar Jr",)),
    *rows(PRODUCTS, Verdict.UNCLEAR, """sim, desde que estornem|se der pra reativar depois, sim|pode, caso não perca os pontos|sim, se possível hoje|sim, qual o prazo?|pode, mas me diz o valor antes|
        ok, antes de cancelar quero saber o valor|o que muda se eu cancelar?|cancelando eu perco o número?|quando vence?|até quando posso usar?|vou receber reembolso?|quem garante?|
        tá, e depois?|e depois?|e aí?|e agora?|e se eu não cancelar?|posso cancelar só um?|dá pra cancelar só um?|dá pra tirar o Neymar?|pode tirar o Neymar?|
        qual deles é o mais caro?|o Neymar custa quanto?|TIM Fashion é o quê mesmo?|não lembro o que é isso|não reconheço esses produtos|não conheço o Aya|peraí, quais?|
        espera, quais são?|um seg|só um segundo pfv|vou confirmar com meu pai|preciso ver com meu marido|tô vendo aqui|deixa eu dar uma olhada|daqui a pouco confirmo|
        amanhã te respondo|depois a gente vê|agora não sei|sei lá, pode ser|acho que sim né|acho que tá certo|imagino que sim|provável|não tenho certeza se quero|
        talvez os dois primeiros|quem sabe só o TIM|tanto faz, você decide|sim, talvez|não, talvez|sim porém depende|sim, não, sim|não, sim|sim... digo, não|hmm não sei|hã?|q?|
        oq?|como assim cancelar?|cancelar o que?|????|sim ou nao|s/n|s ou n|cancela/não cancela|blah|123456|teste|abc|o 8|tira o 6|cancela o sétimo|tira o quarto e o quinto|
        sim pode c-|pod...-|si-|Você confirma o cancelamento|> Você confirma o cancelamento de TIM Fashion, Aya Audiobooks e Neymar Jr?|e|ta?|sim né?|certo?|pode cancelar amanhã|
        cancela na segunda|só cancela depois do dia 10|cancela quando vencer|cancela no vencimento""", ()),
    *rows(PACKAGES, Verdict.ACCEPT, """quero contratar sim|pode ativar os dois|sim, quero os dois|ok, contrata|contrata os dois pra mim|vou levar os dois|isso, os dois|quero, pode contratar|
        pode ser feita a contratação|confirmo os dois|fechou, os dois""", ()),
    *rows(PACKAGES, Verdict.DECLINE, """não quero contratar nada|cancela tudo isso|cancela a contratação por favor|quero cancelar essa contratação|pode cancelar isso|desisti de contratar|não quero mais contratar|
        melhor cancelar|prefiro cancelar|cancelar, obrigado|cancelaaa|cancele""", ()),
    *rows(PACKAGES, Verdict.UNCLEAR, """não cancela|quanto fica os dois?|é por mês?|qual o preço?|tem desconto?|sim, se parcelar|depende do preço|me explica o pacote|o que vem no pacote?|vale a pena?|
        5GB é muito?""", ()),
    *rows(NAMES_WITH_JOINTS, Verdict.AMEND, """tira o Mais Você|menos o Mais Você|o mais você não|só Casa e Vídeo e Disney+ e Star+|casa e video e disney+ e star+|mantém o mais você|sem o Mais Você""", ("Casa e Vídeo", "Disney+ e Star+")),
    *rows(NAMES_WITH_JOINTS, Verdict.ACCEPT, """casa e vídeo, disney+ e star+ e mais você|os três""", ()),
    *rows(NAMES_WITH_NUMBERS, Verdict.AMEND, """tira o Canal 3|o canal 3 não|menos o Canal 3""", ("Canal 1", "Canal 2")),
    *rows(NAMES_WITH_NUMBERS, Verdict.AMEND, """tira o Canal 1|o canal 1 não""", ("Canal 3", "Canal 2")),
    *rows(NAMES_WITH_NUMBERS, Verdict.AMEND, """tira o segundo|o segundo não""", ("Canal 3", "Canal 2")),
    *rows(VISIT, Verdict.ACCEPT, """pode agendar|agenda sim|sim, pode marcar a visita|confirmo a visita|isso, agenda""", ()),
    *rows(VISIT, Verdict.DECLINE, """não quero agendar|cancela|cancela a visita|não precisa da visita|desmarca|não agenda não""", ()),
    *rows(BILLS, Verdict.ACCEPT, """pode pagar|paga as duas|sim, pode pagar as duas faturas|pagar|confirmo o pagamento|paga tudo""", ()),
    *rows(BILLS, Verdict.AMEND, """só a de 10/2025|paga só a primeira|a 11/2025 não|tira a segunda""", ("Fatura 10/2025",)),
    *rows(BILLS, Verdict.DECLINE, """não paga|cancela o pagamento|não quero pagar agora|cancela|não pague nada""", ()),
    *rows(TRANSFER, Verdict.ACCEPT, """sim|pode transferir|confirmo a transferência|transfere|pode mandar""", ()),
    *rows(TRANSFER, Verdict.DECLINE, """não transfere|cancela a transferência|cancela|não é pra transferir|para, não faz""", ()),
    *rows(TRANSFER, Verdict.UNCLEAR, """qual joão?|tem taxa?|pode ser amanhã?|o valor tá errado|não é 500, é 300|sim mas é 300""", ()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "context", "verdict", "items"), ROWS)
def test_reply_in_a_phrase_is_understood(
    text: str, context: dict[str, Any], verdict: Verdict, items: tuple[str, ...]
) -> None:
    reply = read_reply(text, **context)
    assert (reply.verdict, reply.items) == (verdict, items), reply
