"""Agents of several domains for the routing tables: what a team would write in routing.yaml."""

from pipeline.language.routing import RoutingTool


def tool(name: str, description: str, keywords: str, examples: str) -> RoutingTool:
    return RoutingTool(name, description, tuple(keywords.split("|")), tuple(examples.split("|")))


TELECOM = (
    tool(
        "cancelar_produtos",
        "Cancela produtos e serviços adicionais do cliente.",
        "cancelar|cancela|tirar|remover",
        "quero cancelar o Deezer|tira o TIM Fashion da minha conta",
    ),
    tool(
        "consultar_fatura",
        "Mostra valor, vencimento e itens da fatura.",
        "fatura|conta|vencimento",
        "qual o valor da minha fatura?|por que minha conta veio alta?",
    ),
    tool(
        "segunda_via_boleto",
        "Envia a segunda via do boleto.",
        "segunda via|boleto",
        "me manda a segunda via|preciso do boleto",
    ),
    tool(
        "contratar_pacote",
        "Contrata pacotes de internet ou roaming.",
        "contratar|pacote|roaming",
        "quero mais internet|contratar 10GB",
    ),
    tool(
        "desbloquear_linha", "Desbloqueia linha suspensa.", "desbloquear|linha bloqueada", "minha linha está bloqueada"
    ),
)
RETAIL = (
    tool(
        "rastrear_pedido",
        "Informa onde está o pedido e a previsão de entrega.",
        "rastrear|rastreio|entrega|pedido",
        "cadê meu pedido?|quando chega minha encomenda?",
    ),
    tool(
        "cancelar_pedido",
        "Cancela um ou mais pedidos ainda não enviados.",
        "cancelar|cancelamento|desistir da compra",
        "quero cancelar meu pedido|desisti da compra, pode cancelar",
    ),
    tool(
        "trocar_produto",
        "Abre a troca ou devolução de um produto recebido.",
        "trocar|troca|devolver|devolução",
        "o tênis veio apertado, quero trocar|quero devolver o vestido",
    ),
    tool(
        "alterar_endereco",
        "Altera o endereço de entrega de um pedido.",
        "endereço|mudar entrega",
        "quero mudar o endereço de entrega|me mudei, atualiza meu endereço",
    ),
    tool(
        "segunda_via_nota",
        "Envia a nota fiscal de uma compra.",
        "nota fiscal|nota|nf",
        "preciso da nota fiscal|me manda a nota da compra",
    ),
)
BANK = (
    tool(
        "consultar_saldo",
        "Mostra o saldo e o extrato da conta.",
        "saldo|extrato",
        "qual meu saldo?|quanto tenho na conta?",
    ),
    tool(
        "bloquear_cartao",
        "Bloqueia cartão perdido ou roubado.",
        "bloquear|bloqueio|perdi o cartão",
        "perdi meu cartão|roubaram minha carteira, bloqueia o cartão",
    ),
    tool(
        "contestar_compra",
        "Contesta uma compra não reconhecida.",
        "contestar|contestação|não reconheço",
        "não reconheço essa compra|tem uma compra que não fui eu",
    ),
    tool(
        "aumentar_limite",
        "Solicita aumento do limite do cartão.",
        "limite|aumentar limite",
        "quero mais limite|aumenta meu limite",
    ),
    tool(
        "fazer_pix",
        "Transfere dinheiro por Pix.",
        "pix|transferir|transferência",
        "quero fazer um pix|manda 50 reais pra Maria",
    ),
)
UTILITY = (
    tool(
        "informar_falta_energia",
        "Registra falta de energia no endereço.",
        "falta de luz|sem luz|apagão",
        "estou sem luz|faltou energia aqui em casa",
    ),
    tool(
        "religar_energia",
        "Solicita a religação após corte por débito.",
        "religar|religação|ligação nova",
        "cortaram minha luz, já paguei, quero religar",
    ),
    tool(
        "informar_leitura",
        "Recebe a leitura do medidor informada pelo cliente.",
        "leitura|medidor|relógio",
        "quero informar a leitura do relógio",
    ),
    tool(
        "segunda_via_conta",
        "Envia a segunda via da conta de luz.",
        "segunda via|conta de luz|boleto",
        "me manda a conta de luz|perdi a conta deste mês",
    ),
    tool(
        "mudar_vencimento",
        "Altera a data de vencimento da conta.",
        "vencimento|data de pagamento",
        "quero mudar o vencimento para o dia 10",
    ),
)
HEALTH = (
    tool(
        "agendar_consulta",
        "Marca uma consulta médica.",
        "agendar|marcar|consulta",
        "quero marcar um cardiologista|tem horário com dermatologista?",
    ),
    tool(
        "cancelar_consulta",
        "Cancela uma consulta marcada.",
        "cancelar|desmarcar",
        "preciso desmarcar a consulta de amanhã|não vou poder ir, cancela",
    ),
    tool(
        "resultado_exame",
        "Mostra o resultado de exames.",
        "resultado|exame|laudo",
        "saiu o resultado do meu exame?|quero ver meu laudo",
    ),
    tool(
        "autorizar_procedimento",
        "Consulta ou abre a autorização de um procedimento.",
        "autorização|guia|liberar",
        "minha guia foi liberada?|preciso de autorização para a cirurgia",
    ),
    tool(
        "carteirinha_digital",
        "Envia a carteirinha digital do plano.",
        "carteirinha|cartão do plano",
        "cadê minha carteirinha?|preciso da carteirinha",
    ),
)
CARE = (
    tool(
        "stop_service",
        "Stops one or more services of the customer.",
        "stop|cancel|remove",
        "stop my sports pack|I want to cancel the music pack",
    ),
    tool(
        "list_services",
        "Lists the services the customer has.",
        "services|list",
        "which services do I have?|what am I subscribed to?",
    ),
    tool(
        "dispute_charge",
        "Disputes a charge the customer does not recognise.",
        "dispute|charge|refund",
        "I never bought this|there is a charge that is not mine",
    ),
    tool(
        "invoice_help",
        "Explains the invoice and its due date.",
        "invoice|bill|due date",
        "why is my bill so high?|when is my bill due?",
    ),
    tool("return_order", "Returns an order.", "return|send back", "I want to return my order"),
)
STREAM = (
    tool(
        "mudar_plano",
        "Altera o plano de assinatura do cliente.",
        "mudar plano|upgrade|downgrade",
        "quero o plano família|mudar para o plano anual",
    ),
    tool(
        "resetar_senha",
        "Envia link para redefinir a senha.",
        "senha|login",
        "esqueci minha senha|não consigo entrar na conta",
    ),
    tool(
        "historico_pagamentos",
        "Mostra os pagamentos feitos.",
        "pagamentos|cobranças",
        "quando foi minha última cobrança?|quero ver meus pagamentos",
    ),
    tool(
        "cancelar_assinatura",
        "Cancela a assinatura.",
        "cancelar|cancelamento|encerrar",
        "quero cancelar minha assinatura",
    ),
    tool(
        "reportar_erro",
        "Registra um problema de reprodução.",
        "erro|travando|não abre",
        "o filme fica travando|o app não abre",
    ),
)
AIR = (
    tool(
        "remarcar_voo",
        "Remarca a data de um voo.",
        "remarcar|mudar voo",
        "quero mudar a data do meu voo|preciso remarcar",
    ),
    tool(
        "cancelar_reserva",
        "Cancela a reserva e pede reembolso.",
        "cancelar|reembolso",
        "quero cancelar a viagem|quero meu dinheiro de volta",
    ),
    tool(
        "fazer_checkin",
        "Faz o check-in e emite o cartão de embarque.",
        "check-in|checkin|cartão de embarque",
        "quero fazer check-in|cadê meu cartão de embarque?",
    ),
    tool(
        "status_voo",
        "Informa horário e portão do voo.",
        "status|horário|portão",
        "meu voo tá no horário?|qual o portão?",
    ),
    tool("comprar_bagagem", "Vende bagagem extra.", "bagagem|mala", "quero despachar mais uma mala|comprar bagagem"),
)
OFFICE = (
    tool(
        "agendar_atendimento",
        "Agenda atendimento presencial.",
        "agendar|atendimento|horário",
        "quero marcar atendimento|tem vaga amanhã?",
    ),
    tool(
        "consultar_processo",
        "Consulta o andamento de um processo.",
        "processo|protocolo|andamento",
        "como tá meu processo?|qual o andamento do protocolo?",
    ),
    tool(
        "emitir_certidao", "Emite certidão negativa.", "certidão|nada consta", "preciso da certidão|quero o nada consta"
    ),
    tool(
        "atualizar_cadastro",
        "Atualiza telefone e e-mail.",
        "cadastro|telefone|e-mail",
        "mudei de telefone|atualizar meu e-mail",
    ),
)
GYM = (
    tool(
        "congelar_matricula",
        "Congela a matrícula por um período.",
        "congelar|trancar",
        "quero trancar a academia|vou viajar, congela meu plano",
    ),
    tool(
        "cancelar_matricula",
        "Cancela a matrícula da academia.",
        "cancelar|rescindir",
        "quero sair da academia|cancela minha matrícula",
    ),
    tool(
        "agendar_aula",
        "Reserva vaga em aula coletiva.",
        "agendar|reservar|aula",
        "quero marcar aula de yoga|reserva spinning amanhã",
    ),
    tool(
        "consultar_mensalidade",
        "Mostra valor e situação das mensalidades.",
        "mensalidade|pagamento",
        "quanto tá a mensalidade?|tô devendo?",
    ),
    tool("avaliacao_fisica", "Marca avaliação física.", "avaliação", "quero fazer avaliação física"),
)
INS = (
    tool("abrir_sinistro", "Abre um sinistro do seguro.", "sinistro|batida", "bati o carro|roubaram meu carro"),
    tool(
        "consultar_apolice",
        "Mostra cobertura e vigência da apólice.",
        "apólice|cobertura|vigência",
        "meu seguro cobre vidro?|até quando vale o seguro?",
    ),
    tool(
        "acionar_guincho",
        "Aciona guincho e assistência 24h.",
        "guincho|reboque|assistência",
        "meu carro quebrou|preciso de um guincho",
    ),
    tool("cancelar_seguro", "Cancela o seguro.", "cancelar", "quero cancelar o seguro"),
    tool("segunda_via_boleto", "Envia boleto da parcela.", "boleto|parcela", "me manda o boleto da parcela"),
)
FOOD = (
    tool("cancelar_pedido", "Cancela um pedido em andamento.", "cancelar", "cancela meu pedido"),
    tool(
        "status_pedido",
        "Informa onde está o pedido.",
        "pedido|entregador|demora",
        "cadê meu lanche?|quanto tempo falta?",
    ),
    tool(
        "item_faltando",
        "Registra item errado ou faltando.",
        "faltou|errado|faltando",
        "faltou o refrigerante|veio errado",
    ),
    tool(
        "pedir_reembolso",
        "Abre pedido de reembolso.",
        "reembolso|estorno|dinheiro de volta",
        "quero meu dinheiro de volta",
    ),
    tool("cupom", "Mostra cupons disponíveis.", "cupom|desconto|promoção", "tem cupom?"),
)
EDU = (
    tool("emitir_historico", "Emite histórico escolar.", "histórico", "preciso do meu histórico"),
    tool("trancar_disciplina", "Tranca uma ou mais disciplinas.", "trancar|desistir", "quero trancar cálculo"),
    tool("rematricula", "Faz a rematrícula.", "rematrícula|matrícula", "quero me rematricular"),
    tool("boleto_mensalidade", "Envia o boleto da mensalidade.", "boleto|mensalidade", "manda o boleto"),
    tool("consultar_notas", "Mostra as notas.", "notas|nota|média", "quais minhas notas?|passei em física?"),
)
