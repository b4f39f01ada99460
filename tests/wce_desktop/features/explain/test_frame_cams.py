"""Which map a frame has: from scoring, from memory, from the study's folder; and what would be asked for."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.wce_desktop.sessions import add_study, open_study, write_model
from training.inference.explanation import LAST_LAYER, NOT_MEASURED, Explanation, Method
from training.service.answer_files import ExplanationAnswer, write_answer
from training.service.requests import kept_path
from training.video import FieldOfView
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.features.explain.explanation_texts import quick_words, waiting_words
from wce_desktop.features.explain.frame_cams import FrameCams, explained_classes
from wce_desktop.session.session import Session

VIEW = FieldOfView.full(48, 64)


def explained(method: Method, agreement: float | None = None) -> Explanation:
    values = np.eye(4, dtype=np.float32)
    return Explanation(method, "polyp", "m1", LAST_LAYER, values, VIEW, {"polyp": 0.6}, agreement)


@pytest.fixture
def cams(opened: Session) -> FrameCams:
    made = FrameCams(opened)
    made.class_name = "polyp"
    return made


def test_scores_bring_the_cam_of_every_frame_on_one_scale_but_none_where_a_frame_is_missing(cams: FrameCams) -> None:
    first, peak = cams.of(0), cams.of(12)
    assert first is not None
    assert peak is not None
    assert first.full_scale == peak.full_scale == pytest.approx(0.95, abs=0.01)
    assert float(peak.values.max()) > 5 * float(first.values.max())
    assert (peak.method, peak.model) == ("CAM", "Model 1")
    assert cams.of(50) is None
    assert not cams.can_improve(3)


def test_scores_made_anew_bring_their_own_scale_even_at_the_same_place_in_memory(
    cams: FrameCams, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wce_desktop.features.explain.frame_cams.id", lambda _: 7, raising=False)
    before, reading = cams.of(12), cams._session.reading
    assert before is not None
    assert before.full_scale is not None
    assert reading is not None
    assert reading.flags.embeddings is not None
    monkeypatch.setitem(vars(reading.flags.embeddings), "cams", 2 * np.asarray(reading.flags.embeddings.cams))
    after = cams.of(12)
    assert after is not None
    assert after.full_scale == pytest.approx(2 * before.full_scale, rel=1e-3)


def test_another_method_is_wanting_until_the_exact_one_came_and_shows_the_quick_one_meanwhile(cams: FrameCams) -> None:
    cams.method = "score-cam"
    assert cams.of(12) is None
    request = cams.request(12, refine=True)
    assert request is not None
    cams.take(request, ExplanationAnswer(12, explained("quick", 0.93), "0" * 64, is_final=False))
    shown = cams.of(12)
    assert shown is not None
    assert shown.method == "Score-CAM, quick estimate"
    assert cams.can_improve(12)
    cams.take(request, ExplanationAnswer(12, explained("score-cam"), "0" * 64))
    shown = cams.of(12)
    assert shown is not None
    assert shown.method == "Score-CAM, exact"
    assert not cams.can_improve(12)
    cams.method = "quick"
    shown = cams.of(12)
    assert shown is not None
    assert "quick" in shown.method, "the quick one was asked for"
    cams.class_name = "blood"
    assert cams.of(12) is None, "of another class nothing is known"


def test_what_the_folder_keeps_is_found_and_what_is_damaged_there_counts_as_missing(
    opened: Session, cams: FrameCams
) -> None:
    cams.method = "score-cam"
    request, model = cams.request(7), opened.current_model
    assert request is not None
    assert request.keep_in is not None
    assert model is not None
    place = kept_path(request.keep_in, model.weights_sha256, request)
    place.parent.mkdir(parents=True)
    place.write_bytes(b"no explanation")
    assert cams.of(7) is None
    write_answer(place, ExplanationAnswer(7, explained("score-cam"), model.weights_sha256))
    assert cams.of(7) is not None
    assert cams.score(7, "blood") == pytest.approx(0.1), "the study's scores come first"


def test_a_study_that_was_not_scored_has_the_model_s_classes(session: Session, tmp_path: Path) -> None:
    assert explained_classes(session) == ()
    open_study(session, add_study(session, tmp_path, is_scored=False))
    assert explained_classes(session) == ("polyp", "blood")
    cams = FrameCams(session)
    assert cams.request(0) is None, "no class is chosen yet"
    cams.class_name = "polyp"
    request = cams.request(0)
    assert request is not None
    assert request.field_of_view is None
    assert cams.can_improve(0)
    assert np.isnan(cams.score(0, "polyp"))


def test_the_wait_is_told_in_seconds() -> None:
    quick = explained("quick", 0.96)
    near = "Quick estimate, nearly the same as the exact one on test frames."
    assert waiting_words(quick, 6.4) == f"{near} The exact one follows in 6 s."
    assert waiting_words(quick, None) == f"{near} The exact one follows soon."
    similar, different = explained("quick", 0.85), explained("quick", 0.4)
    assert quick_words(similar) == "Quick estimate, similar to the exact one on test frames."
    assert quick_words(different) == "Quick estimate, often different from the exact one on test frames."
    assert quick_words(replace(quick, note=NOT_MEASURED)) == "Quick estimate."


def test_of_a_study_scored_by_another_model_the_chosen_one_is_asked(opened: Session, tmp_path: Path) -> None:
    opened.library.models.register(write_model(tmp_path / "models", "m2", 1.0), title="Model 2")
    cams = FrameCams(opened)
    cams.class_name = "polyp"
    assert cams.is_from_scores
    opened.scores.use_model("m2")
    assert not cams.is_from_scores
    assert cams.of(12) is None, "what Model 1 saw is not shown as what Model 2 sees"
    request = cams.request(12)
    assert request is not None
    assert request.model.name == "m2"


def test_a_rejected_flag_has_no_contour_unless_it_is_asked_for(cams: FrameCams) -> None:
    reading = cams._session.opened()
    assert cams.is_wanted(12)
    cams._session.edits.apply("No", [Add(Label("l", reading.study.study_id, Span(10, 14), "polyp", answer="no"))])
    assert not cams.is_wanted(12)
    cams.asked.add(12)
    assert cams.is_wanted(12)
