"""The one error of the local Kafka: a sentence a person can act on, never a traceback.

Owns: the wording rule: what is wrong, then the way out, in one sentence.
"""


class LocalKafkaError(Exception):
    """The local Kafka cannot be used as asked; `str()` is one sentence with the way out."""
