"""What a customer says instead of an answer while a value is asked for: data only.

Owns: giving up, doubt, delay, greeting, farewell, plain yes and no, hedges of form in front of a name or code.
Never: a value. Source: rules ABANDON-2 to ABANDON-5.
"""

from typing import Final

from pipeline.language.lexemes import Phrases, word_set
from pipeline.language.request_words import REMOVED
from pipeline.language.senses import Sense
from pipeline.language.vocabulary_frames import FRAMES
from pipeline.language.vocabulary_requests import REQUESTS
from pipeline.language.vocabulary_verdicts import VERDICTS

GIVING_UP: Final = Phrases(
    {
        "wholly": (
            "esquece|esqueça|esquece isso|esqueça isso|esquece tudo|pode esquecer|pode esquecer isso|esquece esse assunto|esquece aí|"
            "deixa pra lá|deixa para lá|deixa isso pra lá|deixa isso|deixa quieto|deixa queto|deixa assim|deixa como está|deixa como tá|"
            "deixa tudo como está|deixa disso|deixe pra lá|deixe para lá|deixa estar|larga mão|larga disso|deixa baixo|deixa|"
            "desisto|desisto disso|vou desistir|quero desistir|pode parar|para tudo|pare tudo|para com isso|"
            "não quero mais nada|não quero nada|não quero fazer mais nada|não vou querer|não vou mais querer|não vou querer mais|não quero continuar|"
            "não quero mais continuar|não quero mais isso|não quero isso|não precisa mais|não precisa|não precisa não|não preciso mais|melhor não|"
            "melhor deixar|acho melhor não|deixa pra próxima|fica pra próxima|fica para a próxima|deixa pra outra hora|fica pra outra hora|"
            "não vai rolar|não tenho mais interesse|não tenho interesse|perdi o interesse|aborta|abortar|encerra|pode encerrar|nada não|não é nada|nenhum deles|"
            "não obrigado|não obrigada|não valeu|não, obrigado|não, obrigada|não, valeu|não, deixa|no, thanks|no, thank you|no, gracias|no, forget it|nem precisa|quero sair|sair|tô fora|estou fora|"
            "forget it|forget about it|forget that|never mind|nevermind|nvm|leave it|let it go|drop it|i give up|stop it|"
            "no thanks|no thank you|not interested|i don't want it anymore|i don't want to anymore|i don't want anything|don't bother|"
            "olvídalo|olvídelo|olvida eso|olvida|déjalo|déjelo|déjalo así|deja eso|ya no quiero|ya no|no gracias|desisto|no quiero nada|mejor no|da igual déjalo"
        ),
        "none": (
            "nenhum|nenhuma|nenhum deles|nenhuma delas|nenhum desses|nenhuma dessas|nenhum dos dois|none|none of them|none of these|neither|ninguno|ninguna|ninguno de ellos"
        ),
        "reasonlike": (
            "desisti|desistimos|desisti disso|mudei de ideia|mudei de idéia|mudei de opinião|me arrependi|voltei atrás|pensei melhor|não quero mais|não quero mais não|não quero|não queremos mais|"
            "i changed my mind|changed my mind|i've changed my mind|i don't want|cambié de opinión|cambié de idea|me arrepentí|ya no lo quiero|no quiero|desistí"
        ),
    }
)
"""Words by which the whole thing is given up; "reasonlike" ones are also reasons for a cancellation or a return."""

