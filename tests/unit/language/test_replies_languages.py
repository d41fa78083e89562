"""Replies in English, Spanish and mixed, row by row. Source: language.json REPLY-0 to REPLY-6."""

from typing import Any

import pytest

from pipeline.language.replies import Verdict, read_reply

ENGLISH: dict[str, Any] = {
    "items": ("TIM Fashion", "Aya Audiobooks", "Neymar Jr"),
    "operation": "cancellation",
    "question": "Do you confirm the cancellation of TIM Fashion, Aya Audiobooks and Neymar Jr?",
    "locale": "en",
}
SPANISH: dict[str, Any] = {
    "items": ("TIM Fashion", "Aya Audiobooks", "Neymar Jr"),
    "operation": "cancelación",
    "question": "¿Confirma la cancelación de TIM Fashion, Aya Audiobooks y Neymar Jr?",
    "locale": "es",
}
PURCHASE: dict[str, Any] = {
    "items": ("5GB pack", "Deezer"),
    "operation": "purchase",
    "question": "Do you confirm the purchase of 5GB pack and Deezer?",
    "locale": "en",
}
PORTUGUESE: dict[str, Any] = {
    "items": ("TIM Fashion", "Aya Audiobooks", "Neymar Jr"),
    "operation": "cancelamento",
    "question": "Você confirma o cancelamento de TIM Fashion, Aya Audiobooks e Neymar Jr?",
}


def rows(context: dict[str, Any], verdict: Verdict, texts: str, items: tuple[str, ...] = ()) -> list[Any]:
    return [
        pytest.param(text.strip(), context, verdict, items, id=f"{context['operation']} {verdict}: {text.strip()[:50]}")
        for text in texts.strip().split("|")
    ]


