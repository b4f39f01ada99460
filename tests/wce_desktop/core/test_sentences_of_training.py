"""What `training` really says, in German: real errors, verdicts, notes and steps, with their values."""

import errno
import os
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.training.metrics.test_verdict import row, told
from training.datasets.labels import read_labels
from training.datasets.manifest import load_manifest, patients_note
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.finetuning.evaluation import REFITTED, stages_entry
from training.metrics.figures import trust_warning, verdict
from training.pretraining.config import pretrain_config
from training.runs.events import Busy, Outcome, Progress
from training.runs.failure import describe_failure
from training.texts import Text, join_texts
from training.video import open_source
from training.video.source import FrameMissing
from wce_desktop.core.annotation.vocabulary import with_class_names
from wce_desktop.core.language import in_english, read_translations, tr, use_translations
from wce_desktop.jobs.child_process import outcome_of_crash
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.session.places import resource
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import ended_words, for_reader, is_alarm, progress_words, state_words

ROOT = Path(__file__).parents[3]
TRANSLATIONS = read_translations(resource("translations", "wce_desktop_de.ts"))


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    use_translations(with_class_names(TRANSLATIONS))
    yield
    use_translations({})


def test_what_is_left_out_of_the_collection_is_there() -> None:
    collected = runpy.run_path(str(ROOT / "docs" / "translate.py"))
    for name in (*collected["LEFT_OUT"], *collected["BUGS"]):
        path = ROOT / "training" / name
        assert path.is_dir() or path.with_name(f"{path.name}.py").is_file() or list(path.parent.glob(f"{path.name}*"))


def told_to(call: object, *arguments: object) -> str:
    with pytest.raises(UserError) as caught:
        call(*arguments)  # type: ignore[operator]
    return tr(caught.value)


def test_errors(tmp_path: Path) -> None:
    missing = tmp_path / "gone.h5"
    assert (
        told_to(EmbeddingFile.open, missing)
        == f"Die Datei {missing} gibt es nicht. Zuerst die Scores der Studie berechnen."
    )
    empty = tmp_path / "leer.mp4"
    empty.touch()
    assert told_to(open_source, empty).startswith(f"{empty.name} ist leer (0 Bytes).")
    gone = tmp_path / "m.json"
    said = told_to(load_manifest, gone)
    assert said.startswith(f"Das Manifest {gone} kann nicht gelesen werden: Manifest {gone} gibt es nicht.")
    labels = tmp_path / "labels.csv"
    labels.write_text("study_id,label,start,stop\nA,blood,5,x\n")
    assert told_to(read_labels, labels) == (f"{labels}, Zeile 2: Spalte stop: Der Wert muss eine ganze Zahl sein.")
    error = FrameMissing("P03.mp4", 3)
    assert tr(error) == (
        "Bild 4 von P03.mp4 kann nicht dekodiert werden. "
        "Die Datei ist dort beschädigt; die anderen Bilder behalten ihre Nummern."
    )


def test_a_setting_that_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        pretrain_config(studies="s", out="o", method="time-triplet", steps=-1)
    assert "der Wert muss " in tr(caught.value.message)
    assert "(angegeben ist -1)" in tr(caught.value.message)


def test_failures_of_jobs() -> None:
    full = describe_failure(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a.h5"))
    assert (tr(full.message), tr(full.hint)) == (
        "Die Festplatte ist voll, beim Schreiben von a.h5.",
        "Plattenplatz freigeben und noch einmal starten; es wird fortgesetzt.",
    )
    assert tr(describe_failure(MemoryError()).message) == "Der Arbeitsspeicher des Computers reichte nicht."
    crash = outcome_of_crash("Nachtraining", -9, ("Killed",))
    assert tr(str(crash)) == (
        "Der Prozess für „Nachtraining“ ist unerwartet beendet worden (SIGKILL). Vielleicht war der Speicher voll: "
        "andere Programme schließen oder einen kleineren Batch wählen. Die letzte Ausgabe war: Killed"
    )
    assert crash.message == "The process for Nachtraining ended unexpectedly (SIGKILL)."


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        ("patients", "Nicht zu sagen: nur 2 Patienten mit einem Befund wurden zurückgehalten."),
        ("time", "Nicht zu sagen: kein Patient konnte zurückgehalten werden."),
    ],
)
def test_a_verdict_that_cannot_be_told(split: str, expected: str) -> None:
    few = row(0.9, 0.9, patients=2)
    said = verdict(told({"polyp": few}, {"polyp": few}) | {"split": split})["sentence"]
    assert said.startswith("Cannot be told")
    assert tr(said) == expected


