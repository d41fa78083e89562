"""How stages run on Kafka: the only importer of aiokafka."""
