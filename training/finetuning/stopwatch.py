"""How quickly this computer did each part of a run, for estimates of later ones."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

Part = Literal["reading", "forward"]


class Stopwatch:
    """Sums frames and seconds of each part; begins when it is made."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self._frames: Counter[Part] = Counter()
        self._seconds: dict[Part, float] = {}

    @contextmanager
    def timed(self, part: Part, frames: int) -> Iterator[None]:
        """Time the work on some frames inside."""
        began = time.perf_counter()
        yield
        self.add(part, frames, time.perf_counter() - began)

    def add(self, part: Part, frames: int, seconds: float) -> None:
        """Add work on some frames that was timed elsewhere."""
        self._frames[part] += frames
        self._seconds[part] = self._seconds.get(part, 0.0) + seconds

    def to_json(self) -> dict[str, float]:
        """`<part>_per_second`: frames per second of the parts that took place; `seconds`: since it was made."""
        rates = {
            f"{part}_per_second": self._frames[part] / seconds
            for part, seconds in self._seconds.items()
            if self._frames[part] and seconds > 0
        }
        return {**rates, "seconds": time.perf_counter() - self._began}
