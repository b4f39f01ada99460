"""Scores against examples computed by hand from the publications' tables."""

from typing import Any

import numpy as np
import pytest

from wce_desktop.core.annotation.report_part import PartKind, ReportPart
from wce_desktop.core.calculators import (
    CALCULATORS,
    KodaGrade,
    koda_content,
    koda_frames,
    koda_grades,
    koda_result,
    missing_of,
    result_of,
)
from wce_desktop.core.span import Span


def score(kind: PartKind, **content: Any) -> tuple[str, str]:
    """Figure and meaning of inputs; keys with "_" for "-". What is not given is the first choice of its field."""
    first = {field.key: field.choices[0].name for field in CALCULATORS[kind].fields}
    named = {key.replace("_", "-"): value for key, value in content.items()}
    found = result_of(ReportPart("p", "s", kind, first | named))
    assert found is not None
    return found.value, found.meaning


def oedema(tertile: int, extent: str, pattern: str) -> dict[str, str]:
    return {f"villi_{tertile}": "oedematous", f"villi_extent_{tertile}": extent, f"villi_pattern_{tertile}": pattern}


def ulcers(tertile: int, number: str, extent: str, size: str) -> dict[str, str]:
    return {f"ulcers_{tertile}": number, f"ulcer_extent_{tertile}": extent, f"ulcer_size_{tertile}": size}


@pytest.mark.parametrize(
    ("inputs", "value", "meaning"),
    [
        ({"villi_1": "normal"}, "0", "normal"),
        (oedema(1, "short", "single"), "8", "normal"),  # 1 x 8 x 1
        (oedema(2, "short", "patchy"), "112", "normal"),  # 1 x 8 x 14
        (ulcers(3, "single", "short", "small"), "135", "mild"),  # 3 x 5 x 9, the limit itself
        (ulcers(3, "few", "short", "small"), "225", "mild"),  # 5 x 5 x 9
        (oedema(1, "long", "patchy") | ulcers(1, "few", "long", "small"), "618", "mild"),  # 168 + 450
        # The worst tertile counts, not the sum: 20 x 17 + 10 x 15 x 18 = 3,040.
        (
            oedema(2, "whole", "diffuse") | ulcers(2, "multiple", "whole", "large") | oedema(1, "short", "single"),
            "3,040",
            "moderate",
        ),
        ({"stenosis": "single"}, "196", "mild"),  # 14 x 2 x 7
        ({"stenosis": "single", "stenosis_ulcerated": "yes", "stenosis_traversed": "no"}, "3,360", "moderate"),
        ({"stenosis": "multiple", "stenosis_ulcerated": "yes", "stenosis_traversed": "no"}, "4,800", "moderate"),
    ],
)
def test_the_lewis_score(inputs: dict[str, str], value: str, meaning: str) -> None:
    assert score("lewis", **inputs)[0] == value
    assert score("lewis", **inputs)[1].startswith(meaning)


def test_the_highest_lewis_score_there_is() -> None:
    worst = {
        key: value
        for tertile in (1, 2, 3)
        for key, value in (oedema(tertile, "whole", "diffuse") | ulcers(tertile, "multiple", "whole", "large")).items()
    }
    stenosis = {"stenosis": "multiple", "stenosis_ulcerated": "yes", "stenosis_traversed": "no"}
    assert score("lewis", **worst, **stenosis)[0] == "7,840"


def test_the_categories_change_at_135_and_790() -> None:
    from wce_desktop.core.calculators.inflammation import category

    assert [category(value).split()[0] for value in (134, 135, 789, 790)] == ["normal", "mild", "mild", "moderate"]


@pytest.mark.parametrize(
    ("inputs", "value"),
    [
        ({"a_proximal": "0"}, "0"),
        ({"a_proximal": "3", "b_proximal": "2", "c_proximal": "1", "a_distal": "5", "b_distal": "3"}, "22"),  # 7 + 15
        (
            {
                f"{letter}_{half}": top
                for half in ("proximal", "distal")
                for letter, top in zip("abc", "533", strict=True)
            },
            "36",
        ),
    ],
)
def test_the_cecdai(inputs: dict[str, str], value: str) -> None:
    assert score("cecdai", **inputs)[0] == value


@pytest.mark.parametrize(
    ("grades", "value", "meaning", "is_adequate"),
    [
        ("333", "9", "excellent (8 to 9)", True),
        ("332", "8", "excellent (8 to 9)", True),
        ("322", "7", "good (6 to 7)", True),
        ("222", "6", "good (6 to 7)", True),
        ("331", "7", "inadequate (a segment has 0 or 1)", False),
        ("221", "5", "inadequate (0 to 5)", False),
        ("000", "0", "inadequate (0 to 5)", False),
    ],
)
def test_cc_clear(grades: str, value: str, meaning: str, is_adequate: bool) -> None:
    inputs = dict(zip(("right", "transverse", "left"), grades, strict=True))
    found = result_of(ReportPart("p", "s", "cc-clear", inputs))
    assert found is not None
    assert (found.value, found.meaning, found.is_adequate) == (value, meaning, is_adequate)


