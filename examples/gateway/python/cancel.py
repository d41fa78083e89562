"""A channel gateway in Python: aiokafka and contracts/gateway_kit.

    python -m examples.gateway.python.cancel CUSTOMER_KEY

Asks to cancel three products, reads the question, answers "sim", prints what became of each. Needs KAFKA_BOOTSTRAP_SERVERS, and
PIPELINE__PREFIX where the installation has one.
"""

import asyncio
import os
import sys
import time

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from contracts.gateway_kit import REQUESTS_TOPIC, Delivery, Freshness, Inbox, record, responses_topic

BOOTSTRAP = os.environ.get("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:19092")
PREFIX = os.environ.get("PIPELINE__PREFIX", "")
CHANNEL, TENANT, AGENT = "web", "default", "telecom_contas"


def named(topic: str) -> str:
    """The topic as the cluster has it."""
    return f"{PREFIX}.{topic}" if PREFIX else topic


async def next_answer(consumer: AIOKafkaConsumer, inbox: Inbox, session: str) -> Delivery:
    """The next thing this customer is to be told. A real gateway delivers to all sessions, and commits after delivering."""
    async for message in consumer:
        delivery = inbox.take(message.value)
        await consumer.commit()
        if delivery.session_id == session and delivery.freshness is Freshness.NEW:
            return delivery
    raise AssertionError("the consumer was stopped")


async def main(customer: str) -> None:
    """One conversation."""
    session = (
        f"demo *(python)~:{time.time_ns()}"  # the channel's own id, any text but a phone number: the key encodes it
    )
    producer = AIOKafkaProducer(bootstrap_servers=BOOTSTRAP, acks="all", enable_idempotence=True)
    consumer = AIOKafkaConsumer(
        named(responses_topic(CHANNEL)),
        bootstrap_servers=BOOTSTRAP,
        group_id=f"gateway-{time.time_ns()}",  # a real gateway has one group for all its replicas
        isolation_level="read_committed",  # without it, answers are seen that are taken back
        auto_offset_reset="earliest",
        enable_auto_commit=False,
    )
    async with producer, consumer:

        async def say(text: str, number: int, token: str | None = None) -> None:
            message = record(
                channel=CHANNEL,
                tenant_id=TENANT,
                agent_id=AGENT,
                session_id=session,
                channel_message_id=f"{session}-{number}",
                text=text,
                business_context={"customer_key": customer},
                confirmation=token,
            )
            await producer.send_and_wait(
                named(REQUESTS_TOPIC), message.value, key=message.key, headers=list(message.headers)
            )

        inbox = Inbox()
        await say("quero cancelar TIM Fashion, Aya Audiobooks e Neymar Jr", 1)
        question = await next_answer(consumer, inbox, session)
        print(f"question\t{question.text}")
        await say("sim", 2, question.token)
        result = await next_answer(consumer, inbox, session)
        for item in result.items:
            print(f"{item.outcome.value}\t{item.subject}\t{item.protocol or item.reason or ''}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
