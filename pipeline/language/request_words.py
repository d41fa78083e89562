"""What frames, denies or explains a request, in Portuguese, English and Spanish: data only.

Owns: request frames, negation, hypothesis, reasons, complaints, politeness, idioms in which a keyword has another sense,
and everyday verbs by what they ask for.
Never: names a tool.
"""

from typing import Final

from pipeline.language.lexemes import Phrases, word_set

REMOVED: Final = Phrases(
    {
        "polite": (
            "se puder|se você puder|se vc puder|se possível|se for possível|se der|se não for incômodo|se não for pedir muito|"
            "quando puder|por favor|por gentileza|pra mim|para mim|pra gente|faz favor|fazendo favor|if you can|if you could|"
            "if possible|please|por favor|si puedes|si es posible|para mí|for me|"
            "bom dia|boa tarde|boa noite|tudo bem|tudo bom|oi|olá|ola|opa|e aí|hello|hi|hey|good morning|hola|buenos días|"
            "buenas tardes|obrigado|obrigada|valeu|brigado|thanks|thank you|gracias|muito obrigado|muito obrigada|"
            "eu já paguei por isso|o mais rápido possível|urgente|com urgência|agora|hoje|aí|ai|né"
        ),
        "idiom": (
            "por conta de|por conta do|por conta da|por conta disso|por conta própria|em conta|faz de conta|tomar conta|toma conta|"
            "não dá conta|dar conta|dei conta|dou conta|afinal de contas|no fim das contas|conta uma|conta um|me conta|conta pra mim|conta para mim|"
            "conta comigo|conto com|conta outra|conta mais|no limite da minha paciência|limite da paciência|"
            "passou do limite|passaram do limite|tudo tem limite|sem limite|sem limites|linha de raciocínio|linha de crédito|fim da linha|perdi a linha|"
            "pacote de bolacha|o pacote do correio|jogar a toalha|cartão amarelo|cartão vermelho|cartão de visita|cartão de natal|"
            "nota dez|nota 10|nota zero|nota mil|tomar nota|nota musical|boa nota|a nota do atendimento|dou nota|tirar dúvida|"
            "tirar uma dúvida|tirar dúvidas|tirar férias|tirar foto|tirar satisfação|tirar sarro|tirar o chapéu|tirar vantagem|"
            "tira uma dúvida|me tira uma dúvida|remover dúvida|troca de ideias|trocar ideia|trocar uma ideia|dar um tempo|"
            "leitura labial|boa leitura|gosto de leitura|saldo positivo|saldo negativo da conversa|pedido de desculpas|"
            "pedido de casamento|consulta jurídica|marcar presença|marcar época|guia turístico|guia de viagem|exame de consciência|"
            "exame de direção|resultado do jogo|resultado da loteria|resultado da eleição|a luz do dia|luz no fim do túnel|"
            "dar à luz|deu à luz|tell me a joke|bill gates|in charge|free of charge|list of complaints|on the line|"
            "tomara que|de conta|fora de série|entrega de prêmio"
        ),
    }
)
"""Phrases taken out before the clauses are read: they neither ask nor tell."""

WANTS: Final = word_set(
    "quero queria quer queremos queríamos gostaria desejo preciso precisava precisamos necessito pretendo quiero "
    "quisiera necesito want need wanna i'd"
)
GIVES: Final = word_set(
    "manda mande mandar envia envie enviar mostra mostre mostrar passa passe fala fale diz diga dizer informa "
    "informe ver ve veja saber consultar consulta ajuda resolve libera libere liberar faz faca faça gera gere emite "
    "emita abre abra send show give tell check get muestra envia dame dime poe ponha bota bote coloca coloque traz traga arruma arrume arranja bring put deliver drop take get trae traeme pon ponme mandame enviame muestrame digame deme pasame pode podem poderia consegue "
    "conseguem consigo posso can could would"
)
ASKS: Final = word_set(
    "quanto quanta quantos quantas qual quais quando onde aonde como quem cade porque pq what which when where "
    "how why who is are do does cual cuales cuanto cuando donde"
)
NEGATIONS: Final = word_set(
    "nao n naum nem nunca jamais not no don't isn't wasn't haven't hasn't aren't can't dont doesn't never didn't won't tampoco ni"
)
NEGATED_BY_NO: Final = word_set(
    "quiero quieres quiere queremos me se lo la los las le te nos puedo puede pude tengo tiene tenemos es era fue fueron hay hubo necesito esta estoy "
    "estan estaba voy va vamos vino llego llega llegaron recibi reconozco reconoces hice hago funciona funcionan carga abre perdi quisiera se sabia "
    "gracias creo entiendo deseo debo debe cobren cancelen cancele canceles i it more longer need thanks thank one way it's that the this my not problem worries wait"
)
"""What follows "no" where it denies, in Spanish and English; before other words it is Portuguese: "no cartão"."""
PORTUGUESE: Final = word_set(
    "o os um uma do da dos das na nas em com para meu minha meus minhas nao eu voce ele ela isso esse essa que e por ao pelo pela poe dar deu foi ja"
)
OTHER_TONGUES: Final = word_set(
    "el los las un una mi mis al del quiero es en con y lo ya por que necesito the i my a an is are it to of was have please your you in on for"
)
WISHES: Final = word_set(
    "quero queria preciso precisa precisava vou desejo pretendo gostaria necessito quer want need wanna quiero "
    "necesito going do gonna would"
)
QUITS: Final = frozenset(["mais", "anymore", "longer", "mas"])
"""With a refused wish for a thing: "não quero mais o Babbel" asks to end it."""
QUIT_VERBS: Final = word_set(
    "receber pagar usar ter assinar continuar ficar ser renovar pay have receive use tener pagar recibir"
)
CONTINUATIONS: Final = word_set("eu nao n nem i yo no tambem ja ya so eu que voce we nos a gente don't")

