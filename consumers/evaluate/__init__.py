"""`evaluate`: how well a period went, from what everybody may read: events and responses.

reading (Kafka) → counting → journey, naming (one transaction) → measures (many) → results (contracts), table, report (people).
Never: looks at a stage's state or an internal topic, keeps a customer's words. Definitions: docs/evaluate.md.
"""
