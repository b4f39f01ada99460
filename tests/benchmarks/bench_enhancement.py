"""What each view of a frame costs while playing: milliseconds a frame in the window's thread.

python -m tests.benchmarks.bench_enhancement
"""

import time

import numpy as np

from wce_desktop.widgets.player.enhancement import ENHANCEMENTS, enhanced
from wce_desktop.widgets.player.pictures import frame_picture

SIDES_PX = (336, 512)
FRAMES, ROUNDS = 20, 5


def main() -> None:
    """Print the median of several rounds."""
    print("ms a frame" + "".join(f"{side:>8} px" for side in SIDES_PX))
    random = np.random.default_rng(0)
    for one in ENHANCEMENTS[1:]:
        shown = []
        for side in SIDES_PX:
            pictures = [frame_picture(random.integers(0, 256, (side, side, 3), np.uint8)) for _ in range(FRAMES)]
            spent = []
            for _ in range(ROUNDS):
                started = time.perf_counter()
                for picture in pictures:
                    enhanced(picture, one)
                spent.append((time.perf_counter() - started) / FRAMES)
            shown.append(float(np.median(spent)) * 1000)
        print(f"{one.title:<18}" + "".join(f"{value:>8.2f}   " for value in shown))


if __name__ == "__main__":
    main()
