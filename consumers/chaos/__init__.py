"""Fault injection on a real Kafka: the pipeline as separate processes, killed and stopped while customers talk, then judged.

Imports point down: command > running > load, faults > processes, reading > rules > history, plan, conversations.
Never: touches a cluster, a port or a process that it did not start itself.
"""
