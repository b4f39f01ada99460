"""When the labels of the demo study take part in a fine-tuning."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.videos import write_video
from tests.wce_desktop.sessions import make_session
from training.video import build_index
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.session.demo import (
    SETTING,
    DemoLabels,
    demo_labels,
    demo_video,
    is_demo,
    studies_to_learn_from,
)
from wce_desktop.session.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = make_session(tmp_path, has_model=False)
    yield made
    made.library.close()


def add(session: Session, folder: Path, name: str, frames: int) -> Study:
    video = write_video(folder / name, frames)
    return session.add_study(video, build_index(video))


def label(session: Session, study: Study) -> None:
    new = Label(f"l-{study.study_id}", study.study_id, Span(2, 5), "polyp")
    session.library.annotations.edit(study.study_id, "label", [Add(new)])


def test_the_shipped_study_is_the_demo_study() -> None:
    assert demo_video().is_file()
    assert is_demo(Study("s", "p", "Demo", demo_video()))
    assert not is_demo(Study("s", "p", "demo-study", Path("mine.mp4")))


def test_labels_of_the_demo_study_are_used_while_there_are_no_others(session: Session, tmp_path: Path) -> None:
    own, demo = add(session, tmp_path, "own.mp4", 20), add(session, tmp_path, "demo-study.mp4", 30)
    assert demo_labels(session) == DemoLabels()
    label(session, demo)
    ids = frozenset({demo.study_id})
    assert demo_labels(session) == DemoLabels(ids, are_only=True, are_used=True)
    assert studies_to_learn_from(session) is None
    label(session, own)
    assert demo_labels(session) == DemoLabels(ids, are_only=False, are_used=False)
    assert demo_labels(session).left_out == ids
    assert studies_to_learn_from(session) == frozenset({own.study_id})
    session.settings.set(SETTING, True)
    assert demo_labels(session) == DemoLabels(ids, are_only=False, are_used=True)
    assert studies_to_learn_from(session) is None


def test_labels_of_other_studies_alone_leave_nothing_to_ask(session: Session, tmp_path: Path) -> None:
    label(session, add(session, tmp_path, "own.mp4", 20))
    add(session, tmp_path, "demo-study.mp4", 30)
    assert not demo_labels(session).study_ids
    assert studies_to_learn_from(session) is None


def test_rejections_in_the_demo_study_are_left_out_with_its_labels(session: Session, tmp_path: Path) -> None:
    own, demo = add(session, tmp_path, "own.mp4", 20), add(session, tmp_path, "demo-study.mp4", 30)
    label(session, own)
    rejected = Label("n", demo.study_id, Span(2, 5), "ulcer", answer="no")
    session.library.annotations.edit(demo.study_id, "rejected", [Add(rejected)])
    assert demo_labels(session).left_out == {demo.study_id}
    assert studies_to_learn_from(session) == frozenset({own.study_id})
