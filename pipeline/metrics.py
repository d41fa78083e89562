"""Every metric of a stage process, declared once. Times are seconds, sizes bytes, as Prometheus asks."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """Metrics of one process; stages are a label."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or CollectorRegistry()
        stage = ("stage",)
        self.records = Counter(
            "pipeline_records", "Input records decided and committed", ("stage", "topic"), registry=self.registry
        )
        self.outputs = Counter("pipeline_outputs", "Records written", ("stage", "topic"), registry=self.registry)
        self.batches = Histogram(
            "pipeline_batch_records",
            "Inputs decided per transaction",
            stage,
            buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500),
            registry=self.registry,
        )
        self.decide_time = Histogram(
            "pipeline_decide_seconds", "Deciding one batch", stage, buckets=_FAST, registry=self.registry
        )
        self.transaction_time = Histogram(
            "pipeline_transaction_seconds", "Begin to commit", stage, buckets=_FAST, registry=self.registry
        )
        self.lag = Gauge(
            "pipeline_lag_records",
            "End offset minus position: an idle stage reports 0",
            ("stage", "topic", "partition"),
            registry=self.registry,
        )
        self.tasks = Gauge("pipeline_tasks", "Partition numbers by state", ("stage", "state"), registry=self.registry)
        self.restarts = Counter("pipeline_task_restarts", "Tasks taken over again", stage, registry=self.registry)
        self.takeover_time = Histogram(
            "pipeline_takeover_seconds", "Producer start to running", stage, buckets=_FAST, registry=self.registry
        )
        self.dead_letters = Counter(
            "pipeline_dead_letters", "Records dead-lettered", ("stage", "error"), registry=self.registry
        )
        self.conversations = Gauge("pipeline_conversations", "Conversations in memory", stage, registry=self.registry)
        self.waiting_bytes = Gauge(
            "pipeline_waiting_bytes", "Durable input that waits in the state", stage, registry=self.registry
        )
        self.open_confirmations = Gauge(
            "pipeline_open_confirmations", "Questions that wait for a yes", stage, registry=self.registry
        )
        self.calls = Counter(
            "pipeline_tool_calls", "Tool calls by outcome", ("stage", "tool", "outcome"), registry=self.registry
        )
        self.call_time = Histogram(
            "pipeline_tool_call_seconds", "Tool call", ("stage", "tool"), buckets=_FAST, registry=self.registry
        )
        self.calls_running = Gauge("pipeline_tool_calls_running", "Calls on the wire", stage, registry=self.registry)
        self.rebalances = Counter("pipeline_rebalances", "Assignments received", stage, registry=self.registry)
        self.loop_lag = Gauge(
            "pipeline_event_loop_lag_seconds", "How late the event loop wakes", registry=self.registry
        )
