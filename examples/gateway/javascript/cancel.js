// A channel gateway in JavaScript: kafkajs, and fzstd, because answers come compressed with zstd (kafka.compression).
//
//   npm install && node cancel.js CUSTOMER_KEY
//
// Asks to cancel three products, reads the question, answers "sim", prints what became of each. Needs KAFKA_BOOTSTRAP_SERVERS, and
// PIPELINE__PREFIX where the installation has one.
import { decompress } from 'fzstd'
import kafkajs from 'kafkajs'

const { CompressionCodecs, CompressionTypes, Kafka, Partitioners, logLevel } = kafkajs

// Without a codec kafkajs can not read an answer, and tries for ever.
CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  decompress: async (buffer) => Buffer.from(decompress(buffer)),
  compress: async () => { throw new Error('this gateway sends uncompressed') },
})

const customer = process.argv[2]
const prefix = process.env.PIPELINE__PREFIX ? `${process.env.PIPELINE__PREFIX}.` : ''
const brokers = (process.env.KAFKA_BOOTSTRAP_SERVERS ?? '127.0.0.1:19092').split(',')
const [channel, tenant, agent] = ['web', 'default', 'telecom_contas']
const session = `demo *(javascript)~:${Date.now()}-${process.pid}` // the channel's own id, any text but a phone number

// The Kafka key. encodeURIComponent leaves !*'() as they are; the pipeline's key has them percent-encoded, too.
const encoded = (part) => encodeURIComponent(part).replace(/[!*'()]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
const key = [tenant, agent, session].map(encoded).join(':')

const kafka = new Kafka({ clientId: 'gateway-recipe', brokers, logLevel: logLevel.ERROR })
// DefaultPartitioner is murmur2 as Java's client has it; LegacyPartitioner is not. Records in a wrong partition are moved, later.
const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, idempotent: true, maxInFlightRequests: 1 })
// readUncommitted: without it being false, answers are seen that are taken back. A real gateway has one group for all its replicas.
const consumer = kafka.consumer({ groupId: `gateway-${Date.now()}-${process.pid}`, readUncommitted: false })

// The same number again is the same message, and has no second effect.
const say = (number, message, confirmation) =>
  producer.send({
    topic: `${prefix}gateway.requests`,
    acks: -1,
    messages: [{
      key,
      headers: { 'content-type': 'application/json', contract_version: 'gateway-request-v1' },
      value: JSON.stringify({
        channel,
        tenant_id: tenant,
        agent_id: agent,
        payload: {
          message,
          session_id: session,
          message_id: `${session}-${number}`,
          business_context: { customer_key: customer },
          metadata: { contract_version: 'gateway-request-v1', confirmation },
        },
      }),
    }],
  })

// Answers in order, each once: a consumer that starts again reads what it has not committed a second time.
const delivered = new Set()
const answers = []
let arrived = () => {}
const nextAnswer = async () => {
  while (answers.length === 0) await new Promise((resolve) => { arrived = resolve })
  return answers.shift()
}

await Promise.all([producer.connect(), consumer.connect()])
await consumer.subscribe({ topic: `${prefix}channel.${channel}.responses`, fromBeginning: true })
await consumer.run({
  eachMessage: async ({ message }) => {
    if (message.key?.toString() !== key) return
    const response = JSON.parse(message.value.toString())
    if (delivered.has(response.metadata.response_id)) return
    delivered.add(response.metadata.response_id)
    answers.push(response)
    arrived()
  },
})

await say(1, 'quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr')
const question = await nextAnswer()
console.log(`question\t${question.text}`)
await say(2, 'sim', question.metadata.confirmation?.token)
const result = await nextAnswer()
for (const item of result.metadata.items) {
  console.log(`${item.outcome}\t${item.subject}\t${item.protocol ?? item.reason ?? ''}`)
}
await Promise.all([producer.disconnect(), consumer.disconnect()])
