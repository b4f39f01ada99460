"""Labels looked up and counted: nothing is dropped silently."""

from collections import Counter

import pytest

from training.datasets.public.contents import PRESETS, contents, vocabulary
from training.datasets.public.layout import PublishedImage, PublishedSet
from training.errors import UserError

FOUND = PublishedSet(
    tuple(
        PublishedImage(f"{number}.jpg", labels)
        for number, labels in enumerate(
            [
                ("Normal clean mucosa",),
                ("Normal clean mucosa", "Erosion"),
                ("Pylorus", "Erosion"),
                ("Pylorus",),
                ("Zebra",),
                (),
                ("Polyp", "Erosion"),
            ]
        )
    )
)
KNOWN = vocabulary("kvasir-capsule")


def test_all_labels_are_counted_and_strangers_named() -> None:
    inside = contents(FOUND, KNOWN)
    assert inside.counts == Counter({"Erosion": 3, "Normal clean mucosa": 2, "Pylorus": 2, "Zebra": 1, "Polyp": 1})
    assert inside.unknown == ("Zebra",)
    assert len(inside.images) == 7
    assert not inside.left_out


def test_normal_gives_way_to_a_finding_and_a_landmark_does_not() -> None:
    inside = contents(FOUND, KNOWN)
    assert [inside.of(image) for image in FOUND.images] == [
        ("normal",),
        ("erosion",),
        ("pylorus", "erosion"),
        ("pylorus",),
        (),
        (),
        ("polyp", "erosion"),
    ]


def test_an_image_is_classified_by_its_findings_before_its_landmarks() -> None:
    inside = contents(FOUND, KNOWN)
    assert [inside.main_terms(FOUND.images[number]) for number in (0, 2, 3, 5, 6)] == [
        ("normal",),
        ("erosion",),
        ("pylorus",),
        (),
        ("polyp", "erosion"),
    ]


def test_a_choice_of_classes_counts_what_it_leaves_out() -> None:
    inside = contents(FOUND, KNOWN, ("erosion",))
    assert [image.path for image in inside.images] == ["1.jpg", "2.jpg", "6.jpg"]
    assert inside.left_out == Counter({"normal": 1, "pylorus": 1, "(no label)": 2})
    assert inside.of(FOUND.images[6]) == ("erosion",)
    assert sum(inside.left_out.values()) + len(inside.images) == len(FOUND.images)


def test_a_choice_of_kinds() -> None:
    inside = contents(FOUND, KNOWN, kinds=("finding",))
    assert [image.path for image in inside.images] == ["1.jpg", "2.jpg", "6.jpg"]


def test_a_class_that_there_is_not() -> None:
    with pytest.raises(UserError, match="no class 'zebra'"):
        contents(FOUND, KNOWN, ("zebra",))
    with pytest.raises(UserError, match="No image of this data set is labelled tumor"):
        contents(FOUND, KNOWN, ("tumor",))


def test_osf_kvasir_keeps_seven_of_the_fourteen() -> None:
    labels = [
        *("Normal clean mucosa", "Ileocecal valve", "Reduced Mucosal View", "Pylorus", "Foreign Body"),
        *("Ampulla of Vater", "Blood - hematin"),
        *("Angiectasia", "Ulcer", "Lymphangiectasia", "Erosion", "Blood - fresh", "Erythema", "Polyp"),
    ]
    found = PublishedSet(tuple(PublishedImage(f"{label}.jpg", (label,)) for label in labels))
    preset = PRESETS["osf-kvasir-7"]["classes"]
    assert isinstance(preset, tuple)
    assert sorted(contents(found, KNOWN, preset).counts) == sorted(labels[7:])
