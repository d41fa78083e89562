"""Words about the set of an open proposal, positions, other requests and questions; data only.

Owns: the lists. Phrases are separated by ` | `, written with their accents, compared without; the longest one wins.
Source: language.json ITEMS-6, ITEMS-7, REPLY-3 to REPLY-5.
"""

from collections.abc import Mapping

from pipeline.language.senses import Sense

__all__ = ["ORDINALS", "REQUESTS"]

REQUESTS: Mapping[Sense, str] = {
    Sense.ALL: """
        todos | todas | todo mundo | todo el mundo | everybody | everyone | tudo | tudinho | todo | toda | todos eles | todas elas | todos esses | todas essas | tudo isso | isso tudo | tudo isso aí | isso tudo aí | todos os itens | todos os produtos | todos os pedidos | ambos | ambas | a lista toda | a lista inteira | toda a lista | lista completa | a lista completa | tudo da lista | todos da lista | todas da lista | tudo que está na lista | todos sem exceção | todas sem exceção | sem exceção | tudo o que eu tenho | tudo que eu tenho | tudo que tenho | todos que eu tenho | todos que tenho | todos os que tenho | todos os que eu tenho | tudo o que tenho | tudo que estiver ativo | o pacote completo | a turma toda | geral | cada um deles | cada uma delas | por completo | na íntegra
        | all | all of them | all of these | all of those | everything | every one | every one of them | everything on the list | the whole list | the lot | both | both of them | the whole thing | all items | each of them | each one
        | todo | todos ellos | todas ellas | todo eso | todo esto | ambos | ambas | la lista completa | toda la lista | absolutamente todo
        """,
    Sense.EXCEPT: """
        menos | exceto | exceptuando | excetuando | salvo | fora | fora o | fora a | tirando | tirando o | tirando a | com exceção de | com exceção do | com exceção da | com exceção dos | com exceção das | à exceção de | à exceção do | à exceção da | a não ser | a não ser o | a não ser a | que não seja | que não sejam | que não o | que não a | só não | só não mexe no | só não mexe na | só não mexe em | só não mexa no | só não mexa na | só não mexa em | só não o | só não a | excluindo | descontando | sem contar | sem ser | sem | sem o | sem a | sem os | sem as
        | except | except for | but not | apart from | aside from | other than | excluding | save for | all but | everything but | without | minus | not including | leaving out
        | excepto | menos | salvo | a excepción de | con excepción de | quitando | sin | que no sea
        """,
    Sense.ONLY: "só | somente | apenas | unicamente | exclusivamente | só mesmo | tão somente | tão só | nada além de | only | just | solely | solo | sólo | solamente | nada más | nomás el | únicamente",
    Sense.REST: """
        o resto | resto | do resto | os outros | as outras | os demais | as demais | demais itens | o restante | restante | os restantes | as restantes | os que sobraram | o que sobrou | os outros dois | as outras duas | os outros três | as outras três | os outros todos | todos os outros | todas as outras | todo o resto | o outro | a outra | os outros itens | os outros produtos | de resto | dos outros | dos demais
        | the rest | rest | the others | the other ones | the other two | the other three | the remaining | the remaining ones | all the others | everything else | the rest of them | others | the other | the other one
        | el resto | los otros | las otras | los demás | las demás | lo demás | los otros dos | las otras dos | todo lo demás | el otro | la otra
        """,
    Sense.DROP: """
        sai | saem | pode sair | podem sair | tira | tirar | tire | tirem | tirando fora | retira | retire | retirar | retirem | remove | remova | remover | removam | exclui | exclua | excluir | excluam | elimina | elimine | eliminar | apaga | apague | apagar | deleta | delete | deletar | risca | risque | riscar | corta | corte | cortar | saca fora | pode tirar | podem tirar | pode retirar | pode remover | pode excluir | quero tirar | queria tirar | desconsidera | desconsidere | desconsiderar | ignora | ignore | pula | pule | descarta | descarte | descartar | esquece o | esquece a | esqueça o | esqueça a | dispensa o | dispensa a
        | remove | take out | take off | take away | drop | leave out | exclude | delete | skip | cut | scratch | forget about the | forget | forget the | goes | goes away
        | saca | saque | sacar | quita | quite | quitar | elimina | elimine | borra | borre | excluye | retira | olvida | olvida el | olvida la | olvide | se va | se van
        """,
    Sense.KEEP: """
        vou continuar usando | vou continuar assistindo | quero ficar | mantém | manter | mantenha | mantenham | mantendo | quero manter | vou manter | gostaria de manter | prefiro manter | deixa | deixe | deixar | deixem | deixando | quero deixar | vou deixar | pode deixar o | pode deixar a | fica | ficar | fique | ficam | ficando | fica com | ficar com | quero ficar com | vou ficar com | fico com | quero continuar | quero continuar usando | quero continuar assistindo | quero continuar com | vou continuar com | continua com | continuar com | continuo com | continua | continuam | continuar | permanece | permanecem | permanecer | preserva | preserve | preservar | conserva | conservar | segura o | segura a | guarda | guarde | poupa | não mexe no | não mexe na | não mexe com o | não mexe com a | não mexe em | não mexa no | não mexa na | não mexa em
        | keep | i keep | leave | leave in | retain | i want to keep | i'd like to keep | hold on to | i'll keep | stay with | stays | stay | keeping | keep using
        | mantén | mantener | mantenga | deja | deje | dejar | conservar | quédate con | quedarme con | me quedo con | quiero quedarme con | quiero conservar | quiero mantener | queda | se queda | se quedan
        """,
    Sense.ADD: """
        entra | entram | além desses | além dessas | além destes | além deles | além delas | fora esses | ainda tem | ainda tem o | ainda tem a | inclui | inclua | incluir | incluam | incluindo | adiciona | adicione | adicionar | acrescenta | acrescente | acrescentar | coloca | coloque | colocar | bota | bote | botar | põe | poe | ponha | soma | some | somar | junta | junte | juntar | insere | insira | inserir | mete | agrega | faltou | faltou o | faltou a | falta | falta o | falta a | faltam | esqueceu | esqueceu o | esqueceu a | esqueceu do | esqueceu da | esqueci | esqueci do | esqueci da | esqueci de | esqueci de falar do | esqueci de dizer | aproveita e inclui | aproveita e coloca
        | add | include | put in | throw in | plus add | also add | don't forget the | you forgot | you forgot the | i forgot | i forgot the | missing
        | agrega | agregar | agregue | añade | añadir | añada | incluye | incluir | incluya | pon | ponga | suma | sumar | falta | faltó | te faltó | olvidaste
        """,
    Sense.ALSO: "mais | também | tambem | junto | de quebra | mais o | mais a | mais os | mais as | igualmente | e mais | também mais | also | too | as well | in addition | on top | también | inclusive | até mesmo",
    Sense.SWAP: """
        troca | troque | trocar | trocando | substitui | substitua | substituir | muda | mude | mudar | altera | altere | alterar | pode trocar | quero trocar | queria trocar | swap | replace | change | exchange | switch | substitute | cambia | cambie | cambiar | reemplaza | reemplace | reemplazar | sustituye | sustituir | sustituya | modifica | modificar | modifique
        """,
    Sense.INSTEAD: "em vez de | em vez do | em vez da | em vez dos | em vez das | ao invés de | ao invés do | ao invés da | invés de | invés do | invés da | em lugar de | em lugar do | em lugar da | no lugar de | no lugar do | no lugar da | no lugar | instead of | instead | rather than | in place of | en lugar de | en lugar del | en vez de | en vez del",
    Sense.CORRECT: """
        quer dizer | quero dizer | digo | ops | opa não | oops | ou melhor | ou seja | aliás | corrigindo | correção | correto é | na verdade | na realidade | me enganei | me confundi | errei | eu errei | falei errado | escrevi errado | digitei errado | minto | perdão | erro meu | foi mal | melhor dizendo | pensando bem | pensando melhor | retifico | retificando | não pera | não espera | não perai | não peraí | não pera aí | não calma | não melhor | melhor | não desculpa | não perdão | não minto | não digo | não ops
        | i mean | i meant | actually | scratch that | no wait | wait no | oh wait | oh no wait | correction | my mistake | my bad | sorry i meant | make that | rather | no sorry | no actually | on second thought | or rather
        | quise decir | quiero decir | mejor dicho | o mejor | en realidad | me equivoqué | perdón | no espera | no perdón | mejor | más bien | corrijo | o sea
        """,
    Sense.OWN: """
        tô pagando | estou pagando | tô usando | estou usando | i already returned | i already have | i already got | i returned | i cancelled | usa | usam | assiste | assistem | assisto | assistimos | leio | lemos | escuto | ouço | ainda uso | ainda assisto | ainda leio | já chegou | já chegaram | já veio | já vieram | já recebi | já paguei | já devolvi | já achei | já encontrei | pago | pagamos | tenho | temos | assino | assinamos | possuo | possuímos | contratei | assinei | comprei | uso | usamos | tinha | eu pago | eu tenho | eu assino | hoje tenho | hoje pago | atualmente tenho | atualmente pago | recebi | recebo | sou assinante de | sou assinante do | sou assinante da | sou cliente de | sou cliente da | sou cliente do | fiz | pedi | gosto de | gosto do | gosto da | adoro | já cancelei | cancelei | já tirei
        | i have | i pay | i pay for | i own | i subscribe to | we have | i'm subscribed to | i bought | i've got | i got | i use | i like | i still use | i still watch | i still read | already arrived | already got | already here | i currently have | i am subscribed to
        | tengo | pago | todavía uso | aún uso | todavía veo | ya llegó | ya llegaron | ya recibí | tenemos | estoy suscrito a | uso
        """,
    Sense.OUT: "de fora | fora daí | fora dessa | fora disso | fora da lista | da lista | desta lista | dessa lista | daí | dessa | de lado | em paz | quieto | como está | como tá | assim | desse jeito | deste jeito | do jeito que está | do jeito que tá | así | as it is | as is | as they are | the way it is | the way they are | off the list | from the list | out of it | out | off | alone | fuera | afuera | de la lista | na lista | nessa lista | à lista | a lista | to the list | on the list | ativo | ativos | ativa | ativas | intacto",
    Sense.POSITION: "número | numero | nº | n° | nro | item | itens | opção | opções | posição | linha número | number | option | item number | position | ítem | opción | número de",
    Sense.LAST: "último | última | últimos | últimas | penúltimo | penúltima | antepenúltimo | antepenúltima | derradeiro | derradeira | last | final one | last one | last ones | second to last | last but one | último de todos | do fim | postrero",
    Sense.RANGE: "até | até o | até a | through | hasta | hasta el",
    Sense.WANT: """
        quero | queria | quer | querer | queremos | gostaria de | gostaria | desejo | desejava | preciso | preciso de | precisava | precisava de | precisamos | necessito | necessito de | prefiro | pretendo | tô querendo | estou querendo | quero fazer | queria fazer | quero dar | quero pedir | queria pedir | gostaria de pedir | gostaria de solicitar | quero solicitar | aproveitando quero | i want | i want to | i would like | i would like to | i'd like | i'd like to | i need | i need to | we want to | want to | need to | would like to | quiero | quisiera | necesito | me gustaría | deseo | prefiero | i'd love to
        """,
    Sense.GIVE: """
        manda | me manda | mande | me mande | mandar | me manda aí | envia | me envia | envie | me envie | enviar | mostra | me mostra | mostre | mostrar | me mostre | passa | me passa | passar | passe | me passe | fala | me fala | fale | me fale | diz | me diz | diga | me diga | me dizer | me dá | me dê | me informa | me informe | informa | informe | informar | me avisa | avisa | avise | me ajuda | me ajude | ajuda | consulta | consultar | verifica | verifique | verificar | vê | ver | veja | ver aí | olhar | saber | quero ver | quero saber | queria saber | gostaria de saber | gostaria de ver | quero consultar | preciso saber | quero falar | queria falar | preciso falar | gostaria de falar | falar | conversar | ligar | me liga | liga | liga para mim | emite | emitir | gera | gerar | gere | imprime | resolve | resolver | resolva | arruma | arrumar | conserta | agenda | agendar | marca | marcar | abre | abrir | atualiza | atualizar | comprar | compra | contrata | contratar | assinar | pagar | paga | renova | renovar | reclamar | desbloqueia | desbloquear | bloqueia | bloquear | libera | liberar | ativa | ativar | recarregar | recarrega | rastrear | rastreia | devolver | trocar de | mudar de | mudar o | mudar a | transfere | transferir | transfira | me transfere | me transfira | aumenta | aumentar | diminui | diminuir | negociar | parcelar | parcela | chama | chamar | chame | me conta | conta pra mim | traz | me traz
        | send | send me | show | show me | give me | tell me | tell | check | let me know | help me with | i want to see | i want to know | i'd like to see | i'd like to know | i would like to see | i would like to know | talk to | speak to | speak with | talk with | call me | book | schedule | buy | pay | update | track | open | renew | get me | get | transfer me | connect me
        | mándame | envíame | envíeme | muéstrame | muéstreme | dime | dígame | dame | deme | quiero ver | quiero saber | quisiera saber | hablar | hablar con | quiero hablar | consultar | pagar | comprar | contratar | renovar | agendar | pásame | páseme | comunícame | comuníqueme | ayúdame | llámame
        """,
    Sense.ASK: """
        a partir de quando | desde quando | até quando | por quanto tempo | quanto tempo | em quanto tempo | de quanto | quanto | quanta | quantos | quantas | quanto que | qual | quais | qual é | qual o | qual a | quais os | quando | quando é | onde | aonde | por que | por quê | quem | cadê | como faço | como fica | como funciona | como vai ficar | como | o que | o que é | o que são | o que acontece | que dia | que horas | que tipo | pra quê | para que | existe | será que tem | tem algum | tem alguma | vocês têm | vocês tem | vocês fazem | vocês vendem
        | what's | what is | what are | how much | how many | how long | how | when | where | why | which | who | whose | is there | are there | do i | do you | does it | will i | will it | will there | what happens | what about | how about
        | cuánto | cuánta | cuántos | cuál | cuáles | cuándo | dónde | por qué | quién | qué pasa | hay | cuánto cuesta | y si
        """,
    Sense.ABOUT: """
        economizar | economia | dinheiro | meu dinheiro | vou gastar | diminui | diminuir | reduz | reduzir | mais barato | mais barata | mais caro | mais cara | outro horário | outra data | outro dia | outros horários | outras datas | cobertura | valor | valores | preço | preços | custa | custam | custar | custo | custos | pagar | vou pagar | vou ter que pagar | cobra | cobram | cobrar | cobrado | cobrança | cobranças | multa | multas | taxa | taxas | tarifa | desconto | reembolso | reembolsado | ressarcimento | estorno | grátis | gratuito | fidelidade | carência | data | prazo | prazos | demora | demorar | vigora | vigência | validade | voltar atrás | reativar | reverter | perco | perder | perde | acontece | acontecer | certeza | seguro | sério | efeito | consequência | consequências | detalhe | detalhes | detalhar | mais informações | mais informação | informações | informação | diferença | benefício | benefícios | funciona | funcionar | imediato | motivo | razão | garantia | mudança | alterar alguma coisa | mudar uma coisa | mudar alguma coisa | mensal | mensalidade | total | fica quanto | sai quanto | dá quanto | quanto fica | quanto sai | quanto dá | quanto custa | quanto é | juros | parcelas | vezes | cancelado | cancelados | disso | desses | deles | condições | regras | explicar | entender | explicação | continua valendo | valendo
        | price | prices | cost | costs | fee | fees | charge | charges | charged | penalty | refund | refunded | pay | free | date | deadline | take effect | happen | happens | sure | details | detail | undo | lose | discount | monthly | total | expensive | amount | reason | guarantee | difference
        | precio | precios | cuesta | cuestan | costo | coste | multa | tarifa | cobran | cobrarán | cobrar | reembolso | devolución del dinero | fecha | plazo | pierdo | perder | detalles | detalle | descuento | gratis | seguro | importe | motivo | penalización | penalidad
        """,
    Sense.TOPIC: """
        me ligar | me liga | me ligue | call me | não funciona | não funcionam | não está funcionando | não tá funcionando | parou de funcionar | não liga | não abre | não conecta | com defeito | quebrou | travou | tá lento | tá lenta | que horas são | fatura | faturas | boleto | boletos | segunda via | 2ª via | 2a via | extrato | saldo | limite | senha | login | minha conta | sinal | internet | wifi | wi-fi | modem | roteador | velocidade | rede | pedido | pedidos | entrega | rastreio | rastreamento | encomenda | endereço | cep | cadastro | cartão | cartões | crédito | créditos | empréstimo | pix | plano | planos | chip | linha | roaming | recarga | recargas | nota fiscal | reclamação | técnico | visita | loja | lojas | horário | horários | promoção | promoções | oferta | ofertas | cupom | portabilidade | titularidade | titular | vencimento | email | e-mail | protocolo | protocolos | comprovante | comprovantes | contrato | aparelho | celular | telefone | luz | água | gás | energia | consumo | medidor | leitura | religação | débito automático | pontos | milhas | cashback | agendamento | consulta médica | reserva | passagem | voo | seguro de vida | sinistro | app | aplicativo | site | problema | defeito | caiu | bloqueada | bloqueado | suspensa | franquia | megas | giga | gigas | dados móveis | canal | canais | filme | assinatura da revista | edição | edições | exemplar | revista nova | estoque | tamanho | frete | garantia estendida | atraso | atrasada | atrasado | chegou | aberto | aberta | abrem | fecha às | gerente de conta | agência | agências | caixa eletrônico | transferência | depósito | salário | piada | tempo hoje | previsão do tempo | futebol
        | bill | bills | invoice | statement | balance | password | order | orders | delivery | address | card | loan | signal | router | plan | sim card | store | opening hours | promotion | offer | warranty | receipt | ticket | copy of | usage | meter | power | points | account balance | network | phone | complaint | my account | tracking
        | factura | facturas | recibo | saldo | contraseña | pedido | entrega | dirección | tarjeta | préstamo | señal | línea | tienda | horario | promoción | oferta | comprobante | mi cuenta | reclamo | queja | extracto | envío
        """,
    Sense.PERSON: """
        atendente | atendentes | humano | humana | ser humano | pessoa | pessoa de verdade | pessoa real | alguém | alguem | falar com alguém | gerente | supervisor | supervisora | operador | operadora humana | ouvidoria | sac | atendimento | atendimento humano | central | especialista | consultor | vendedor | responsável | gente de verdade
        | agent | human | a person | person | representative | real person | someone | somebody | manager | operator | customer service | support | advisor
        | asesor | asesora | agente | persona | humano | alguien | operadora | ejecutivo | representante | supervisor
        """,
}