OPENERS: Final = Phrases(
    {
        "and": "e|and|y|e também|e tb|também|tambem|além de|além disso|also|plus|depois|em seguida|then|e depois|e ainda|além do|além da|além disso|bem como|junto com|aproveita e|aproveitando",
        "but": "mas|porém|só que|entretanto|contudo|but|pero|e sim|sino|however|mas sim|e não|and not|só|somente|apenas|just|only|solo|solamente",
        "reason": (
            "porque|pq|pois|já que|ja que|por causa|por causa de|por causa do|por causa da|visto que|uma vez que|é que|eh que|"
            "because|since|due to|as i|porque|ya que|pues|devido|motivo|em razão|por conta que|tendo em vista|afinal"
        ),
        "aside": (
            "antes de|antes do|antes da|depois de|depois do|depois da|em vez de|em vez do|em vez da|ao invés de|ao invés do|ao invés da|em lugar de|em lugar do|em lugar da|sem querer|"
            "sem precisar|before|after|instead of|rather than|without|antes de que|en vez de|sin|longe de mim|fora|sem"
        ),
        "if": "se|caso|if|si|quando eu|e se|what if|y si|supondo|imagina se|vai que|when i",
        "maybe": (
            "ia cancelar|disse que|falou que|falaram que|disseram que|prometeu|prometeram|pensando em|pensei em|penso em|pensava em|pensar em|talvez|quem sabe|acho que vou|thinking about|thinking of|"
            "maybe|perhaps|might|pensando|quizás|tal vez|um dia|considerando|cogitando|ainda não decidi|não decidi|"
            "na dúvida se|em dúvida se|estou em dúvida|to em dúvida|quiser|quisesse|fosse|algum dia"
        ),
        "relative": "que tá|que ta|que está|que esta|que não|que nao|que eu|que veio|que vem|que aparece|que tem|que foi|que comprei|que i|that i|which i|that is|que era|que chegou|que o|que a|que os|que as|que meu|que minha|que ele|que ela|que vocês|que vcs|que eu",
        "or": "ou|or|o sea",
    }
)
PURPOSE: Final = frozenset({"para", "pra", "p", "pro"})

COMPLAINTS: Final = word_set(
    "amo ama amam curto curti curtimos gostei adorei amei odiei parabens lindo linda excelente maravilhoso loved love awesome "
    "caro cara caros caras caríssima carissima absurdo absurda pessimo pessima pessimos pessimas horrivel "
    "horriveis lixo roubo ladrao ladroes vergonha vergonhoso ruim ruins demora demorado demorada demorou ridiculo "
    "ridicula palhacada palhaco baixo baixa feio fraca fraco alto alta altissima terrible awful expensive "
    "horrible worst bad sucks scam slow lentidao pessimamente decepcionado decepcionada insatisfeito insatisfeita "
    "chateado chateada cansado cansada odeio detesto raiva caos descaso desrespeito horrible pesimo caro terrible "
    "hate"
)
PERSON: Final = Phrases(
    {
        "": (
            "me transfere|me transfira|pra alguém|para alguém|pra um humano|para um humano|pra uma pessoa|para uma pessoa|falar com uma pessoa|falar com alguém|falar com alguem|falar com um humano|falar com humano|falar com atendente|falar com um atendente|"
            "falar com uma atendente|falar com o gerente|falar com a gerente|falar com gerente|falar com o supervisor|falar com supervisor|"
            "atendente|atendimento humano|pessoa de verdade|ser humano|um humano|humano|alguém de verdade|ouvidoria|supervisor|"
            "talk to a human|talk to someone|talk to a person|speak to someone|speak to a person|speak with someone|human|real person|"
            "representative|hablar con una persona|hablar con alguien|un agente|un humano|falar com gente|operador"
        )
    }
)

