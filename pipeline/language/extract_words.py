"""Words that tell which parameter a part of a message belongs to: data only.

Owns: the nouns of reasons, of money, of what owns a name ("cobrança do X"), and words that name nothing.
Never: a value.
"""

from typing import Final

from pipeline.language.lexemes import Phrases, word_set

REASON_LABELS: Final = word_set(
    "motivo motivos razao reason justificativa justification explicacao porque complaint reclamacao queja detalhes comentario comment"
)
MONEY_LABELS: Final = word_set(
    "valor valores amount price preco reais quantia total montante importe monto cobranca money value saldo limite"
)
OWNERS: Final = word_set(
    "cobranca cobrancas valor valores compra compras assinatura assinaturas lancamento lancamentos debito charge charges purchase cargo "
    "cobro compra valor mensalidade pagamento taxa fee payment"
)
"""Nouns in front of the name they belong to: "a cobrança do Cinema pack"."""
UNNAMED: Final = word_set(
    "um uma uns umas alguns algumas algum alguma o a os as meu minha meus minhas todos todas tudo isso isto esse essa esses essas este esta ele ela "
    "eles elas coisa coisas produto produtos servico servicos item itens pedido pedidos plano planos assinatura assinaturas one ones it them that this "
    "those these all some any thing things service services product products item items order orders my the me eu voce outro outra outros outras mais "
    "adicional adicionais varios varias unos unas algo cosa cosas producto productos servicio servicios todo todos mi mis conta account coisinha "
    "subscription subscriptions suscripcion suscripciones plan plans planes negocio negocios duas dois tres two three several add ons addon addons sorry desculpa desculpe"
)
"""Folded words that name no item by themselves."""
DISOWNED: Final = Phrases(
    {
        "": (
            "i never bought|i never ordered|i never signed up for|i never subscribed to|i never asked for|i never requested|i never hired|i didn't buy|"
            "i did not buy|i didn't order|i didn't sign up for|i don't recognise|i don't recognize|i do not recognise|i do not recognize|never bought|didn't buy|"
            "nunca comprei|nunca contratei|nunca pedi|nunca assinei|nunca solicitei|nunca autorizei|não comprei|não contratei|não pedi|não assinei|não solicitei|"
            "não autorizei|não reconheço|não reconheço a cobrança|não reconheço a compra|desconheço|não é minha|não é meu|eu não fiz|não fiz|"
            "nunca compré|nunca contraté|nunca pedí|no compré|no contraté|no reconozco|no pedí|no lo pedí|no los pedí|no lo contraté|no autoricé"
        )
    }
)
"""What a dispute says of its items: they are what it is about."""