NO_ANSWER: Final = Phrases(
    {
        "doubt": (
            VERDICTS[Sense.PUZZLED]
            + "|não sei|sei lá|não sei não|não sei dizer|não sei ao certo|não lembro|não me lembro|não faço ideia|não tenho ideia|não tenho certeza|"
            "sei não|nem sei|não sei qual|não sei quais|esqueci|esqueci qual|tanto faz|qualquer um|qualquer uma|qualquer|você decide|"
            "você que sabe|depende|não decidi|ainda não decidi|não decidi ainda|ainda não sei|estou em dúvida|tô em dúvida|tenho dúvida|sem ideia|"
            "não tenho|não tenho o número|não tenho aqui|não achei|não encontrei|não consigo ver|não tô achando|não vi|"
            "prefiro não dizer|prefiro não informar|não quero dizer|não quero informar|não vou dizer|não posso dizer|"
            "i don't know|i dont know|don't know|no idea|not sure|i'm not sure|i don't remember|idk|dunno|any|whatever|whichever|any of them|"
            "no sé|no lo sé|no me acuerdo|no recuerdo|ni idea|no estoy seguro|cualquiera|no estoy segura"
        ),
        "wait": VERDICTS[Sense.WAIT]
        + "|vou ver|vou olhar|vou procurar|vou pegar|tô procurando|estou procurando|deixa eu pegar|deixa eu procurar|depois|depois eu vejo|mais tarde|outra hora|agora não|já te falo|let me check|let me see|one moment|hold on|wait|un momento|espera|déjame ver",
        "yes": VERDICTS[Sense.AFFIRM] + "|" + VERDICTS[Sense.CONSENT],
        "no": "não|n|nao|no|nope|nah|negativo|nunca|nem|nenhum|nenhuma|nada|none|ninguno|claro que não",
        "greeting": FRAMES[Sense.GREETING] + "|oi|olá|opa|e aí|hello|hi|hola",
        "farewell": (
            "tchau|tchauzinho|tchau tchau|até logo|até mais|até mais ver|até a próxima|até amanhã|até breve|"
            "bye|bye bye|goodbye|good bye|see you|see ya|see you later|adiós|chao|chau|hasta luego|hasta pronto|hasta mañana|nos vemos"
        ),
        "courtesy": FRAMES[Sense.COURTESY],
        "filler": FRAMES[Sense.FILLER],
        "laugh": "kk|kkk|kkkk|kkkkk|rs|rsrs|haha|hahaha|hehe|lol|jaja|jajaja|ah|eh|oh|ué|uai|oxe|hm|hmm|hum|humm",
    }
)
TOPICS: Final = Phrases({"topic": REQUESTS[Sense.TOPIC]})

HEDGES_OF_FORM: Final = Phrases(
    {
        "": (
            "deve ser|deve ser o|deve ser a|acho que é|acho que é o|acho que é a|acho que|acho que foi|acho que foi o|acho que era|creio que é|creio que|"
            "se não me engano é|se não me engano|salvo engano|parece que é|parece que|talvez|talvez seja|pode ser|penso que é|acredito que é|acredito que|"
            "é|eh|foi|era|seria|o número é|o numero é|o nome é|o código é|número|meu número é|anota aí|anota|olha|então|bom|ah|"
            "i think it's|i think it is|i think|it's|it is|it was|maybe|probably|should be|it should be|must be|"
            "creo que es|creo que|debe ser|es|tal vez|quizás|me parece que es"
        )
    }
)
"""Said in front of a name or code that is checked later: they do not make it less of an answer."""

NO_LONGER: Final = Phrases(
    {
        "": "não quero mais|não queremos mais|nem quero mais|no quiero más|i don't want|não uso mais|não preciso mais|não preciso mais de|não preciso mais do|não preciso mais da|ya no quiero|i no longer want"
    }
)
TROUBLES: Final = word_set(
    "sem funciona funcionando caiu parou sumiu travou quebrou bloqueada bloqueado suspensa cortaram lenta acabou works working stopped broken down blocked funciona"
)

POLITE: Final = REMOVED
CALLING_OFF_AROUND: Final = word_set(
    "isso isto tudo aqui ai ja o a esse essa este esta quero queria pode podem favor por pf pfv entao agora logo so please it this that all "
    "everything eso todo ya operacao processo pedido solicitacao atendimento request quiero para mim me you can i want to"
)
"""Words beside "cancela" that leave it bare."""
WHERE_FROM: Final = Phrases(
    {
        "": (
            "onde vejo|onde eu vejo|onde acho|onde eu acho|onde encontro|onde fica|onde tá|onde está|como sei|como eu sei|como vejo|como descubro|"
            "como assim|como é|pra que|para que|por que|porque precisa|precisa mesmo|é obrigatório|que tipo|qual deles|"
            "where do i find|where can i see|why do you need|dónde veo|para qué"
        )
    }
)
"""A question about the question itself."""
TEXT_LABELS: Final = word_set(
    "endereco nome email mensagem descricao observacao rua bairro cidade address name description message direccion nombre referencia comentario "
    "assunto complemento titulo"
)
"""Folded labels of values that are one text, commas and all."""
