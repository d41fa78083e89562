"""Words that frame a sentence without being its matter: greetings, courtesy, articles, joints, reasons; data only.

Owns: the lists. Phrases are separated by ` | `, written with their accents, compared without; the longest one wins.
Source: language.json ITEMS-1, ITEMS-3, REPLY-1.
"""

from collections.abc import Mapping

from pipeline.language.senses import Sense

__all__ = ["FRAMES"]

FRAMES: Mapping[Sense, str] = {
    Sense.GREETING: """
        oi | oie | oii | oiê | opa | olá | ola | alô | e aí | eae | eai | fala aí | fala | salve | bom dia | boa tarde | boa noite | bom diaa | bons dias | boas | tudo bem com você | tudo bem com vocês | como vai | como você está | como vão
        | oi tudo bem | olá tudo bem | oi tudo bom | opa tudo bem | bom dia tudo bem | boa tarde tudo bem | boa noite tudo bem | oi boa tarde | oi bom dia | oi boa noite | tudo bom | tudo bem por aí | prezados | prezado | prezada | caros | senhores | pessoal | gente | galera
        | hi | hello | hey | hi there | hello there | good morning | good afternoon | good evening | dear team
        | hola | buenas | buenos días | buenas tardes | buenas noches | buen día | qué tal
        """,
    Sense.COURTESY: """
        por favor | por gentileza | por obséquio | faz favor | faça o favor | se faz favor | fazendo favor | favor | obrigado | obrigada | muito obrigado | muito obrigada | brigado | obrigado desde já | obrigada desde já | desde já obrigado | desde já obrigada | desde já agradeço | agradeço | agradecido | agradecida | agradeço desde já | grato | grata | fico no aguardo | no aguardo | aguardo retorno | aguardo | valeu | valeu demais | valeu mesmo | falou | tmj | abraço | abraços | beijo | beijos | até mais | até logo | tchau | desculpa | desculpe | desculpa aí | desculpa o incômodo | desculpe o incômodo | com licença | perdoe | deus abençoe | deus te abençoe | bom trabalho | ótimo dia | tenha um bom dia | um bom dia | bom fim de semana | obrigado pela ajuda | obrigada pela ajuda | obrigado pela atenção | obrigada pela atenção | pela atenção | pela ajuda | muito gentil | gentileza | de nada | de coração | conto com vocês | gratidão
        | por mim já agradeço | se puder fazer esse favor | se puder me ajudar | se puderem me ajudar | se possível por favor
        | please | thanks | thank you | thank you so much | thank you very much | thanks a lot | many thanks | much appreciated | cheers | kindly | appreciate it | sorry | excuse me | thanks in advance | have a nice day | bye | regards | best regards
        | gracias | muchas gracias | mil gracias | te agradezco | le agradezco | se agradece | se lo agradezco | saludos | disculpa | disculpe | gracias por todo | muy amable | gracias de antemano | por favorcito
        """,
    Sense.FILLER: """
        ainda | etc | e tal | e tals | aí | ai | aqui | então | né | viu | tá | ué | pois | pois então | bem | bom | ora | olha | olhe | veja | escuta | veja bem | tipo | tipo assim | sabe | mano | cara | moço | moça | amigo | amiga | querido | querida | amor | bem querido | minha querida | meu querido | meu amigo | meu caro | senhor | senhora | senhores | doutor | parceiro | meu parceiro | meu bem | minha linda | flor | meu anjo | pô | véi | tchê | bah | sô | chefe | patrão | campeão | fera | jovem | brother | bro | mestre | parça | parça | mesmo | mesma | já | logo | logo logo | direto | rapidinho | rápido | urgente | com urgência | o mais rápido possível | o quanto antes | quanto antes | assim que possível | muito | demais | sempre | afinal | enfim | de novo | novamente | outra vez | mais uma vez | de uma vez | de vez | de uma vez por todas | só isso | só isso mesmo | é só isso | era só isso | apenas isso | somente isso | e pronto | e ponto | e ponto final | ponto final | pronto | isto | aqui comigo | comigo | para mim | pra mim | pra mim aí | pra gente | para nós | pra nós | para a gente | haha | hahaha | kkk | kk | kkkk | rs | rsrs | hehe | rsrsrs | lol | ha | entendi | ah entendi | entendido | saquei | i see | got it | na moral | na real | ah | bom então | pois bem | de verdade | realmente | definitivamente | plenamente | totalmente | completamente | inteiramente | absolutamente | ligado | tá ligado | mano do céu | por sinal | aproveitando | de preferência | a seguir | abaixo | seguinte | o seguinte | os seguintes | as seguintes | esses aqui | estes aqui | viu só | sendo | ser | lá | eita | nossa | poxa | puxa | ih | aff | puts | putz | eita
        | there | here | then | well | just so you know | really | very | much | too much | so | actually please | again | once more | asap | as soon as possible | right away please | for me | for us | the following | following | oh | wow | dude | man | mate | buddy | sir | madam | ma'am | indeed | still | hmm ok
        | pues | bueno pues | entonces | aquí | allí | ahí | para mí | para nosotros | los siguientes | las siguientes | siguiente | siguientes | amigo mío | mismo | misma | rápido | urgente | muy | de una vez por todas | nomás | señor | señora | señorita | ya
        """,
    Sense.NOW: """
        agora | agora mesmo | já já agora | imediatamente | neste momento | nesse momento | hoje | hoje mesmo | ainda hoje | ainda agora | já agora | neste instante | nesse instante | agorinha | pra já | para já | para agora | pra agora | pra ontem | para ontem | de imediato | na hora
        | now | right now | right away | today | immediately | straight away | at once | ahora | ahora mismo | hoy | hoy mismo | ya mismo | de inmediato | inmediatamente | enseguida
        """,
    Sense.LATER: """
        amanhã | depois de amanhã | semana que vem | na semana que vem | próxima semana | na próxima semana | mês que vem | no mês que vem | próximo mês | no próximo mês | ano que vem | no ano que vem | no fim do mês | fim do mês | no final do mês | a partir de amanhã | a partir do mês que vem | segunda-feira | na segunda-feira | na segunda | na terça | na quarta | na quinta | na sexta | no sábado | no domingo | terça-feira | quarta-feira | quinta-feira | sexta-feira | ontem | anteontem | semana passada | mês passado | no mês passado | na semana passada
        | tomorrow | next week | next month | yesterday | on monday | last month | mañana | pasado mañana | la próxima semana | la semana que viene | el próximo mes | el mes que viene | ayer | el lunes
        """,
    Sense.REASON: """
        porque | por que eu | por que não | já que | pois | pois é que | uma vez que | visto que | visto como | dado que | posto que | sendo que | considerando que | por causa | por causa de | por conta de | por conta da | por conta do | por motivo de | por motivos de | em razão de | devido a | devido ao | devido à | graças a | como não | como eu | como eu não | como já | como estou | como tá | que não | que eu não | que eu nunca | que nunca | que nem | que eu nem | que já não | que já | que eu já | que eu | que está | que estão | que tá | que tão | que estava | que foi | que foram | que vieram | que veio | que vem | que só | que é | que são | que ninguém | que minha | que meu | que a gente | que vocês | que quase não | que ainda | que agora | que apareceu | que apareceram | que assinei | que contratei | que comprei | que recebi | que tenho | que uso | que pago | que me | que chegou | que chegaram | que ficou | que subiu | que aumentou | não uso mais então | pra economizar | para economizar | pra reduzir | para reduzir | para não | pra não | pra diminuir | para diminuir | a fim de | senão | afinal não | é que | o motivo é | motivo | pelo motivo | por não | por eu | por ser | por serem | por estar | por estarem | por falta de | por ter | depois que | desde que comecei
        | because | cause | cuz | coz | bc | since i | since it | since they | as i | as it | as they | due to | owing to | given that | seeing that | in order to | so that | so i can | that i | that i no | that i don't | that i never | which i | which is | which are | who | i no longer | i don't use | i never use | i am not using | i'm not using | that are | that is not | that arrived | that came | because of
        | ya que | pues no | puesto que | dado que | debido a | debido al | por culpa de | que ya | que ya no | que no | que nunca | que llegó | que llegaron | que son | que es | que está | que están | que tengo | para ahorrar | para no | porque no | como no | como ya no
        """,
    Sense.REMARK: """
        não uso mais | não uso | não uso nenhum | não uso nenhum deles | não uso mais nenhum | não uso mais nenhum deles | não uso nada disso | não uso mais nada disso | nunca uso | nunca usei | nem uso | nem uso mais | quase não uso | não preciso mais | não preciso mais deles | não preciso mais disso | não preciso mais desses | não preciso mais de nenhum | não tô usando | não estou usando | não tô usando mais | não estou usando mais | não estou mais usando | não assisto mais | não leio mais | não me serve mais | não serve mais | tá caro | tá muito caro | está caro | está muito caro | muito caro | é muito caro | caro demais | tá caro demais | estou sem dinheiro | tô sem dinheiro | sem grana | tá pesado | ficou caro | ficou muito caro | não vale a pena | não compensa | não gosto mais | não gostei
        | i don't use it | i don't use them | i don't use them anymore | i don't use it anymore | i no longer use them | i no longer use it | i don't need them | i don't need it | i don't need them anymore | i don't need it anymore | too expensive | it's too expensive | ya no los uso | ya no lo uso | no los uso | no lo uso | ya no los necesito | muy caro | es muy caro | es caro
        """,
    Sense.PLACE: """
        conta | contas | plano | planos | linha | fatura | faturas | assinatura | assinaturas | cadastro | contrato | contratos | cpf | cnpj | celular | telefone | número | chip | cartão | app | aplicativo | site | nome | perfil | casa | apartamento | empresa | carrinho | loja | compra | compras | pacote | combo | carteira | banco | sistema | internet | tv | televisão | vida | frente | gaveta
        | account | plan | line | bill | invoice | subscription | subscriptions | profile | contract | name | phone | card | cart | number | cuenta | línea | plan | factura | contrato | suscripción | suscripciones | tarjeta | perfil | nombre | teléfono
        """,
    Sense.AUXILIARY: """
        é | eh | são | foi | foram | era | eram | seria | seriam | está | estão | tá sendo | estou | tô | estava | vou | vamos | vai | vão | ir | estar | haver | há | tem | têm | ter | teria | daria | dá | dá pra | dá para | tem como | teria como | seria possível | é possível para | tem jeito de | consegue | consegues | conseguem | consigo | conseguiria | poderia | poderiam | podia | podiam | posso | pudesse | queria que | gostaria que | quero que | preciso que | precisava que | ajuda a | ajude a | me ajuda a | me ajude a | me ajudem a | pode me ajudar a | poderia me ajudar a | ajudar a | fazer o | faça o | faz o | fazer a | faça a | faz a | realizar o | realizar a | efetuar o | efetuar a | solicitar o | solicitar a | solicito o | solicito a | solicito | solicitar | peço o | peço a | peço que | peço | pedir o | pedir a | pedir | dar entrada em | dar entrada na | dar entrada no | dar baixa em | dar baixa no | dar baixa na | dar baixa nos | dar baixa nas | dar baixa | dê baixa em | dá baixa em | dá baixa no | dá baixa na | dê baixa no | dê baixa na | vim | venho | venho por meio desta | venho por meio deste | por meio desta | estou querendo | tô querendo | estou precisando | tô precisando | estava querendo | me livrar de | me livrar do | me livrar da | me livrar dos | me livrar das | livrar
        | is | are | was | were | am | i am | i'm | be | been | can | could | could you | can you | would | would you | can i | could i | may i | i need you to | i want you to | you to | will you | help me | help me to | let's | let me | to | going to | get rid of
        | es | son | fue | está | están | estoy | voy a | vas a | va a | quisiera que | quiero que | necesito que | puedo | podría | podrías | pueden | me ayudas a | ayúdame a | ayúdeme a | dar de baja | dar de baja a | dame de baja | dame de baja a | dé de baja | deme de baja | darme de baja de | darme de baja del | darme de baja de la | baja de | la baja de | la baja del
        """,
    Sense.ARTICLE: "o | a | os | as | um | uma | the | an | el | la | los | las | lo | un | una",
    Sense.PREPOSITION: """
        de | do | da | dos | das | em | na | nos | nas | num | numa | com | para | ao | à | aos | às | sobre | até o | entre | pra | no meu | a respeito de | quanto a | quanto ao | quanto à | referente a | referente ao | referente à | relativo a | em relação a | em relação ao | em relação à | acerca de | pro
        | of | in | on | from | at | about | into | regarding | as for | del | al | en | con | sobre | hacia
        """,
    Sense.POSSESSIVE: "meu | minha | meus | minhas | nosso | nossa | nossos | nossas | seu | sua | seus | suas | teu | tua | teus | tuas | my | our | your | mi | mis | su | sus | tu | tus | nuestro | nuestra | nuestros | nuestras",
    Sense.PRONOUN: "eu | me | mim | nós | a gente | você | vocês | tu | te | se me | lhe | lhes | isto | i | me | we | us | you | yo | nosotros | usted | ustedes | conmigo | quem | ele mesmo | eu mesmo | eu mesma",
    Sense.DEMONSTRATIVE: """
        esse tal de | essa tal de | esse tal do | essa tal da | tal de | o tal do | a tal da | o tal de | a tal de | esse | essa | esses | essas | este | esta | estes | estas | aquele | aquela | aqueles | aquelas | desse | dessa | desses | dessas | deste | desta | destes | destas | daquele | daquela | nesse | nessa | nesses | nessas | neste | nesta | disso | disto | nisso | ele | ela | eles | elas | dele | dela | deles | delas | los mismos | os mesmos | as mesmas | isso tudo aí
        | this | that one | these | those | them | it | eso | esto | esos | esas | estos | ese | esa | ellos | ellas | éstos
        """,
    Sense.FOR: "por | pelo | pela | pelos | pelas | for | with",
    Sense.QUANTITY: "alguns | algumas | algum | alguma | uns | umas | vários | várias | diversos | diversas | cada | cada um dos | cada uma das | cada um de | some | any | several | each | every | cada uno de | algunos | algunas | varios | varias | apenas uns | todos os meus | todas as minhas",
    Sense.BOTH_AND: "tanto | both | either",
    Sense.AND: "e | and | y | & também | assim como | bem como | junto com | juntamente com | além de | além do | além da | além dos | além das | e além de | as well as | along with | together with | besides | in addition to | plus | así como | junto con | además de | además del | además | e | além disso | quanto | como também",
    Sense.OR: "ou | or | ou então",
    Sense.BUT: "mas | porém | só que | contudo | entretanto | todavia | no entanto | but | however | although | though | except that | pero | sin embargo | aunque | embora | apesar de | apesar disso | mesmo assim | ainda assim | mais só que | sólo que | solo que | sino",
    Sense.THAT: "que | that | which | como | as",
}
