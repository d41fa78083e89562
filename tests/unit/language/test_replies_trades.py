"""Replies to proposals of several trades, row by row. Source: language.json REPLY-0 to REPLY-6."""

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
LINES: dict[str, Any] = {
    "items": ("11 98888-7777", "11 97777-6666"),
    "operation": "bloqueio",
    "question": "Confirma o bloqueio das linhas 11 98888-7777 e 11 97777-6666?",
}
CHARGES: dict[str, Any] = {
    "items": ("R$ 71,99", "R$ 19,90", "R$ 5,00"),
    "operation": "contestação",
    "question": "Você confirma a contestação de R$ 71,99, R$ 19,90 e R$ 5,00?",
}
CLOTHES: dict[str, Any] = {
    "items": ("Tênis Runner", "Camiseta Polo", "Boné"),
    "operation": "troca",
    "question": "Você confirma a troca de Tênis Runner, Camiseta Polo e Boné?",
}
MAGAZINE: dict[str, Any] = {"items": ("Veja",), "operation": "renovação", "question": "Confirma a renovação de Veja?"}
COFFEE: dict[str, Any] = {
    "items": ("3 Corações", "Pilão 500", "Melitta"),
    "operation": "compra",
    "question": "Você confirma a compra de 3 Corações, Pilão 500 e Melitta?",
}


def rows(context: dict[str, Any], verdict: Verdict, texts: str, items: tuple[str, ...] = ()) -> list[Any]:
    return [
        pytest.param(text.strip(), context, verdict, items, id=f"{context['operation']} {verdict}: {text.strip()[:50]}")
        for text in texts.strip().split("|")
    ]