def test_a_verdict_with_several_losses() -> None:
    old = {name: row(0.99, 0.95, patients=2) for name in ("polyp", "ulcer")}
    new = {name: row(0.8, 0.2, patients=2) for name in old}
    flags = {"blood": {"old_flagged": 2345, "new_flagged": 12, "frames": 9000, "agreement": 0.5}}
    said = verdict(told(old, new, unlabelled=flags))["sentence"]
    assert tr(said) == (
        "Schlechter: Markierungen für Blut sind von 2.345 auf 12 Bilder gefallen; "
        "Sensitivität für Ulkus ist von 0,95 auf 0,20 gefallen; Sensitivität für Polyp ist von 0,95 auf 0,20 gefallen."
    )


def test_stages_and_warnings() -> None:
    figures = {"any": {"auc": 0.91, "patients": 3}, "polyp": {"auc": 0.9, "positives": 5}}
    assert tr(stages_entry(figures, figures, "network")["sentence"]).startswith(
        "AUC auf zurückgehaltenen Bildern: linearer Klassifikator 0,905, trainiertes Netz 0,905; "
        "das trainierte Netz wird behalten. Weil diese Bilder"
    )
    sentence = join_texts(" ", (stages_entry(figures, figures, "network")["sentence"], REFITTED))
    assert "Netz 0,905; das trainierte Netz wird behalten" in tr(sentence)
    assert tr(trust_warning(figures)) == (
        "Zu wenige Daten für verlässliche Kennzahlen: Die Grundlage sind nur 3 Patienten und nur 5 Bilder mit Polyp."
    )
    assert tr(patients_note(3)) == "3 Dateien ohne eingetragene Patienten: Ergebnisse können optimistisch sein."


def test_a_job(tmp_path: Path) -> None:
    job = Job(JobSpec("x", "finetune", {}))
    assert progress_words(Progress(3, 10, "steps", "x", 0.25)) == "30 %   4 s je Schritt"
    assert progress_words(Progress(3, 0, "studies", "x", 2.0)) == "3 Studien   2,0 Studien/s"
    job.state, job.busy = "running", Busy(True, "writing a checkpoint")
    assert state_words(job) == "Checkpoint wird geschrieben"
    job.state, job.outcome = "failed", Outcome("failed", "The graphics card ran out of memory.", "Leave out step.")
    assert ended_words(job, "finetune", can_resume=False) == (
        "Fehlgeschlagen: Der Speicher der Grafikkarte reichte nicht. step weglassen."
    )
    assert job.outcome.message == "The graphics card ran out of memory.", "what the library keeps"
    prefix = Text("fold {number} of {folds}, seed {seed}: ", 1, 5, 0)
    line = prefix + Text("Resuming from the checkpoint of step {step}.", 1200)
    assert line == "fold 1 of 5, seed 0: Resuming from the checkpoint of step 1200."
    assert for_reader(line) == "Fold 1 von 5, Startwert 0: Fortgesetzt ab dem Checkpoint von Schritt 1200."
    assert not is_alarm(line)


def test_reasons_within_texts_of_the_window() -> None:
    said = tr("The library in {folder} is damaged and cannot be opened ({what}).", folder="f", what="Permission denied")
    assert "Permission denied" in said, "a value of any other name is data"
    said = tr("{path} cannot be written ({reason}).", path="a.csv", reason="Permission denied")
    assert said.endswith("(Keine Berechtigung).")
    assert "Die Datei ist dort beschädigt" in tr("{path} is damaged: {error}.", path="a", error=FrameMissing("P03", 4))


def test_what_is_stored_stays_english() -> None:
    with in_english():
        assert tr("The disk is full.") == "The disk is full."
        assert tr("Failed: {why}", why="The disk is full.") == "Failed: The disk is full."


def test_an_unknown_sentence_stays() -> None:
    assert tr("Quantum flux exceeded in P03.mp4 (7 of 9).") == "Quantum flux exceeded in P03.mp4 (7 of 9)."