_ACTS: Final = {
    "end": (
        "cancelar cancela tirar tira tire tirem remover remove remova retirar retira excluir exclui exclua encerrar encerra encerre desativar desativa "
        "desative desassinar parar interromper desinstalar deletar apagar stop cancel remove unsubscribe end quitar cancelar eliminar elimina "
        "baja borrar borra borrame borralo suspender desistir desisto desisti finalizar desmarcar desmarca desligar corta cortar scrap ditch dispensar livrar anular rescindir"
    ),
    "see": (
        "consultar consulta ver veja mostrar mostra mostre saber informa informar exibir visualizar conferir olhar quanto cuanto cual cuales qual quais quando lista listar "
        "list lists show explain explains see check what which when muestra explicar explica verificar acompanhar"
    ),
    "get": (
        "mandar manda mande enviar envia envie emitir emite gerar gera imprimir baixar copia reenviar reenvia send copy "
        "resend email"
    ),
    "buy": (
        "contratar contrata comprar assinar assina adquirir adicionar adiciona colocar coloca botar aumentar aumenta hire buy add "
        "subscribe contratar agregar incluir vender vende poe ponha bota traz traga"
    ),
    "pause": "pausar congelar trancar pausa congela tranca pause freeze",
    "extend": "renovar prorrogar estender esticar renovacao extend renew",
    "free": "desbloquear desbloqueia liberar libera libere reativar reativa religar religa restabelecer ligar unblock unlock reactivate desbloqueie",
    "block": "bloquear bloqueia travar trava block freeze perdi roubaram roubado roubada furtaram furtado clonaram clonado lost stolen",
    "book": "agendar agenda marcar marca reservar reserva inscrever inscreve matricular book schedule enroll vaga horario encaixe appointment",
    "dispute": "contestar contesta dispute disputes refund chargeback reconheco reconhece indevida indevido recognise recognize nunca never fraude golpe estranha",
    "return": "trocar troca devolver devolve devolução devolucao reembolso return returns defeito apertado grande pequeno errado rasgado quebrado serviu devolver",
    "track": "rastrear rastreia rastreio cade onde chegou chega chegar entrega track where encomenda prazo",
    "change": (
        "alterar altera mudar muda atualizar atualiza trocar corrigir change update mudei mudou modificar antecipar adiar remarcar reagendar transferir adiantar postergar "
        "diminuir reduzir rebaixar migrar switch move modificar reprogramar"
    ),
    "transfer": "transferir transfere pix enviar mandar transfer",
    "report": "informar registrar reportar avisar falta faltou acabou caiu report forgot forgotten esqueceram sumiu",
    "split": "parcelar parcela parcelamento dividir divide fracionar negociar installments",
    "raise": "aumentar aumenta aumento subir elevar raise increase ampliar",
}
_CONCEPTS: Final = (
    (
        "medico doutor consulta dermatologista ortopedista cardiologista pediatra ginecologista oftalmologista dentista neurologista clinico "
        "psicologo nutricionista psiquiatra urologista doctor dermatologist dentist"
    ),
    "dinheiro reais grana money dinero plata",
    "internet wifi gigas giga gb mega megas rede",
    "carro moto veiculo automovel caminhao car vehicle onix gol hb20",
    "item items bebida bebidas refrigerante suco drink drinks soda fries sobremesa molho sauce",
    "pedido order food comida lanche pizza burger hamburguer meal refeicao",
    "aula turma aulas yoga zumba pilates spinning crossfit boxe natacao class",
    "apolice seguro policy insurance",
    "cobertura protecao coverage",
    "corrida ride viagem taxi trip cab",
    "endereco rua avenida address street avenue road",
    "linha chip telefone",
    "batida bateram bateu colisao crash",
    "problema defeito goteira vazamento quebrado",
    "ingresso entrada ticket tickets",
    "voo passagem flight",
    "bill invoice receipt",
    "quarto suite room",
    "remedio medicamento medicine",
    "aluguel locacao rent",
)
CONCEPTS: Final[dict[str, tuple[str, ...]]] = {}
for _words in _CONCEPTS:
    for _word in _words.split():
        CONCEPTS[_word] = CONCEPTS.get(_word, ()) + tuple(mate for mate in _words.split() if mate != _word)
