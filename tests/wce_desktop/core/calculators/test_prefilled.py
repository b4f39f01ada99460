"""What findings already say of the Lewis score and CECDAI."""

from dataclasses import replace
from typing import Any

import pytest

from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.calculators.prefilled import proposed
from wce_desktop.core.span import Span


def finding(kind: str, **entries: Any) -> Finding:
    return replace(Finding.new(study_id="s", kind=kind, span=Span(0, 1)), **entries)


def test_ulcers_are_counted_in_each_tertile() -> None:
    ulcers = [finding("ulcer"), finding("ulcer", number="few"), finding("aphtha", number="many"), finding("ulcer")]
    answers = proposed("lewis", ulcers, [0.1, 0.4, 0.9, 1.2], is_passed=True)
    assert answers == {"ulcers-1": "single", "ulcers-2": "few", "ulcers-3": "multiple"}, "the last lies in the colon"


@pytest.mark.parametrize(("is_passed", "traversed"), [(True, {"stenosis-traversed": "yes"}), (False, {})])
def test_a_stenosis_is_passed_once_the_colon_is_reached(is_passed: bool, traversed: dict[str, str]) -> None:
    answers = proposed("lewis", [finding("stenosis"), finding("stenosis")], [0.2, 0.8], is_passed=is_passed)
    assert answers == {"stenosis": "multiple"} | traversed


@pytest.mark.parametrize(("size", "answer"), [(5.0, "3"), (20.0, "4"), (21.0, "5")])
def test_the_largest_ulcer_of_a_half_is_its_inflammation(size: float, answer: str) -> None:
    lesions = [finding("ulcer", size_mm=2.0), finding("ulcer", size_mm=size), finding("erosion")]
    answers = proposed("cecdai", lesions, [0.1, 0.2, 0.7], is_passed=False)
    assert answers == {"a-proximal": answer, "a-distal": "3"}


def test_nothing_is_proposed_that_no_finding_says() -> None:
    assert proposed("cecdai", [finding("ulcer"), finding("erosion")], [0.1, 0.2], is_passed=True) == {}, "not measured"
    assert proposed("cecdai", [finding("stenosis")], [0.6], is_passed=True) == {"c-distal": "1"}
    assert proposed("koda", [finding("ulcer")], [0.5], is_passed=True) == {}
    assert proposed("lewis", [finding("polyp")], [0.5], is_passed=True) == {}
