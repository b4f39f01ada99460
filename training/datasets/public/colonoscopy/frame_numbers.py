"""Which images of a set are successive frames, by the numbers at the end of their names."""

import re
from collections import defaultdict
from collections.abc import Iterable

from training.video.formats import natural_key

_NUMBERED = re.compile(r"(.*?)(\d+)\D{0,2}$")
"""Some copies have an underscore behind the number."""


def frame_numbers(paths: Iterable[str]) -> dict[str, int]:
    """A number for each image of a recording, for `PublishedImage.frame_number`.

    Two images get successive numbers exactly where they lie in one folder and their names differ only in the last
    number, which is one more.

    Args:
        paths: of all images of one recording.
    """
    series: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for path in sorted(paths, key=natural_key):
        folder, _, name = path.rpartition("/")
        stem = name.rpartition(".")[0]
        found = _NUMBERED.fullmatch(stem)
        before, number = (found.group(1), int(found.group(2))) if found else (stem, 0)
        series[folder, before].append((number, path))
    numbers: dict[str, int] = {}
    first = 0
    for members in series.values():
        least = min(number for number, _ in members)
        numbers |= {path: first + number - least for number, path in members}
        first += max(number for number, _ in members) - least + 2
    return numbers
