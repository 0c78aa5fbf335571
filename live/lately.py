"""What was used lately is kept, as long as all of it together does not weigh too much."""

from collections import OrderedDict


class Lately[T]:
    """`most` is in bytes. What alone weighs more is not kept at all."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._kept: OrderedDict[str, tuple[T, int]] = OrderedDict()

    def get(self, name: str) -> T | None:
        if name not in self._kept:
            return None
        self._kept.move_to_end(name)
        return self._kept[name][0]

    def take(self, name: str) -> T | None:
        """Return what is kept, and keep it no longer."""
        value, weight = self._kept.pop(name, (None, 0))
        self._held -= weight
        return value

    def keep(self, name: str, value: T, weight: int) -> None:
        self.take(name)
        if weight > self._most:
            return
        self._kept[name] = value, weight
        self._held += weight
        while self._held > self._most:
            self.take(next(iter(self._kept)))