"""Words of one thing, to try in the place of one that no tool of the agent knows."""

GENERIC_VERBS: Final = word_set(
    "saber ver consultar falar fazer pedir solicitar ter receber mandar enviar usar poder conseguir resolver mostrar dar ser estar ir "
    "haver por querer ajudar informar dizer passar olhar verificar pegar obter gostar fica tirar conversar fechar lugar celular"
)
"""Infinitives that fit any tool."""

_NO_ORDERS: Final = frozenset({"para", "baixa", "baixe", "liga", "ligue", "copia"})
"""Forms of the verbs above that mean other things as well."""


def _forms(verb: str) -> tuple[str, ...]:
    """A verb and its imperatives: marcar, marca, marque, marquem."""
    if verb in GENERIC_VERBS or len(verb) < 6 or not verb.endswith(("ar", "er", "ir")):
        return (verb,)
    root = verb[:-2]
    if verb.endswith("ar"):
        soft = root[:-1] + {"c": "qu", "g": "gu"}.get(root[-1], root[-1])
        forms = [root + "a", soft + "e", soft + "em"]
    else:
        forms = [root + "e", root + "a"]
    return (verb, *(form for form in forms if form not in _NO_ORDERS))


ACT_OF: Final[dict[str, frozenset[str]]] = {}
for _act, _words in _ACTS.items():
    for _word in (form for word in _words.split() for form in _forms(word)):
        ACT_OF[_word] = ACT_OF.get(_word, frozenset()) | {_act}

SAME: Final[dict[str, str]] = {
    # English and Spanish words for what Portuguese tools are about, and everyday pairs
    "line": "linha", "blocked": "bloqueada", "suspended": "suspensa", "order": "pedido", "bill": "fatura", "invoice": "fatura",
    "card": "cartao", "address": "endereco", "refund": "reembolso", "exchange": "trocar", "appointment": "consulta", "plan": "plano",
    "delivery": "entrega", "receipt": "nota", "limit": "limite", "balance": "saldo", "statement": "extrato", "unblock": "desbloquear",
    "cancel": "cancelar", "remove": "remover", "track": "rastrear", "copy": "via", "power": "energia", "electricity": "energia",
    "meter": "medidor", "exam": "exame", "result": "resultado", "results": "resultado", "password": "senha", "block": "bloquear",
    "book": "agendar", "schedule": "agendar", "transfer": "transferir", "return": "devolver", "factura": "fatura", "tarjeta": "cartao",
    "direccion": "endereco", "cita": "consulta", "linea": "linha", "bloqueada": "bloqueada", "recibo": "boleto", "contrasena": "senha",
    "entregas": "entrega", "energia": "luz", "luz": "energia", "forca": "energia", "compra": "pedido", "encomenda": "pedido",
    "mercadoria": "pedido", "pacote": "pedido", "conta": "fatura", "fatura": "conta", "codigo": "boleto", "barras": "boleto",
    "doutor": "medico", "medico": "consulta", "data": "vencimento", "internet": "pacote", "dados": "internet", "giga": "internet",
    "gigas": "internet", "pix": "transferencia", "where": "onde", "invoices": "fatura", "charge": "cobranca", "purchase": "compra",
}  # fmt: skip
"""A word to try in the place of one that no tool of the agent knows."""

EMPTY_WORDS: Final = word_set(
    "manda mande mandar envie enviar mostrar mostre passa passe fala fale diz diga send show give tell get eh "
    "o a os as um uma uns umas de do da dos das em no na nos nas e ou que com sem por para pra pro ao aos me meu "
    "minha meus minhas seu sua eu voce voces vc vcs ele ela isso isto esse essa este esta aquele aqui la ai ja so "
    "mais muito muita bem mal ta esta estou to ter tem tenho quero queria preciso gostaria pode posso vou foi era "
    "ser ficar fica favor mim gente nao sim nem quando qual quanto como onde se ate the an of to in on my your i "
    "you it is are do does am and or for with have has want need would like can could please this that me el los "
    "las un una unos mi su yo es y con al del lo le les se por quiero necesito dia bom boa oi ola cliente "
    "clientes tudo nada algo coisa produto produtos mostra envia informa data meus ver saber de dar vez fazer faz "
    "one more customer tambem"
)
"""Words that say nothing about which tool is meant."""
