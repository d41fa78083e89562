"""What the simulated clients raise: the names of aiokafka's errors, because names are all the runtime looks at.

Source: notes on aiokafka section 3.
"""


class KafkaError(Exception):
    """Base, and what aiokafka wraps the rest in."""


class KafkaConnectionError(KafkaError):
    """No broker answers."""


class ProducerFenced(KafkaError):
    """A newer producer with this transactional id exists, or the transaction timed out."""


class OutOfOrderSequenceNumber(KafkaError):
    """An earlier batch of this producer failed on the broker."""


class IllegalOperation(KafkaError):
    """The producer is beyond use."""


class MessageSizeTooLargeError(KafkaError):
    """The broker refused a record for its size."""


class UnknownTopicOrPartitionError(KafkaError):
    """There is no such partition."""


class NoOffsetForPartitionError(KafkaError):
    """Nothing is committed and auto_offset_reset is none."""


class OffsetOutOfRangeError(KafkaError):
    """The position is not in the log and auto_offset_reset is none."""


class CorruptRecordException(KafkaError):
    """A fetched batch can't be read."""


class ConsumerStoppedError(KafkaError):
    """The consumer was stopped."""
