"""Places compared by a clip model in the real window: choosing one, embedding what is missing, and what goes wrong."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.places.clip_models import add_clip_run, write_clips
from tests.wce_desktop.features.places.passes import POLYP, passes_session, same_place
from tests.wce_desktop.features.places.person import Reader, reader_at
from training.commands.score import EmbedClipsCommand
from training.embeddings.writer import partial_path
from training.retrieval.clips import Clips
from training.runs.events import Outcome
from training.runs.reporter import SilentReporter
from wce_desktop.core.span import Span
from wce_desktop.features.places.place_search import PlaceQuery, PlaceSearch
from wce_desktop.features.places.study_clips import EmbeddedClips, overlapping_mean
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.runs import Run
from wce_desktop.session.run_models import ClipModel, clip_runs, embed_clips_job
from wce_desktop.session.session import Session
from wce_desktop.threads.job import Job


@pytest.fixture
def reader(qtbot: QtBot, tmp_path: Path) -> Iterator[Reader]:
    """Pass a is open; a clip model is there, and none is chosen."""
    session = passes_session(tmp_path)
    add_clip_run(session)
    with reader_at(qtbot, session) as made:
        yield made


class Jobs:
    """Takes jobs in place of the window's queue, and ends them when told to."""

    def __init__(self, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[JobSpec] = []
        self._jobs: dict[str, Job] = {}
        monkeypatch.setattr(reader.main.jobs, "submit", self._submit)
        monkeypatch.setattr(reader.main.jobs, "job_writing", lambda path: self._jobs.get(str(path)))

    def _submit(self, spec: JobSpec) -> Job:
        self.asked.append(spec)
        job = self._jobs[spec.config["out"]] = Job(spec)
        return job

    def end(self, spec: JobSpec, outcome: Outcome) -> None:
        self._jobs[spec.config["out"]].report_outcome(outcome)


def chooses(reader: Reader, run: Run | None) -> None:
    """Choose what compares places in the window."""
    sources = reader.window.lists.sources
    sources.setCurrentIndex(sources.findData("" if run is None else run.run_id))
    sources.activated.emit(sources.currentIndex())
    reader.waits()


def sources(reader: Reader) -> list[str]:
    box = reader.window.lists.sources
    return [box.itemText(row) for row in range(box.count())]


def made_by(reader: Reader) -> str:
    return reader.window.lists._made_by.text()


def test_a_chosen_clip_model_compares_places_and_the_window_says_so(reader: Reader) -> None:
    session = reader.session
    (run,) = clip_runs(session.library)
    for name in "abc":
        write_clips(session, name, run)
    reader.finds(11)
    assert sources(reader) == ["Single frames (Model 1)", "Clip model: Clips 1"]
    assert "by single frames with the model “Model 1”" in made_by(reader)
    chooses(reader, run)
    assert made_by(reader).startswith("Compared by the clip model “Clips 1”.")
    assert not reader.window.lists._missing.text()
    study_id, start, stop = reader.places[0]
    assert (study_id, stop - start) == ("b", 4)
    assert abs(start - same_place(POLYP.start)) <= 2
    assert reader.shown[1] in range(start, stop)
    assert session.settings["compare_by"] == run.run_id
    chooses(reader, None)
    assert "by single frames" in made_by(reader)
    assert not session.settings["compare_by"]
    assert reader.places[0][0] == "b"


def test_studies_without_clips_are_named_embedded_by_jobs_and_then_searched(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, jobs = reader.session, Jobs(reader, monkeypatch)
    (run,) = clip_runs(session.library)
    session.settings.set("compare_by", run.run_id)
    reader.finds(11)
    lists = reader.window.lists
    assert lists._missing.text() == "Not embedded by the clip model: Pass a, Pass b."
    assert lists.missing_button.text() == "Embed 2 studies"
    assert not reader.places, "stored embeddings are not mixed in"
    lists.missing_button.click()
    assert [spec.title for spec in jobs.asked] == ["embedding the clips of Pass a", "embedding the clips of Pass b"]
    assert {spec.command for spec in jobs.asked} == {"embed-clips"}
    for spec in jobs.asked:
        EmbedClipsCommand.model_validate(spec.config)
    assert lists._missing.text() == "Being embedded: Pass a, Pass b."
    assert not lists.missing_button.isVisible()
    said = reader.window.pair.right._empty
    assert said.text() == "Nothing was found yet. Being embedded: Pass a, Pass b. They are searched then."
    for spec, name in zip(jobs.asked, "ab", strict=True):
        assert spec.config["out"] == str(write_clips(session, name, run))
        jobs.end(spec, Outcome("done"))
    reader.waits()
    assert reader.places[0][0] == "b", "searched as soon as it is embedded"
    assert not lists._missing.text()


def test_a_place_is_searched_for_in_a_study_that_was_never_scored(qtbot: QtBot, tmp_path: Path) -> None:
    session = passes_session(tmp_path, scored="")
    run = add_clip_run(session, method="videomae")
    for name in "ab":
        write_clips(session, name, run)
    with reader_at(qtbot, session) as reader:
        reader.finds(12)
        assert reader.window.lists._missing.text() == "Not scored by the model in use: Pass a, Pass b."
        chooses(reader, run)
        assert reader.places[0][0] == "b"


def test_clips_that_are_done_while_the_window_is_closed_are_searched_with_the_next_place(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, jobs = reader.session, Jobs(reader, monkeypatch)
    (run,) = clip_runs(session.library)
    write_clips(session, "a", run)
    session.settings.set("compare_by", run.run_id)
    reader.finds(11)
    reader.window.lists.missing_button.click()
    reader.window.close()
    write_clips(session, "b", run)
    jobs.end(jobs.asked[0], Outcome("done"))
    reader.waits()
    assert not reader.places
    reader.finds(11)
    assert reader.places[0][0] == "b"


def test_a_job_that_fails_is_said_and_offered_again(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    session, jobs = reader.session, Jobs(reader, monkeypatch)
    (run,) = clip_runs(session.library)
    write_clips(session, "a", run)
    session.settings.set("compare_by", run.run_id)
    reader.finds(11)
    reader.window.lists.missing_button.click()
    jobs.end(jobs.asked[0], Outcome("failed", "The weights are damaged.", "Choose another run."))
    reader.waits()
    assert reader.said == "The weights are damaged. Choose another run."
    assert reader.window.lists.missing_button.text() == "Embed it"
    assert reader.window.lists.missing_button.isVisible()
    assert reader.window.pair.right._empty.text().startswith("Nothing was found. Not embedded by the clip model")


def test_a_clip_model_can_be_chosen_in_runs_and_models(reader: Reader) -> None:
    session = reader.session
    (run,) = clip_runs(session.library)
    for name in "ab":
        write_clips(session, name, run)
    reader.finds(11)
    assert "by single frames" in made_by(reader)
    models = reader.main.features.models
    reader.presses_main("choose_model")
    models.dialog.tree.choose([run.run_id])
    assert models.dialog.places.isVisible()
    models.dialog.places.click()
    reader.waits()
    assert session.settings["compare_by"] == run.run_id
    assert "“Clips 1” compares places from now on." in reader.main.workspace.messages.text
    assert made_by(reader).startswith("Compared by the clip model “Clips 1”."), "the open search is made again"
    current = session.current_model
    assert current is not None
    models.dialog.tree.choose([current.model_id])
    assert not models.dialog.places.isVisible()


def test_a_study_whose_video_is_gone_is_not_embedded_and_named(
    reader: Reader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    session, jobs = reader.session, Jobs(reader, monkeypatch)
    (run,) = clip_runs(session.library)
    shutil.move(session.library.studies.get("b").path, tmp_path / "elsewhere.mp4")
    session.settings.set("compare_by", run.run_id)
    reader.finds(11)
    reader.window.lists.missing_button.click()
    assert "The video of “Pass b” was not found." in reader.said
    assert [spec.study_id for spec in jobs.asked] == ["a"], "the other one is embedded"


def spoil_bytes(session: Session, name: str, run: Run) -> None:
    """The file is damaged."""
    write_clips(session, name, run).write_bytes(b"no clips")


def spoil_end(session: Session, name: str, run: Run) -> None:
    """Half of a file is there under the name of a finished one."""
    shutil.move(
        write_clips(session, name, run, clips=5),
        ClipModel.of(run).path(session.files(session.library.studies.get(name))),
    )


def spoil_run(session: Session, name: str, run: Run) -> None:
    """Another run has made it."""
    write_clips(session, name, run, model_id="another step 5")


def spoil_video(session: Session, name: str, run: Run) -> None:
    """It is of another video."""
    write_clips(session, name, run, video_fingerprint="other")


SPOILED = [
    (spoil_bytes, "damaged or not finished"),
    (spoil_end, "damaged or not finished"),
    (spoil_run, "made by another clip model"),
    (spoil_video, "of a video with other contents"),
]


@pytest.mark.parametrize("spoiled", ["a", "b"])
@pytest.mark.parametrize(("spoil", "expected"), SPOILED)
def test_a_clip_file_that_cannot_be_used_is_named_and_the_others_are_searched(
    tmp_path: Path, spoil: Callable[[Session, str, Run], None], expected: str, spoiled: str
) -> None:
    session = passes_session(tmp_path, scored="")
    run = add_clip_run(session)
    for name in "abc":
        write_clips(session, name, run)
    spoil(session, spoiled, run)
    query = PlaceQuery("a", "pa", Span(10, 18), 11, "the place")
    others = [session.library.studies.get(name) for name in "bc"]
    found = PlaceSearch(session).find(query, others, EmbeddedClips(ClipModel.of(run)), SilentReporter())
    assert found.unusable == (spoiled,)
    (note,) = found.notes
    assert f"“Pass {spoiled}”" in note
    assert expected in note
    assert {place.study_id for place in found.places} == ({"c"} if spoiled == "b" else set())
    session.library.close()


def test_a_clip_file_that_cannot_be_used_is_said_and_can_be_made_anew(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, jobs = reader.session, Jobs(reader, monkeypatch)
    (run,) = clip_runs(session.library)
    for name in "ac":
        write_clips(session, name, run)
    write_clips(session, "b", run, model_sha256="b" * 64)
    session.settings.set("compare_by", run.run_id)
    reader.finds(11)
    reader.chooses_studies(1)
    lists = reader.window.lists
    assert "“Pass b” was left out." in lists._state.text()
    assert "by other weights of this clip model" in lists._state.text()
    assert {study_id for study_id, *_ in reader.places} == {"c"}, "the others are searched"
    assert lists._missing.text() == "Not embedded by the clip model: Pass b."
    lists.missing_button.click()
    (spec,) = jobs.asked
    assert (spec.study_id, spec.config["overwrite"]) == ("b", True)
    write_clips(session, "b", run)
    jobs.end(spec, Outcome("done"))
    reader.waits()
    assert {study_id for study_id, *_ in reader.places} == {"b", "c"}


def test_a_run_that_was_deleted_is_said_and_stored_embeddings_compare(reader: Reader) -> None:
    session = reader.session
    (run,) = clip_runs(session.library)
    for name in "ab":
        write_clips(session, name, run)
    session.settings.set("compare_by", run.run_id)
    reader.finds(11)
    assert "by the clip model" in made_by(reader)
    session.library.runs.delete(run.run_id)
    session.runs_changed.emit()
    reader.waits()
    assert made_by(reader).startswith("The chosen clip model is no longer in the library. Compared by single frames")
    assert sources(reader) == ["Single frames (Model 1)"]
    assert reader.places[0][0] == "b"


def test_a_run_that_is_damaged_is_said_and_stored_embeddings_compare(reader: Reader) -> None:
    session = reader.session
    (run,) = clip_runs(session.library)
    (run.folder / "split.json").write_text("{")
    session.settings.set("compare_by", run.run_id)
    reader.finds(11)
    assert "“Clips 1” cannot be used: its run is damaged. Compared by single" in made_by(reader)
    assert reader.places[0][0] == "b"


def test_a_job_goes_on_with_an_unfinished_file_of_this_model_only(tmp_path: Path) -> None:
    session = passes_session(tmp_path, "a")
    run, study = add_clip_run(session), session.library.studies.get("a")
    model = ClipModel.of(run)

    def resumes() -> bool:
        return bool(embed_clips_job(session, study, model).config["resume"])

    assert not resumes()
    unfinished = write_clips(session, "a", run, clips=5)
    assert unfinished == partial_path(model.path(session.files(study)))
    assert resumes()
    write_clips(session, "a", run, clips=5, model_id="another step 5")
    assert not resumes()
    unfinished.write_bytes(b"no clips")
    assert not resumes()
    session.library.close()


def test_only_finished_runs_that_train_clips_are_offered(tmp_path: Path) -> None:
    session = passes_session(tmp_path, "a")
    done = [add_clip_run(session, method=method).run_id for method in ("colo-scrl", "videomae")]
    add_clip_run(session, method="simclr")
    session.library.runs.add("Running", kind="pretrain")
    assert [run.run_id for run in clip_runs(session.library)] == done
    session.library.close()


def test_a_place_is_the_mean_of_the_clips_that_overlap_it_most() -> None:
    starts = np.arange(0, 12, 2)
    vectors = np.eye(6, dtype=np.float32)
    vectors[5] = 0  # its frames do not decode
    clips = Clips(starts, starts + 4, vectors)
    half = np.float32(np.sqrt(0.5))
    assert overlapping_mean(clips, Span(4, 8)).tolist() == [0, 0, 1, 0, 0, 0]
    assert overlapping_mean(clips, Span(4, 6)).tolist() == [0, half, half, 0, 0, 0], "both hold the whole place"
    assert np.flatnonzero(overlapping_mean(clips, Span(1, 9))).tolist() == [1, 2], "those inside a longer place"
    assert not overlapping_mean(clips, Span(12, 14)).any()
    assert clips.vectors.sum() == 5, "nothing is changed"
