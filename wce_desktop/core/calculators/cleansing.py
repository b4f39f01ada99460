"""Scores of how clean the bowel was.

CC-CLEAR, of the colon in a colon capsule study: de Sousa Magalhães R, et al.: Colon Capsule CLEansing Assessment and
Report (CC-CLEAR): a new approach for evaluation of the quality of bowel preparation in capsule colonoscopy.
Gastrointest Endosc 2021; 93: 212-223. A segment with 75 to 90 % has 2, one with exactly 75 % has 1 (our reading of its
grades "more than 75 %" and "more than 90 %").

KODA, of the small bowel, from one frame in every five minutes: Alageeli M, Yan B, Alshankiti S, et al.: KODA score: an
updated and validated bowel preparation scale for patients undergoing small bowel capsule endoscopy. Endosc Int Open
2020; 8: E1011-E1017. It updates the score of Park SC, Keum B, Hyun JJ, et al.: A novel cleansing score system for
capsule endoscopy. World J Gastroenterol 2010; 16: 875-880, from which the limit of an adequate preparation (2.25) is.
The shares of the grades are those of Park et al. as we read them; KODA teaches its grades with pictures, which are not
here. Which frame stands for its five minutes (the first) is ours.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.calculators.calculator import Calculator, Choice, Field, Points, Result
from wce_desktop.core.clock import counted
from wce_desktop.core.language import number_text, to_translate
from wce_desktop.core.span import Span

EXCELLENT_FROM, GOOD_FROM = 8, 6
INADEQUATE_SEGMENT = 1
"""A segment with this grade or a lower one makes the whole preparation inadequate."""
SEGMENTS = (
    ("right", to_translate("Right colon")),
    ("transverse", to_translate("Transverse colon")),
    ("left", to_translate("Left colon")),
)
_GRADES = (
    Choice("0", to_translate("0: less than 50 % of the mucosa seen"), 0),
    Choice("1", to_translate("1: 50 to 75 % of the mucosa seen"), 1),
    Choice("2", to_translate("2: more than 75 % of the mucosa seen"), 2),
    Choice("3", to_translate("3: more than 90 % of the mucosa seen"), 3),
)


def _cc_clear(points: Points) -> Result:
    """The sum of the three grades; inadequate below 6, or where a segment has 0 or 1."""
    grades = [points[key] for key, _ in SEGMENTS]
    total, formula = sum(grades), " + ".join(map(str, grades))
    is_adequate = total >= GOOD_FROM and min(grades) > INADEQUATE_SEGMENT
    if total < GOOD_FROM:
        meaning = to_translate("inadequate (0 to 5)")
    elif not is_adequate:
        meaning = to_translate("inadequate (a segment has 0 or 1)")
    else:
        meaning = to_translate("excellent (8 to 9)") if total >= EXCELLENT_FROM else to_translate("good (6 to 7)")
    return Result("cc-clear", number_text(total), meaning, formula, is_adequate=is_adequate)


CC_CLEAR = Calculator(
    kind="cc-clear",
    title=to_translate("CC-CLEAR (cleanliness of the colon)"),
    fields=tuple(Field(key, title, _GRADES) for key, title in SEGMENTS),
    compute=_cc_clear,
    source=(
        "de Sousa Magalhães R et al., Colon Capsule CLEansing Assessment and Report (CC-CLEAR). Gastrointest Endosc "
        "2021; 93: 212-223"
    ),
    about=to_translate(
        "Each segment is graded by the share of its mucosa that could be seen; all three must be entered."
    ),
)


EVERY_SECONDS = 300.0
ADEQUATE_FROM = 2.25
"""Park et al. 2010: scores from here are adequate."""
FEWEST_FRAMES = 10
"""Ours: the publications grade whole studies, of some 50 frames. Where grades scatter by 0.8 from frame to frame, the
mean of fewer is uncertain by more than half a grade (95 %)."""
ADEQUATE = to_translate("of 3 from {frames}; adequate (adequate from 2.25)")
NOT_ADEQUATE = to_translate("of 3 from {frames}; not adequate (adequate from 2.25)")
TOO_FEW = to_translate("of 3 from {frames}; too few frames to call it adequate or not (10 are needed)")
BEST = 3
VISUALISED = (
    to_translate("less than 25 %"),
    to_translate("25 to 50 %"),
    to_translate("50 to 75 %"),
    to_translate("more than 75 %"),
)
"""Share of the mucosa that is seen, for the grades 0 to 3."""
OBSTRUCTION = (
    to_translate("more than 50 %"),
    to_translate("25 to 50 %"),
    to_translate("5 to 25 %"),
    to_translate("less than 5 %"),
)
"""Share of the mucosa that bubbles, bile and debris hide, for the grades 0 to 3."""
SOURCE = (
    "Alageeli M et al., KODA score: an updated and validated bowel preparation scale for patients undergoing small "
    "bowel capsule endoscopy. Endosc Int Open 2020; 8: E1011-E1017; Park SC et al., World J "
    "Gastroenterol 2010; 16: 875-880"
)


@dataclass(frozen=True, slots=True)
class KodaGrade:
    """The two grades of one frame, each 0 (worst) to 3 (best); None where it is not graded yet."""

    frame_index: int
    visualised: int | None = None
    obstruction: int | None = None

    def __post_init__(self) -> None:
        for grade in (self.visualised, self.obstruction):
            if grade is not None and (type(grade) is not int or not 0 <= grade <= BEST):
                raise ValueError(f"a grade is 0 to 3, not {grade!r}")
        if type(self.frame_index) is not int or self.frame_index < 0:
            raise ValueError(f"a frame index is 0 or more, not {self.frame_index!r}")

    @property
    def is_complete(self) -> bool:
        """Whether both grades are there."""
        return self.visualised is not None and self.obstruction is not None


def koda_frames(video_seconds: NDArray[np.float64], small_bowel: Span) -> tuple[int, ...]:
    """The frames to grade: the first of the small bowel, then the first one after every further five minutes.

    Args:
        video_seconds: (N,) time of each frame, rising.
        small_bowel: its frames.
    """
    start, stop = small_bowel.start, min(small_bowel.stop, len(video_seconds))
    if start >= stop:
        return ()
    times = np.arange(video_seconds[start], video_seconds[stop - 1] + 1e-6, EVERY_SECONDS)
    indices = np.searchsorted(video_seconds[start:stop], times - 1e-6, side="left") + start
    return tuple(int(frame) for frame in np.unique(np.minimum(indices, stop - 1)))


def koda_content(grades: Iterable[KodaGrade]) -> dict[str, Any]:
    """Grades as the content of a `ReportPart`."""
    return {"frames": [[grade.frame_index, grade.visualised, grade.obstruction] for grade in grades]}


def koda_grades(content: Mapping[str, Any]) -> tuple[KodaGrade, ...]:
    """The grades in the content of a `ReportPart`.

    Raises:
        ValueError: it holds anything else.
    """
    rows = content.get("frames", [])
    if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) == 3 for row in rows):
        raise ValueError("the graded frames cannot be read")
    return tuple(KodaGrade(*row) for row in rows)


def koda_result(grades: Sequence[KodaGrade]) -> Result | None:
    """The mean of both means; None until every frame has both grades.

    Each parameter is averaged over the frames; the score is the mean of the two, between 0 and 3.
    """
    if not grades or not all(grade.is_complete for grade in grades):
        return None
    visualised = sum(grade.visualised or 0 for grade in grades) / len(grades)
    obstruction = sum(grade.obstruction or 0 for grade in grades) / len(grades)
    score = (visualised + obstruction) / 2
    is_adequate = score >= ADEQUATE_FROM if len(grades) >= FEWEST_FRAMES else None
    inputs = (
        (to_translate("Graded frames, one every five minutes"), number_text(len(grades))),
        (to_translate("Visualised mucosa, mean grade"), number_text(visualised, ".2f")),
        (to_translate("Obstruction, mean grade"), number_text(obstruction, ".2f")),
    )
    return Result(
        "koda",
        number_text(score, ".2f"),
        {True: ADEQUATE, False: NOT_ADEQUATE, None: TOO_FEW}[is_adequate],
        f"({number_text(visualised, '.2f')} + {number_text(obstruction, '.2f')}) / 2",
        is_adequate,
        numbers={"frames": counted(len(grades), "frame")},
        title=to_translate("KODA score (cleanliness of the small bowel)"),
        inputs=inputs,
        source=SOURCE,
    )
