"""What was made of values that never change, by their ids: what is listed again need not be made again."""

from collections.abc import Callable, Collection


class Lasting:
    """A value that never changes, nor does what it holds, and that is listed again and again as the same object."""

    __slots__ = ()


class Kept[Value, Made](dict[int, Made]):
    """The last of them, about `most`, each value held, so that its id is nobody else's. Nothing made of one is None."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: list[Value] = []

    def each(self, values: Collection[Value], make: Callable[[Collection[Value]], list[Made]]) -> list[Made]:
        """Return what is made of each value, asking `make` for what has not been made yet."""
        found = [*map(self.get, map(id, values))]
        missing = [value for value, known in zip(values, found, strict=True) if known is None]
        made = make(missing) if missing else []
        if len(self) + len(made) > self._most:
            self.clear()
            self._held.clear()
        self.update(zip(map(id, missing), made, strict=True))
        self._held += missing
        others = iter(made)
        return [next(others) if known is None else known for known in found]