def test_koda_is_the_mean_of_both_means() -> None:
    grades = [KodaGrade(0, 3, 3), KodaGrade(10, 2, 1), KodaGrade(20, 3, 2), KodaGrade(30, 1, 3)] * 3
    found = koda_result(grades)
    assert found is not None
    assert (found.value, found.is_adequate) == ("2.25", True)  # (9 / 4 + 9 / 4) / 2
    worse = koda_result([*grades[:11], KodaGrade(30, 0, 2)])
    assert worse is not None
    assert (worse.value, worse.is_adequate) == ("2.17", False)
    assert "of 3 from 12 frames" in worse.meaning.format(**worse.numbers)


@pytest.mark.parametrize(("count", "is_adequate"), [(1, None), (9, None), (10, True)])
def test_koda_of_few_frames_is_not_called_adequate(count: int, is_adequate: bool | None) -> None:
    result = koda_result([KodaGrade(frame, 3, 3) for frame in range(count)])
    assert result is not None
    assert (result.value, result.is_adequate) == ("3.00", is_adequate)


@pytest.mark.usefixtures("in_german")
def test_figures_are_written_in_the_chosen_language() -> None:
    found = koda_result([KodaGrade(0, 3, 3), KodaGrade(10, 2, 1), KodaGrade(20, 3, 2), KodaGrade(30, 1, 3)])
    assert found is not None
    assert (found.value, found.formula) == ("2,25", "(2,25 + 2,25) / 2")
    assert found.inputs[1][1] == "2,25"
    villi = {"villi_1": "oedematous", "villi_extent_1": "whole", "villi_pattern_1": "diffuse"}
    stenosis = {"stenosis": "multiple", "stenosis_ulcerated": "yes", "stenosis_traversed": "no"}
    assert score("lewis", **villi, **stenosis)[0] == "5.140"  # 20 x 17 + 20 x 24 x 10


def test_koda_waits_for_every_frame() -> None:
    assert koda_result([]) is None
    assert koda_result([KodaGrade(0, 3, 3), KodaGrade(10, 2)]) is None


def test_koda_grades_survive_storing() -> None:
    grades = (KodaGrade(0, 3, None), KodaGrade(10))
    assert koda_grades(koda_content(grades)) == grades


def test_koda_takes_a_frame_every_five_minutes_of_the_small_bowel() -> None:
    seconds = np.arange(10_000) / 2.0  # two frames a second, 83 minutes
    assert koda_frames(seconds, Span(1000, 3000)) == (1000, 1600, 2200, 2800)
    assert koda_frames(seconds, Span(9990, 10_000)) == (9990,)
    assert koda_frames(seconds[:100], Span(200, 300)) == ()


def test_koda_frames_match_a_slow_search() -> None:
    chance = np.random.default_rng(1)
    seconds = np.cumsum(chance.uniform(0.1, 40.0, 400))
    span = Span(37, 371)
    due, expected = float(seconds[37]), []
    for frame in range(37, 371):
        if seconds[frame] >= due - 1e-6:
            expected.append(frame)
            while seconds[frame] >= due - 1e-6:
                due += 300.0
    assert list(koda_frames(seconds, span)) == expected


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("lewis", {"ulcers-1": "seven"}),
        ("cc-clear", {"left": 3}),
        ("koda", {"frames": [[0, 4, 1]]}),
        ("koda", {"frames": [[0, 1]]}),
        ("koda", {"frames": "none"}),
        ("koda", {"frames": [["0", 1, 1]]}),
    ],
)
def test_other_inputs_are_refused(kind: PartKind, content: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"cannot be|0 to 3|0 or more"):
        result_of(ReportPart("p", "s", kind, content))


def test_nothing_entered_gives_no_score() -> None:
    kinds: tuple[PartKind, ...] = ("lewis", "cecdai", "cc-clear", "koda", "texts")
    assert [result_of(ReportPart("p", "s", kind, {})) for kind in kinds] == [None] * 5


def test_every_result_shows_its_inputs_and_its_source() -> None:
    for kind, calculator in CALCULATORS.items():
        content = {field.key: field.choices[-1].name for field in calculator.fields}
        found = result_of(ReportPart("p", "s", kind, content))
        assert found is not None
        assert len(found.inputs) == len(calculator.fields), "every answer counts where the last choices are taken"
        assert "20" in found.source
        assert found.formula


def test_inputs_without_a_meaning_are_not_shown() -> None:
    normal = {field.key: field.choices[0].name for field in CALCULATORS["lewis"].fields}
    found = result_of(ReportPart("p", "s", "lewis", normal | {"ulcers-2": "few"}))
    assert found is not None
    names = [name for name, _ in found.inputs]
    assert "Second tertile: Largest ulcer" in names
    assert "First tertile: Largest ulcer" not in names
    assert "Whole small bowel: ulcerated" not in names


def test_a_score_waits_until_what_is_normal_is_entered_too() -> None:
    normal = {
        f"{name}-{tertile}": value for tertile in "123" for name, value in (("villi", "normal"), ("ulcers", "none"))
    }
    part = ReportPart("p", "s", "lewis", normal)
    assert result_of(part) is None
    assert missing_of(part) == ("Whole small bowel: Stenosis",)
    part = ReportPart("p", "s", "lewis", normal | {"stenosis": "none"})
    assert missing_of(part) == ()
    assert result_of(part) is not None
    part = ReportPart("p", "s", "lewis", normal | {"stenosis": "none", "ulcers-3": "few", "ulcer-extent-3": "short"})
    assert result_of(part) is None
    assert missing_of(part) == ("Third tertile: Largest ulcer",)
