"""Metrics of the running service, for `/metrics`."""

from functools import cache

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

from edge.app import RequestLog

SLOW_SECONDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10)


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._answers = Counter(
            "codrive_answers_total", "Answers given", ["operation", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "codrive_answer_seconds",
            "How long answers took",
            ["operation"],
            buckets=SLOW_SECONDS,
            registry=self.registry,
        )
        # as many as there are operations and statuses
        self._one = cache(lambda operation, status: self._answers.labels(operation, str(status)).inc)
        self._lasted = cache(lambda operation: self._seconds.labels(operation).observe)

    def observe(self, seen: RequestLog) -> None:
        operation = seen.operation or "other"
        self._one(operation, seen.status)()
        self._lasted(operation)(seen.seconds)
