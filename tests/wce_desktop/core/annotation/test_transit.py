"""Transit times, the place of a frame, and an examination that did not reach the caecum."""

import numpy as np

from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.transit import INCOMPLETE, RETENTION, hours_minutes, place_of, transit

SECONDS = np.arange(40_000, dtype=np.float64)  # one frame a second


def marks(**frames: int) -> list[Landmark]:
    return [Landmark(f"m{name}", "s", Region[name], frame) for name, frame in frames.items()]


def test_times_of_a_complete_examination() -> None:
    found = transit(marks(OESOPHAGUS=60, STOMACH=120, SMALL_BOWEL=1980, COLON=20_700, END=36_060), SECONDS)
    assert [one.text for one in found.times] == ["31 min", "5:12 h", "10:00 h"]
    assert [one.note for one in found.times] == ["", "", ""]
    assert (found.caecum, found.is_complete, found.consequences, found.problem) == ("reached", True, (), "")


def test_a_caecum_that_was_not_reached() -> None:
    found = transit(marks(STOMACH=0, SMALL_BOWEL=1860, END=30_000), SECONDS)
    assert found.small_bowel.text == "at least 7:49 h"
    assert found.small_bowel.note == "the first caecal frame was not reached before the examination ended at 8:20:00"
    assert (found.caecum, found.is_complete) == ("not reached", False)
    assert found.consequences == (INCOMPLETE, RETENTION)


def test_a_capsule_that_stayed_in_the_stomach() -> None:
    found = transit(marks(STOMACH=600, END=30_600), SECONDS)
    assert found.gastric.text == "at least 8:20 h"
    assert found.small_bowel.seconds is None
    assert found.small_bowel.note == "the first duodenal frame is not set"


def test_what_is_not_entered_is_not_guessed() -> None:
    found = transit(marks(STOMACH=600, COLON=9000), SECONDS)
    assert found.gastric.text == found.small_bowel.text == "not known"
    found = transit([], SECONDS)
    assert (found.caecum, found.is_complete, found.consequences) == ("not entered", None, ())
    assert found.whole.seconds == 39_999
    assert found.whole.note == "from the start of the recording to the end of the recording"


def test_landmarks_out_of_order_are_a_sentence_and_no_times() -> None:
    found = transit(marks(STOMACH=5000, SMALL_BOWEL=1233), SECONDS)
    assert found.problem == "The first duodenal frame (1,234) does not lie after the first gastric frame (5,001)."
    assert [one.seconds for one in found.times] == [None] * 3


def test_a_study_without_frames_has_no_times() -> None:
    assert transit([], SECONDS[:0]).whole.seconds is None
    stills = transit(marks(STOMACH=1, COLON=5), SECONDS, has_time=False)
    assert (stills.whole.text, stills.whole.note) == ("not known", "the study is a list of still images")


def test_the_place_of_a_frame() -> None:
    held = marks(STOMACH=120, SMALL_BOWEL=1980, COLON=1980, END=9000)
    assert place_of(held, SECONDS, 100) is None
    found = place_of(held, SECONDS, 1979)
    assert found is not None
    assert found.words == "stomach, 30 min after the first gastric frame"
    later = place_of(held, SECONDS, 1980)
    assert later is not None
    assert (later.region, later.seconds) == (Region.COLON, 0.0)
    assert place_of(held, SECONDS, 9000) is not None
    assert place_of(held, SECONDS, 9001) is None
    assert place_of(held, SECONDS, 50_000) is None


def test_minutes_are_full_ones() -> None:
    shown = [hours_minutes(seconds) for seconds in (0, 59, 300.3 - 240.3, 3599, 43_559.9)]
    assert shown == ["0 s", "59 s", "1 min", "59 min", "12:05 h"]
