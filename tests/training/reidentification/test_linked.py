"""Which tracklets links join: against a slow search for all that can be reached, and what is left out."""

from pathlib import Path

import numpy as np
import pytest

from training.datasets.findings import LinkRow
from training.datasets.manifest import StudyEntry
from training.reidentification.linked import (
    CONTRADICTED,
    NO_TRACKLET,
    TWO_PATIENTS,
    linked_identities,
)
from training.reidentification.views import JoinedCrops
from training.reidentification.visits import Visit


def visit(study: str, start: int, stop: int, label: str = "polyp", finding: str = "") -> Visit:
    """Studies are named by their patient and a letter."""
    entry = StudyEntry(study_id=study, patient_id=study[:-1], path=Path(f"{study}.mp4"))
    return Visit(entry, start, stop, label, finding, {}, {})


def link(first: str, frame: int, second: str, other: int, *, is_same: bool = True, names: str = "polyp") -> LinkRow:
    return LinkRow(
        study_id=first, frame_index=frame, other_study_id=second, other_frame_index=other, is_same=is_same,
        name=names, other_name=names, reader="",
    )  # fmt: skip


VISITS = (
    visit("Pa", 0, 10),
    visit("Pa", 20, 30),
    visit("Pa", 22, 28, "blood"),
    visit("Pa", 40, 50),
    visit("Pb", 5, 9),
    visit("Pb", 5, 12, "blood"),
    visit("Qa", 0, 10),
)


def numbers(*links: LinkRow, visits: tuple[Visit, ...] = VISITS) -> list[int]:
    return [int(number) for number in linked_identities(visits, links).numbers]


def test_without_links_each_tracklet_is_one_of_its_own() -> None:
    assert numbers() == list(range(7))


def test_links_join_tracklets_of_a_study_and_of_two_studies_of_a_patient() -> None:
    assert numbers(link("Pa", 45, "Pa", 3), link("Pb", 8, "Pa", 49)) == [0, 1, 2, 0, 0, 5, 6]


def test_the_name_says_which_of_two_tracklets_is_meant() -> None:
    assert numbers(link("Pa", 25, "Pb", 6)) == [0, 1, 2, 3, 1, 5, 6]
    assert numbers(link("Pa", 25, "Pb", 6, names="blood")) == [0, 1, 2, 3, 4, 2, 6]


def test_a_place_without_a_name_joins_what_has_one_label_at_both() -> None:
    assert numbers(link("Pa", 25, "Pb", 6, names="")) == [0, 1, 2, 3, 1, 2, 6]
    assert numbers(link("Pa", 25, "Pb", 10, names="")) == [0, 1, 2, 3, 4, 2, 6]


def test_a_name_that_was_changed_since_means_the_only_tracklet_there() -> None:
    assert numbers(link("Pa", 3, "Pa", 45, names="ulcer")) == [0, 1, 2, 0, 4, 5, 6]
    found = linked_identities(VISITS, [link("Pa", 3, "Pa", 25, names="ulcer")])
    assert found.numbers.tolist() == list(range(7))
    assert found.left_out == (f"1 of 1 links {NO_TRACKLET}.",)


def test_a_linked_tracklet_stands_for_its_finding() -> None:
    visits = (visit("Pa", 0, 3, finding="f"), visit("Pa", 5, 8, finding="f"), visit("Pb", 0, 3, finding="f"),
              visit("Pb", 5, 8, finding="g"))  # fmt: skip
    assert numbers(link("Pa", 1, "Pb", 6), visits=visits) == [0, 0, 2, 0], "f of the other study is another finding"
    assert numbers(visits=visits) == [0, 1, 2, 3], "without links the paper's pairs stay as they are"


def test_what_is_not_the_same_is_never_joined() -> None:
    apart = link("Pa", 45, "Pb", 8, is_same=False)
    assert numbers(apart) == list(range(7))
    found = linked_identities(VISITS, [link("Pa", 3, "Pa", 45), link("Pa", 3, "Pb", 8), apart])
    assert found.numbers.tolist() == list(range(7))
    assert found.left_out == (f"2 of 3 links {CONTRADICTED}.",)
    assert numbers(link("Pa", 3, "Pa", 45), apart) == [0, 1, 2, 0, 4, 5, 6]


def test_two_patients_are_never_joined() -> None:
    found = linked_identities(VISITS, [link("Pa", 3, "Qa", 3)])
    assert found.numbers.tolist() == list(range(7))
    assert found.left_out == (f"1 of 1 links {TWO_PATIENTS}.",)


def test_links_of_other_studies_say_nothing() -> None:
    assert linked_identities(VISITS, [link("Pa", 3, "Zz", 3)]).left_out == ()


@pytest.mark.parametrize("seed", range(5))
def test_all_that_can_be_reached_is_one_finding(seed: int) -> None:
    rng = np.random.default_rng(seed)
    visits = tuple(visit(f"P{'ab'[at % 2]}", 10 * at, 10 * at + 5) for at in range(12))
    ends = [tuple(rng.choice(12, 2, replace=False).tolist()) for _ in range(6)]
    links = [link(visits[a].study.study_id, 10 * a, visits[b].study.study_id, 10 * b + 4) for a, b in ends]
    found = numbers(*links, visits=visits)
    for start in range(12):
        reached = {start}
        for _ in range(12):
            reached |= {b for a, b in ends if a in reached} | {a for a, b in ends if b in reached}
        assert found[start] == min(reached)


def test_joined_crops_are_those_of_the_parts_one_after_the_other() -> None:
    rng = np.random.default_rng(0)
    parts = [rng.integers(0, 255, (count, 4, 4, 3), np.uint8) for count in (3, 1, 5)]
    joined, whole = JoinedCrops(parts), np.concatenate(parts)
    assert len(joined) == len(whole)
    places = np.array([8, 0, 2, 3, 4, 3])
    assert np.array_equal(joined[places], whole[places])