ROWS = [
    *rows(PRODUCTS, Verdict.ACCEPT, """Simm|S|sim!!!|Siiiim|pode pode|podi sim|pode siiim|pode cancela|pod cancelar|confirmadoo|Eu confirmo|sim eu quero|sim, é pra cancelar os três|
        Pode cancelar os 3, obrigada|sim, cancela os tres pfv|pode cancelar todos os três produtos|todos os três|sim, todos eles|isso, todos|isso mesmo, os três|é, pode|é sim|
        isso é|perfeito, confirmo|certo, confirmo|tudo certo|tudo ok|ta ok|ta bom pode|entendi, pode cancelar|ok, entendi, pode cancelar|ah ok, pode|ahh sim|opa, pode sim|
        opa, claro|show de bola, cancela|top, pode seguir|demoro|fmz|tá joia|joia|firmeza, manda ver|na moral, pode|vai firme|mete bronca|simbora|pode ir cancelando|pode ir|
        pode cancelar aí|cancela aí sim|quero que cancele|quero que cancele os três|gostaria de cancelar|gostaria sim|claro!!! 😄|❤️ sim|sim 🥰🥰|🆗|💯|
        Aya Audiobooks, Neymar Jr e TIM Fashion|neymar, aya e tim fashion, pode cancelar|com toda certeza do mundo|de fato, pode|afirmativo, prossiga|sem problemas|não tem problema|
        não me oponho|não tenho dúvida, pode cancelar|n tem problema, pode|nao me importo, pode cancelar""", ()),
    *rows(PRODUCTS, Verdict.DECLINE, """não né|nao, valeu|não, muito obrigado|Não cancela!|nãããão|nem|hoje não|de jeito maneira|nem sonhando|nem pensar nisso|tá louco|deus me livre|que isso, não|
        não, não faça isso|não faz isso por favor|cancelar não|não cancelar|não confirmar|não prosseguir|não prossiga|não continue|não, não quero cancelar|eu não quero|
        eu não quero cancelar nada|eu não pedi cancelamento|eu não pedi isso|não solicitei|não foi isso que eu pedi|quero ficar|vou ficar com eles|vou continuar com todos|
        continua tudo como está|deixa tudo|deixa todos|deixa os três|mantém os três|não mexe nos meus produtos|prefiro deixar como está|melhor não cancelar|
        acho melhor não cancelar|pensei bem e não quero|arrependi|me arrependi, não cancela|voltei atrás|nada|nenhuma|nenhum dos três|nem um nem outro|não a todos|não para todos|
        sem cancelamento|nao vou querer|não vou querer cancelar não|num quero|quero nao|precisa não|precisa nao, obrigada|👎🏾|🚫|⛔ não|❌ não""", ()),
    *rows(PRODUCTS, Verdict.AMEND, """sim, tira só o Neymar|tira só o Neymar|tira apenas o último|tira só o 3|exceto neymar|menos neymar, pfv|sim, com exceção do Neymar Jr|pode cancelar os dois primeiros|
        cancela o primeiro e o segundo|cancela o 1 e o 2|os dois primeiros|o primeiro e o segundo|primeiro e segundo|1º e 2º|1,2|1 e 2 apenas|só TIM e Aya|só o fashion e o aya|
        TIM Fashion e Aya|TIM e Aya|quero cancelar TIM e Aya|cancela tim fashion e aya audiobooks|todos, menos o terceiro|todos - menos o neymar|o neymar jr não cancela|
        neymar jr: não|o neymar nao, o resto sim|o resto pode, menos o neymar|cancela o resto, o neymar não|o último eu quero manter|o último deixa|o último fica|deixa o último|
        deixa o neymar quieto|deixa o Neymar em paz|não mexe no Neymar|não mexe com o Neymar|fica com o neymar|vou ficar com o Neymar|quero continuar com o Neymar|
        quero ficar só com o Neymar|o neymar eu ainda uso|o neymar eu uso|esse último não|o terceiro não precisa|não precisa ser o neymar|sim, mas o neymar fica|ok, só não o Neymar|
        ok mas sem o neymar|beleza, tira o neymar|isso, menos o neymar|perfeito, só o neymar que não|pode, mas deixa o neymar|confirmo o TIM e o Aya|confirmo só os dois primeiros|
        sim para TIM e Aya, não para Neymar|sim pro TIM e pro Aya, não pro Neymar""", ("TIM Fashion", "Aya Audiobooks")),
    *rows(PRODUCTS, Verdict.AMEND, """sim, e o Babbel|sim e Babbel também|sim, cancela o Babbel junto|aproveita e cancela o Babbel também|aproveita e inclui o Babbel|pode cancelar, e o Babbel também|
        cancela esses e o Babbel|esses e mais o Babbel|todos e mais o Babbel|todos, e também o Babbel|além desses, o Babbel|além desses, cancela o Babbel|acrescenta aí o Babbel|
        bota o Babbel também|soma o Babbel|faltou o Babbel|faltou incluir o Babbel|esqueci do Babbel|esqueceu de incluir o Babbel|ainda tem o Babbel|tem o Babbel também""", ("TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Babbel")),
    *rows(PRODUCTS, Verdict.AMEND, """Babbel em vez de Neymar|é o Babbel, não o Neymar|não é o Neymar, é o Babbel|era o Babbel, não o Neymar|ao invés de Neymar é Babbel|no lugar do Neymar, o Babbel|
        coloca o Babbel no lugar do Neymar|troca o terceiro pelo Babbel|troca Neymar por Babbel|trocar o neymar pelo Babbel|muda Neymar pra Babbel|altera o Neymar pro Babbel|
        substituir Neymar por Babbel|tira o Neymar e inclui o Babbel|tira o Neymar, põe o Babbel|sai o Neymar, entra o Babbel|sim, mas troca o Neymar pelo Babbel|
        não, troca o Neymar pelo Babbel""", ("TIM Fashion", "Aya Audiobooks", "Babbel")),
    *rows(PRODUCTS, Verdict.UNCLEAR, """sim, mas quando?|sim, com reembolso?|pode, e o reembolso?|se tiver reembolso sim|sim se me devolverem o dinheiro|sim contanto que não perca meus dados|sim, mas não agora|
        sim, mas depois|sim só que amanhã|pode mas só dia 10|quero pensar|vou pensar um pouco|preciso pensar melhor|deixa eu consultar minha esposa|espera aí que vou ver|
        pera q vou ver|um instante|só um instantinho|ja volto|agora estou dirigindo|não sei o que é isso|o que são esses produtos?|o que é TIM Fashion?|quanto custa cada um?|
        qual é o valor de cada um?|por que os três?|quem pediu isso?|quem é você?|isso é golpe?|é golpe?|é sério?|sério?|hein|ham|como?|o que?|qual?|quais?|quais são mesmo?|
        me lembra quais são|lê de novo|repete|não ouvi|fala de novo|posso cancelar depois?|dá pra reativar depois?|posso voltar atrás?|se eu cancelar perco o desconto?|
        tem fidelidade?|paga multa?|acho que pode|acho que é isso|deve ser|parece certo|pode ser, né|será que pode?|talvez o primeiro|acho que só o TIM|
        não tenho certeza do Neymar|não sei sobre o Neymar|o Neymar não sei|sim não sim|nem sei|hm|ué|oxe|eita|nossa|aff|ok?|blz?|certo?|né?|sim, né|tá, mas|sim, mas...|
        bom...|então...|é...|o 0|o quarto|o décimo|só o 5|tira os quatro|cancelamento?|cancelar?|cancelaaar|CANCELAR|cancela pfv|cancela aí|lorem ipsum|aaaaa|.|ok nao|
        tá não|nao ok|claro... que não sei|sim a tudo menos|só sim|😂|🙏|❤️|🤞|sim🤞?|obg|vlw|bom dia|oi tudo bem|TIM?|o Neymar?|só o Neymar?""", ()),
    *rows(PRODUCTS, Verdict.NEW_INTENT, """atendente por favor|quero atendente|falar com pessoa|quero um humano|tem humano aí?|me liga|pode me ligar?|quero cancelar minha linha|quero trocar de plano|
        quanto tenho de internet?|meu celular foi roubado|roubaram meu celular|tô sem internet|a internet tá péssima|quero portabilidade|qual meu número de protocolo?|
        e o meu boleto?|manda o boleto|manda a fatura|quero a fatura|quero minha fatura|cadê a fatura?|não recebi minha fatura|minha conta tá errada|
        recebi uma cobrança indevida na fatura|qual o telefone de vocês?|qual o site?|tem promoção?|quais promoções vocês têm?|previsão do tempo pra amanhã""", ()),
    *rows(PACKAGES, Verdict.ACCEPT, """sim, os dois|quero os dois sim|contrata tudo|quero tudo|pode incluir os dois|pode ativar|ativa os dois|quero contratar os dois|vou querer|vou querer os dois|fechado!|
        negócio fechado|tô dentro|assina|pacote 5gb e deezer, isso""", ()),
    *rows(PACKAGES, Verdict.DECLINE, """não contrate|não quero nada|deixa pra próxima|fica pra próxima|cancela esse pedido|cancela essa contratação|pode cancelar tudo|cancelar contratação|cancela, por favor|
        quero cancelar a contratação|não vou contratar|não tenho interesse|sem interesse|muito caro, não quero|não, achei caro|dispenso|passo""", ()),
    *rows(PACKAGES, Verdict.AMEND, """só o 5GB|apenas o pacote|quero só o pacote|o Deezer não quero|não quero Deezer|tira Deezer|cancela o deezer, o pacote quero|o pacote sim, o deezer não|sem deezer|
        fica só o pacote|deixa só o pacote|mantém só o pacote|só o primeiro|menos o segundo|só 5gb""", ("Pacote 5GB",)),
    *rows(LINES, Verdict.ACCEPT, """pode bloquear|bloqueia|bloqueia as duas|sim, bloqueia tudo|as duas linhas|bloqueia as duas linhas por favor|ambas""", ()),
    *rows(LINES, Verdict.AMEND, """só a 11 98888-7777|a segunda não|menos a 11 97777-6666|bloqueia só a primeira|tira a última""", ("11 98888-7777",)),
    *rows(LINES, Verdict.DECLINE, """não bloqueia|cancela o bloqueio|cancela|não precisa bloquear|deixa as linhas como estão|desiste|não quero bloquear nenhuma""", ()),
    *rows(CHARGES, Verdict.ACCEPT, """contesta tudo|as três|pode contestar as três|contestar|sim, todas|71,99, 19,90 e 5,00""", ()),
    *rows(CHARGES, Verdict.AMEND, """menos a de 5 reais|tira a de R$ 5,00|só as duas primeiras|a de 5,00 não|R$ 71,99 e R$ 19,90|só 71,99 e 19,90""", ("R$ 71,99", "R$ 19,90")),
    *rows(CLOTHES, Verdict.ACCEPT, """pode trocar|troca os três|sim, quero trocar|troca tudo|trocar""", ()),
    *rows(CLOTHES, Verdict.AMEND, """só o tênis e a camiseta|o boné não|tira o boné|menos o boné|troca só o tênis e a camiseta|não precisa trocar o boné""", ("Tênis Runner", "Camiseta Polo")),
    *rows(CLOTHES, Verdict.DECLINE, """não quero trocar|cancela a troca|não troca nada|vou ficar com eles|desisto da troca""", ()),
    *rows(MAGAZINE, Verdict.ACCEPT, """renova|pode renovar|quero renovar|sim renova a veja|renova a Veja|Veja""", ()),
    *rows(MAGAZINE, Verdict.DECLINE, """não renova|não quero renovar a Veja|cancela|não quero a Veja|cancela a Veja|tira a Veja|não renove""", ()),
    *rows(COFFEE, Verdict.AMEND, """menos a melitta|só o 3 corações e o pilão|sem melitta|o melitta não|3 corações e pilão""", ("3 Corações", "Pilão 500")),
    *rows(COFFEE, Verdict.AMEND, """tira o 3|tira o 3 corações|o 3 corações não|menos o 3 corações""", ("Pilão 500", "Melitta")),
    *rows(COFFEE, Verdict.ACCEPT, """compra|pode comprar|compra os três|compra tudo|fechar compra|confirmo a compra|quero comprar""", ()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "context", "verdict", "items"), ROWS)
def test_reply_of_a_trade_is_understood(
    text: str, context: dict[str, Any], verdict: Verdict, items: tuple[str, ...]
) -> None:
    reply = read_reply(text, **context)
    assert (reply.verdict, reply.items) == (verdict, items), reply
