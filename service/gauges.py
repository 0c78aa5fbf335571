"""Gauges: figures of the server as it is now, read when the metrics are asked for."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector


@dataclass(frozen=True, slots=True)
class Gauge:
    """A figure for each value of a label."""

    name: str
    about: str
    label: str
    read: Callable[[], Mapping[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Gauges(Collector):
    """Gauges as Prometheus collects them."""

    gauges: Sequence[Gauge]

    def collect(self) -> Iterable[GaugeMetricFamily]:
        for gauge in self.gauges:
            family = GaugeMetricFamily(gauge.name, gauge.about, labels=[gauge.label])
            for value, figure in gauge.read().items():
                family.add_metric([value], figure)
            yield family