ORDINALS: Mapping[int, str] = {
    1: "primeiro | primeira | primeiros | primeiras | 1º | 1ª | 1o | 1a | first | 1st | primero | primera | primeros | primeras | primer",
    2: "segundo | segunda | segundos | segundas | 2º | 2ª | 2o | 2a | second | 2nd",
    3: "terceiro | terceira | terceiros | terceiras | 3º | 3ª | 3o | 3a | third | 3rd | tercero | tercera | tercer | terceros",
    4: "quarto | quarta | quartos | quartas | 4º | 4ª | 4o | 4a | fourth | 4th | cuarto | cuarta",
    5: "quinto | quinta | quintos | quintas | 5º | 5ª | 5o | 5a | fifth | 5th",
    6: "sexto | sexta | sextos | sextas | 6º | 6ª | 6o | 6a | sixth | 6th",
    7: "sétimo | sétima | 7º | 7ª | 7o | 7a | seventh | 7th | séptimo | séptima",
    8: "oitavo | oitava | 8º | 8ª | 8o | 8a | eighth | 8th | octavo | octava",
    9: "nono | nona | 9º | 9ª | 9o | 9a | ninth | 9th | noveno | novena",
    10: "décimo | décima | 10º | 10ª | 10o | 10a | tenth | 10th",
}
"""Position from 1 -> its words; counting from the end is Sense.LAST."""