ROWS = [
    *rows(ENGLISH, Verdict.ACCEPT, """Yes please go ahead|Yes, cancel everything|Cancel everything|yes all of those|Yeah sure|yep do it|ok do it|okay, go ahead and cancel|please go ahead and cancel them|
        I confirm the cancellation|confirm all|That's fine, cancel them|sure, cancel all of them please|TIM Fashion, Aya Audiobooks and Neymar Jr|yes to all|yes to all three|
        perfect, thanks|yes thank you|go|alright, do it|I'd like to cancel them all|cancel the three of them""", ()),
    *rows(ENGLISH, Verdict.DECLINE, """No.|No thank you|nah|I'd rather keep them|I want to keep them|I want to keep all three|no, leave everything as is|please do not cancel|do not proceed|don't go ahead|
        cancel the cancellation|I've changed my mind|no, don't cancel anything|absolutely not|hell no|no, I don't want that|not interested|no, stop""", ()),
    *rows(ENGLISH, Verdict.AMEND, """Yes but not Neymar|cancel all except Neymar|cancel everything except the last|just the first two|only TIM Fashion and Aya|the first and the second|remove the third one|
        drop Neymar|leave out Neymar|I want to keep Neymar|keep the last one|not the last one|don't cancel the third|Neymar stays|yes, without Neymar|no, only TIM Fashion and Aya|
        TIM Fashion yes, Aya yes, Neymar no|number 3 no|all but number 3|skip Neymar""", ("TIM Fashion", "Aya Audiobooks")),
    *rows(ENGLISH, Verdict.AMEND, """add Deezer too|also cancel Deezer|yes and Deezer too|include Deezer as well|yes, plus Deezer|and Deezer as well""", ("TIM Fashion", "Aya Audiobooks", "Neymar Jr", "Deezer")),
    *rows(ENGLISH, Verdict.AMEND, """change Neymar to Deezer|Deezer instead of Neymar|swap Neymar with Deezer|replace the last one with Deezer|not Neymar, Deezer|instead of Neymar, Deezer""", ("TIM Fashion", "Aya Audiobooks", "Deezer")),
    *rows(ENGLISH, Verdict.UNCLEAR, """how much will I pay?|will I get a refund?|when does it take effect?|are you sure?|maybe later|let me check first|only if there's no penalty|yes, as long as it's free|
        I don't understand|what do you mean?|yes and no|could be|I'm not sure about Neymar|the fourth one|hmm|cancel?|could you cancel?|is it free?|as you wish|up to you|
        wait a sec|I'll think about it|what are those?|yes, once I get the refund|cancel tomorrow|next week|yes?|sorry, what?""", ()),
    *rows(ENGLISH, Verdict.NEW_INTENT, """I need to speak to someone|can I talk to a real person?|what's the balance on my account?|my internet is down|show me my invoice|I want to change my plan|track my order|
        where's my delivery?|reset my password""", ()),
    *rows(SPANISH, Verdict.ACCEPT, """Sí, adelante|sí, cancela todo|claro, cancele todos|por supuesto, adelante|ok, procede|sí a todo|de acuerdo, cancela|confirmo la cancelación|sí, los tres por favor|
        vale, cancélalos|exacto|correcto, procede|perfecto, gracias|está bien, cancela todo|listo, cancela todo""", ()),
    *rows(SPANISH, Verdict.DECLINE, """No, muchas gracias|no los canceles|no cancele nada|prefiero que no|déjalo como está|no quiero nada|cambié de idea|no, gracias, así está bien|quiero quedarme con todos""", ()),
    *rows(SPANISH, Verdict.AMEND, """sí, menos Neymar|todos excepto el último|solo los dos primeros|quita a Neymar|el tercero no|no canceles el último|cancela todo menos Neymar|deja Neymar|
        quiero conservar Neymar|sin Neymar|cancela solo TIM y Aya|los dos primeros sí, el último no""", ("TIM Fashion", "Aya Audiobooks")),
    *rows(SPANISH, Verdict.UNCLEAR, """¿cuánto me van a cobrar?|¿hay penalización?|no estoy seguro|a lo mejor|si no me cobran|espere un momento|más tarde|¿cómo?|no entiendo|¿cuándo?|el quinto|sí no|da igual""", ()),
    *rows(SPANISH, Verdict.NEW_INTENT, """quiero hablar con una persona|¿cuál es el saldo de mi cuenta?|envíame la factura|necesito cambiar mi dirección""", ()),
    *rows(PURCHASE, Verdict.DECLINE, """cancel|cancel it|cancel everything|never mind|no|I don't want to buy|too expensive, no""", ()),
    *rows(PURCHASE, Verdict.ACCEPT, """yes buy it|buy them|both please|I want both|go ahead""", ()),
    *rows(PORTUGUESE, Verdict.AMEND, """pode tirar só o Neymar da lista|eu quero cancelar só o TIM e o Aya, o Neymar não|na real o Neymar eu quero manter|sim mas sem o último|beleza mas o neymar fica|
        ok menos neymar|isso menos o Neymar|manda bala menos no Neymar|pode cancelar, só deixa o Neymar|pode cancelar TIM Fashion e Aya Audiobooks, mantém Neymar Jr""", ("TIM Fashion", "Aya Audiobooks")),
    *rows(PORTUGUESE, Verdict.UNCLEAR, """sim, caso contrário não|pode, contanto que seja hoje|sim, qualquer coisa eu ligo|sim, mas me avisa antes|pode, só confirma o valor|só confirma pra mim antes|confirma pra mim|
        me confirma os produtos|qual era mesmo?|sim, ou melhor, não|tá, deixa eu ver|ok vou ver|pode esperar?|posso responder depois?|to sem tempo agora|isso aí?|é isso?|
        seria isso?|tá certo isso?|confirmo?|quer que eu confirme?""", ()),
    *rows(PORTUGUESE, Verdict.ACCEPT, """sim sim, pode|é sim, pode cancelar|uhum, cancela|aham pode sim|pode sim, todos os três|cancela todos eles por favor|sim, cancela todos, obrigado|quero sim, os três|
        isso, os três mesmo|sim pode cancelar o TIM Fashion, o Aya Audiobooks e o Neymar Jr|pode cancelar todos esses produtos|confirmo o cancelamento dos três produtos|
        sim, confirmo o cancelamento dos produtos""", ()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "context", "verdict", "items"), ROWS)
def test_reply_in_any_language_is_understood(
    text: str, context: dict[str, Any], verdict: Verdict, items: tuple[str, ...]
) -> None:
    reply = read_reply(text, **context)
    assert (reply.verdict, reply.items) == (verdict, items), reply
