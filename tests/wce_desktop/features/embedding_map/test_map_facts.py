"""What points are coloured by, looked up point by point."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.wce_desktop.sessions import add_study, known_scores, open_study
from training.errors import UserError
from wce_desktop.core.annotation.change import Replace
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.features.embedding_map import map_facts
from wce_desktop.features.embedding_map.map_points import MapPoints
from wce_desktop.features.reading import annotating
from wce_desktop.session.session import Session

FRAMES = np.array([50, 12, 0, 41, 13, 30], dtype=np.int64)


@pytest.fixture
def session(session: Session, tmp_path: Path) -> Session:
    """With the little study, scored, in its library."""
    add_study(session, tmp_path)
    return session


@pytest.fixture
def points(session: Session) -> MapPoints:
    """Six frames of the open study, not in order, and one of a study that the library has lost."""
    study = session.library.studies.all()[0]
    return MapPoints(
        (study.study_id, "lost"),
        np.array([0, 0, 0, 0, 0, 0, 1], np.int32),
        np.append(FRAMES, 12),
        np.append(FRAMES, 12) / 25,
        np.zeros((7, 2), np.float32),
    )


def words(session: Session, points: MapPoints, way: str, class_name: str = "") -> list[str]:
    """The word of every point."""
    coloring = map_facts.color(session, points, way, class_name)
    return [coloring.categories[code].title for code in coloring.codes.tolist()]


def label(session: Session, name: str, start: int, stop: int) -> None:
    reading = session.reading
    assert reading is not None
    session.mark_span(start, stop)
    annotating.label_here(session, name)


def test_a_pathology_wins_over_normal_and_what_nobody_labelled_says_so(session: Session, points: MapPoints) -> None:
    open_study(session, session.library.studies.all()[0])
    label(session, "normal", 10, 31)
    label(session, "blood", 12, 14)
    label(session, "polyp", 13, 14)
    assert words(session, points, map_facts.BY_LABEL) == [
        "Not labelled", "Blood", "Not labelled", "Not labelled", "Polyp", "Normal", "Not labelled",
    ]  # fmt: skip
    names, codes = map_facts.label_codes(session, points)
    slow = [
        {one.name for one in session.library.annotations.labels(points.study_ids[0]) if frame in one.span}
        for frame in FRAMES
    ]
    assert all((code < 0) == (not said) for code, said in zip(codes.tolist(), slow, strict=False))
    assert set(names) == {"polyp", "blood", "normal"}


def test_scores_are_those_of_the_frame(session: Session, points: MapPoints) -> None:
    scores = map_facts.scores_of(session, points, "polyp")
    assert np.array_equal(scores[:6], known_scores()[FRAMES, 1], equal_nan=True)
    assert np.isnan(scores[6])
    highest = map_facts.scores_of(session, points, "")
    assert np.array_equal(highest[:6], known_scores()[FRAMES, 1:].max(axis=1), equal_nan=True)
    assert np.isnan(map_facts.scores_of(session, points, "unheard of")).all()
    said = words(session, points, map_facts.BY_SCORE, "polyp")
    assert said[0] == said[6] == "No score"
    assert said[1] == "0.90 to 1.00, flagged"


def test_regions_seen_times_studies_and_patients(session: Session, points: MapPoints) -> None:
    study = session.library.studies.all()[0]
    open_study(session, study)
    session.show_frame(20)
    annotating.set_landmark(session, Region.SMALL_BOWEL)
    session.library.annotations.mark_seen(study.study_id, SpanSet([Span(12, 14), Span(40, 42)]))
    before = "No landmark before it"
    assert words(session, points, map_facts.BY_REGION) == [
        "Small bowel", before, before, "Small bowel", before, "Small bowel", before,
    ]  # fmt: skip
    assert words(session, points, map_facts.BY_SEEN) == ["Not seen", "Seen", "Not seen", "Seen", "Seen"] + 2 * [
        "Not seen"
    ]
    assert words(session, points, map_facts.BY_STUDY) == 6 * [study.name] + ["lost"]
    assert words(session, points, map_facts.BY_PATIENT) == 6 * ["Patient of study"] + ["Unknown patient"]
    record = session.library.studies.record(study.study_id)
    session.library.annotations.edit(
        study.study_id, "Edit the patient record", [Replace(record, replace(record, pseudonym="N. N."))]
    )
    assert words(session, points, map_facts.BY_PATIENT)[0] == "N. N."
    assert len(set(words(session, points, map_facts.BY_TIME))) > 1


def test_errors_are_of_the_model_or_of_its_cross_validation(session: Session, points: MapPoints) -> None:
    study = session.library.studies.all()[0]
    open_study(session, study)
    label(session, "polyp", 12, 13)  # correct
    label(session, "normal", 13, 14)  # the model says polyp
    label(session, "polyp", 30, 31)  # the model says normal
    label(session, "polyp", 41, 42)  # the model says blood
    expected = [
        "No label or no score", "Correct", "No label or no score", "Wrong class", "False positives", "False negatives",
        "No label or no score",
    ]  # fmt: skip
    assert words(session, points, map_facts.BY_ERROR) == expected
    assert "may have learned" in map_facts.color(session, points, map_facts.BY_ERROR).note
    run = session.library.runs.add("Held out", base_model_id=session.model_id, kind="evaluate")
    header = "seed,fold,study_id,patient_id,frame_index,filename,source,label,normal,polyp,blood"
    rows = [f"0,1,{study.study_id},p,{frame},,,polyp,{scores}" for frame, scores in ((12, "0.9,0.1,0"), (41, "0,1,0"))]
    (run.folder / "scores.csv").write_text("\n".join([header, *rows]))
    none = "No label or no score"
    assert words(session, points, map_facts.BY_ERROR) == [none, "False negatives", none, "Correct", none, none, none]
    assert "Held out" in map_facts.color(session, points, map_facts.BY_ERROR).note
    (run.folder / "scores.csv").write_text("seed,fold\n0,1\n")
    with pytest.raises(UserError, match="cannot be read"):
        map_facts.color(session, points, map_facts.BY_ERROR)


def test_devices_are_those_of_the_records(session: Session, points: MapPoints) -> None:
    study = session.library.studies.all()[0]
    assert set(words(session, points, map_facts.BY_DEVICE)) == {"Unknown"}
    record = session.library.studies.record(study.study_id)
    changes = [Replace(record, replace(record, capsule="SB3"))]
    session.library.annotations.edit(study.study_id, "Edit the patient record", changes)
    assert words(session, points, map_facts.BY_DEVICE) == 6 * ["SB3"] + ["Unknown"]


def test_it_ends_when_it_is_asked_to(session: Session, points: MapPoints) -> None:
    class EndedError(Exception):
        pass

    def check() -> None:
        raise EndedError

    for way in (map_facts.BY_LABEL, map_facts.BY_SCORE, map_facts.BY_REGION, map_facts.BY_SEEN):
        with pytest.raises(EndedError):
            map_facts.color(session, points, way, check=check)


def test_without_a_model_no_point_has_a_score(session: Session, points: MapPoints) -> None:
    session.current_model = None
    assert words(session, points, map_facts.BY_SCORE) == 7 * ["No score"]


def test_a_label_outside_the_map_colours_nothing(session: Session, points: MapPoints) -> None:
    study = session.library.studies.all()[0]
    open_study(session, study)
    label(session, "blood", 1, 3)
    names, codes = map_facts.label_codes(session, points)
    assert names == ["blood"]
    assert (codes == -1).all()
    assert isinstance(session.library.annotations.labels(study.study_id)[0], Label)
