"""A study with a name in its path and in its picture: nothing that is written outside the database holds the name.

Every export, log and run folder is here. The one exception is the hospital's own report, which holds what was entered
into the patient record, but nothing of the file's name.
"""

import base64
import io
import logging
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.models import write_untrained_model
from tests.wce_desktop.sessions import make_session, open_study
from tests.wce_desktop.windows import press, press_sign, wait, window_on
from training.commands.common import find_command
from training.datasets import local_paths
from training.embeddings.file import EmbeddingFile
from training.inference.score import score_study
from training.models.folder import ModelFolder
from training.runs.reporter import SilentReporter
from training.video import build_index, open_source
from wce_desktop.core.annotation.change import Add, Replace
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.annotation.vocabulary import load_vocabulary
from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.features.embedding_map.maps import MapRequest, MapStore, map_job
from wce_desktop.features.neighbours.frame_export import write_contact_sheet, write_frames_csv
from wce_desktop.library import Library
from wce_desktop.library.backup import copies
from wce_desktop.library.exchange import export_library
from wce_desktop.library.exchange.annotation_export import export_annotations
from wce_desktop.library.exchange.clinical.exporting import REPORT_FORMATS
from wce_desktop.library.exchange.export_formats import EXPORT_FORMATS
from wce_desktop.library.exchange.reading_file import export_reading
from wce_desktop.library.storage import encrypting, key_file
from wce_desktop.session.frame_facts import FrameFacts, FramePlaces
from wce_desktop.session.places import resource
from wce_desktop.session.session import Session
from wce_desktop.session.settings import Settings
from wce_desktop.session.work import finetune_job
from wce_desktop.shell import logging_setup
from wce_desktop.shell.cli import exchange_cli
from wce_desktop.shell.diagnostics import write_diagnostics
from wce_desktop.shell.logging_setup import FORMATTER

NAMES = ("MEIER_Anna_1950-03-01", "HUBER_Karl_1944-12-24")
TELLING = (b"MEIER", b"Meier", b"Anna", b"1950-03-01", b"HUBER", b"Karl")
PASSPHRASE = "four quiet words"
ENTERED = "H-4711 KOWALSKI"
"""What the reader enters for the patient: in the hospital's own report, and nowhere else."""
PERSONAL = (*TELLING, b"KOWALSKI", b"H-4711")  # random identifiers of DICOM may hold 4711
SIZE, FRAMES = 192, 24
TEXT_ROWS = slice(0, 16)


def frame_with_name(number: int) -> NDArray[np.uint8]:
    """A round field of view with tissue in it, and the name of the patient in the corner above."""
    rows, columns = np.mgrid[:SIZE, :SIZE]
    wave = 30 * np.sin(columns / 9 + number / 3) * np.cos(rows / 7)
    tissue = np.stack([170 + wave, 90 + wave, 60 + wave / 2], axis=2)
    inside = (rows - SIZE / 2 - 4) ** 2 + (columns - SIZE / 2) ** 2 < (SIZE / 2 - 10) ** 2
    picture = np.where(inside[:, :, None], tissue, 0).clip(0, 255).astype(np.uint8)
    cv2.putText(picture, "MEIER", (1, 11), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (255, 255, 255), 1)
    return picture


def write_study(path: Path, shift: int) -> Path:
    """A video of such frames."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=5, options={"crf": "12", "x264-params": "threads=1"})
        stream.width = stream.height = SIZE
        stream.pix_fmt = "yuv420p"
        for number in range(FRAMES):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(frame_with_name(number + shift), format="rgb24")))
        container.mux(stream.encode())
    return path


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of two such studies, scored, labelled, with boxes, findings and patient records; made once."""
    folder = tmp_path_factory.mktemp("ward")
    made = make_session(folder, has_model=False)
    made.library.models.register(write_untrained_model(folder / "models", "m1", ("normal", "polyp")), title="Model")
    made.scores.use_model("m1")
    model = ModelFolder.open(made.library.folder / "models" / "m1")
    for at, name in enumerate(NAMES):
        video = write_study(folder / f"{name}.mp4", 7 * at)
        study = made.add_study(video, build_index(video))
        study_id, old = study.study_id, made.library.studies.record(study.study_id)
        labels = [Label(f"l-{at}", study_id, Span(2, 8), "polyp"), Label(f"n-{at}", study_id, Span(10, 20), "normal")]
        finding = Finding(f"f-{at}", study_id, "polyp", Span(2, 8), 4.0, key_frames=(4,))
        box = Box(f"b-{at}", study_id, 4, 60, 60, 90, 95, "polyp")
        record = Record(study_id, old.patient_id, ENTERED, 1950, "female", "2026-03-01")
        made.library.annotations.edit(
            study_id, "Read it", [*(Add(each) for each in labels), Add(finding), Add(box), Replace(old, record)]
        )
        made.library.annotations.mark_seen(study_id, [Span(0, FRAMES)])
        score_study(video, model, made.files(study).scores_path("m1"))
        made.scores.scored(study_id, "m1")
    made.library.close()
    return made.library.folder


@pytest.fixture
def session(scored: Path, tmp_path: Path) -> Iterator[Session]:
    """A session on a copy of it."""
    shutil.copytree(scored, tmp_path / "library")
    settings = Settings(tmp_path / "settings.json")
    settings.set("keep_model_ready", False)
    settings.set("desk", "research")
    library = Library.open(tmp_path / "library", "reader")
    made = Session(library, settings, load_vocabulary(resource("labels", "default.json")))
    yield made
    made.close_study()
    made.library.close()


def telling_files(folder: Path, words: tuple[bytes, ...] = PERSONAL) -> list[str]:
    """Files outside the database, its backups and the lists of local paths whose names or contents hold such a word.

    Of the database and its backups only the names count: their content is the library itself.
    """
    found = []
    for path in sorted(folder.rglob("*")):
        is_own = path.name == local_paths.FILE_NAME or path.name.startswith("library.") or "backups" in path.parts
        content = b"" if is_own or not path.is_file() else path.read_bytes() + text_of(path)
        content += path.name.encode()
        found += [f"{path.relative_to(folder)}: {word.decode()}" for word in words if word in content]
    return found


def text_of(path: Path) -> bytes:
    """The words and facts of a PDF, which are packed; nothing for other files."""
    if path.suffix != ".pdf":
        return b""
    reader = PdfReader(path)
    words = " ".join(page.extract_text() for page in reader.pages)
    return f"{words} {reader.metadata}".encode()


def pictures_in(path: Path) -> list[NDArray[np.uint8]]:
    """(H, W, 3) BGR of a picture, of the first frame of a clip, and of what a PDF or HTML page holds."""
    if path.suffix == ".mp4":
        with av.open(str(path)) as clip:
            return [np.asarray(next(clip.decode(video=0)).to_ndarray(format="bgr24"), np.uint8)]
    encoded: list[bytes] = []
    if path.suffix in (".png", ".jpg"):
        encoded = [path.read_bytes()]
    elif path.suffix == ".pdf":
        for page in PdfReader(path).pages:
            for each in page.images:
                assert each.image is not None
                buffer = io.BytesIO()
                each.image.convert("RGB").save(buffer, "PNG")
                encoded.append(buffer.getvalue())
    elif path.suffix == ".html":
        encoded = [base64.b64decode(part) for part in re.findall(rb"base64,([A-Za-z0-9+/=]+)", path.read_bytes())]
    read = [cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) for data in encoded]
    assert all(picture is not None for picture in read), path
    return [np.asarray(picture, np.uint8) for picture in read]


def studies_of(session: Session) -> tuple[Study, ...]:
    return session.library.studies.all()


def assert_masked(folder: Path) -> int:
    """Check every picture below a folder: black where the name is burned in; returns how many there are.

    Those that are cut to the field of view have a black corner instead.
    """
    count = 0
    for path in sorted(folder.rglob("*")):
        for picture in pictures_in(path) if path.is_file() else []:
            is_whole = picture.shape[0] >= SIZE
            named = picture[TEXT_ROWS, :60] if is_whole else picture[:16, :16]
            assert named.max() < 40, f"{path.name} shows the name"
            assert picture.max() > 60, f"{path.name} shows nothing"
            count += 1
    return count


def test_the_name_is_burned_in(session: Session) -> None:
    with open_source(studies_of(session)[0].path) as source:
        assert source.read(3)[TEXT_ROWS, :60].max() > 200


def test_no_export_holds_a_name(session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, library = tmp_path / "out", session.library
    export_library(library, out / "tables", has_free_text=True)
    for each in EXPORT_FORMATS:
        if each.name != "csv":
            export_annotations(library, out / each.name, each, session.vocabulary.names)
    for study in studies_of(session):
        export_reading(library, study.study_id, out / f"{study.study_id}.json")
        second = library.studies.add_second(study.study_id, "second")
        library.annotations.edit(
            second.study_id, "Read", [Add(Label(f"s-{study.study_id}", second.study_id, Span(3, 9), "polyp"))]
        )
        export_reading(library, second.study_id, out / f"{second.study_id}.json")
    frames = FrameSelection({study.study_id: [4] for study in studies_of(session)})
    write_frames_csv(out / "frames.csv", frames, FrameFacts(session))
    write_diagnostics(out / "diagnostics.txt", session, [])
    assert telling_files(out) == []
    assert assert_masked(out) >= 6
    assert not list(out.rglob(local_paths.FILE_NAME))
    export_library(library, out / "tables", has_paths=True)
    paths = (out / "tables" / local_paths.FILE_NAME).read_text(encoding="utf-8")
    assert all(name in paths for name in NAMES), "on request they are in a file of their own"
    assert list((library.folder / "backups").iterdir())
    assert telling_files(library.folder) == [], "and neither do the names of backups"
    library.close()
    for name in ("csv", "kvasir", *REPORT_FORMATS):
        arguments = ["export", str(out / f"shell-{name}"), "--format", name, "--library", str(library.folder)]
        assert exchange_cli.main(arguments) == 0, name
        assert any((out / f"shell-{name}").rglob("*.*"))
    assert telling_files(out) == []
    assert_masked(out)
    assert not any(word.decode() in capsys.readouterr().out for word in TELLING)


def test_exports_of_the_window_hold_no_name(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with window_on(qtbot, session, studies_of(session)[0]) as window:
        window.workspace.go_to_frame(4)
        wait(qtbot, lambda: window.player.frame_index == 4)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(out / "boxes.json"), ""))
        press(window, "export_coco")
        wait(qtbot, lambda: (out / "boxes.json").is_file())
        window.features.explain.turn_on()
        wait(qtbot, lambda: window.is_idle)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(out / "picture.png"), ""))
        press(window, "save_picture")
        wait(qtbot, lambda: (out / "picture.png").is_file())
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: str(out / "model"))
        monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Yes)
        press(window, "export_model")
        wait(qtbot, lambda: window.is_idle)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(out / "audit.csv"), ""))
        press(window, "show_audit")
        wait(qtbot, lambda: window.features.audit.window is not None and window.is_idle)
        assert window.features.audit.window is not None
        window.features.audit.window.studies.setCurrentIndex(0)
        window.features.audit.window.export.click()
        assert (out / "audit.csv").is_file()
    assert telling_files(out) == []
    assert assert_masked(out) == 1


def test_reports_clips_and_stills_hold_no_name(
    qtbot: QtBot, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, anonymous = tmp_path / "out", tmp_path / "anonymous"
    out.mkdir()
    anonymous.mkdir()
    with window_on(qtbot, session, studies_of(session)[0]) as window:
        press(window, "show_report")
        wait(qtbot, lambda: window.is_idle)
        shown = window.features.report.window
        assert shown is not None

        def save(button: QWidget, path: Path, said: str) -> None:
            monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(path), ""))
            monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, **__: str(path))
            shown.show_message("")
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            wait(qtbot, lambda: said in shown.message.text())

        save(shown.pdf, out / "report.pdf", "was saved as report.pdf")
        save(shown.html, out / "report.html", "was saved as report.html")
        save(shown.anonymous, anonymous / "anonymous.pdf", "version without names was saved")
        save(shown.clips, anonymous, "1 clip and 1 still were saved")
    assert {path.suffix for path in anonymous.iterdir()} == {".pdf", ".html", ".mp4", ".png"}
    assert telling_files(anonymous) == []
    assert assert_masked(anonymous) >= 4
    assert any("KOWALSKI" in line for line in telling_files(out)), "the report is about the patient that was entered"
    assert telling_files(out, TELLING) == []
    assert assert_masked(out) >= 2


def test_after_encryption_neither_library_nor_copies_hold_a_name_or_a_report(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    folder, disk = session.library.folder, tmp_path / "disk"
    disk.mkdir()
    with window_on(qtbot, session, studies_of(session)[0]) as window:
        press(window, "show_report")
        wait(qtbot, lambda: window.is_idle)
        shown = window.features.report.window
        assert shown is not None
        shown.sign_box.reader.setText("Dr Kowalski")
        press_sign(shown)
        wait(qtbot, lambda: window.is_idle and shown.versions.count() == 1)
        session.library.back_up()
        copies.copy_newest(folder, disk)
        session.library.close()
    kept = copies.place_of_copies(folder, disk)
    for place in (folder / "reports", folder / "backups", folder, kept, kept / "reports"):
        assert plain_words(place), f"{place.name} can be read before"
    assert encrypting.encrypt_library(folder, PASSPHRASE) == []
    try:
        copies.copy_newest(folder, disk)
        assert plain_words(kept) == []
        listed = {path.name for path in folder.rglob(local_paths.FILE_NAME)}  # of runs: paths stay, as the page says
        assert [name for name in plain_words(folder) if name not in listed] == []
        with Library.open(folder, "reader") as library:
            sealed = [one for study in library.studies.all() for one in library.reports.signed(study.study_id)]
            assert b"KOWALSKI" in sealed[0].read(".html")
            assert [name for name in plain_words(folder) if name not in listed] == []
    finally:
        key_file.lock(folder)


def plain_words(folder: Path) -> list[str]:
    """The names of files with a name of the patient, or with the header of a PDF or an HTML page.

    Of the library only; what the settings and the log hold is the reader's.
    """
    sought = (*PERSONAL, b"%PDF", b"<html", b"SQLite format 3")
    return sorted(
        path.name for path in folder.rglob("*") if path.is_file() and any(word in path.read_bytes() for word in sought)
    )


def test_a_contact_sheet_holds_no_name(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    study, out = studies_of(session)[0], tmp_path / "sheet.png"
    write_contact_sheet(
        out,
        [(study.study_id, 4)],
        {(study.study_id, 4): ("one", "two")},
        FramePlaces(session),
        "foot",
        SilentReporter(),
    )
    (sheet,) = pictures_in(out)
    with open_source(study.path) as source:
        shown = source.read(4)
    assert telling_files(tmp_path) == []
    name, tissue = shown[:14, :50, ::-1], shown[60:130, 60:130, ::-1]
    assert found_in(sheet, tissue)
    assert not found_in(sheet, name)
    assert found_in(np.ascontiguousarray(shown[..., ::-1]), name)


def found_in(picture: NDArray[np.uint8], part: NDArray[np.uint8]) -> bool:
    """Whether a part, such as a name, stands somewhere in a picture, at about any size."""
    best = 0.0
    for scale in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5):
        small = cv2.resize(np.ascontiguousarray(part), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        if small.shape[0] <= picture.shape[0] and small.shape[1] <= picture.shape[1]:
            best = max(best, float(cv2.matchTemplate(picture, small, cv2.TM_CCOEFF_NORMED).max()))
    return best > 0.6


def test_runs_and_embedding_files_hold_no_name(session: Session, tmp_path: Path) -> None:
    library = session.library
    run = library.runs.add("A run")
    spec = finetune_job(session, run.folder, "linear", {"steps": 2})
    config_class, run_it, _ = find_command(spec.command)
    run_it(config_class(**spec.config), SilentReporter())
    written = {path.name for path in run.folder.rglob("*")}
    assert {"config.json", "manifest.json", "log.txt", "card.json", "split.json"} <= written
    paths = {study.study_id: session.files(study).scores_path("m1") for study in studies_of(session)}
    kept = MapStore(library.folder).add(
        MapRequest(title="A map", model_id="m1", space="backbone", paths=paths, method="pca", sample=0)
    )
    spec = map_job(session, kept)
    config_class, run_it, _ = find_command(spec.command)
    run_it(config_class(**spec.config), SilentReporter())
    assert kept.has_points
    assert telling_files(library.folder) == []
    for study in studies_of(session):
        with EmbeddingFile.open(session.files(study).scores_path("m1")) as file:
            assert file.header.video_path == ""
            assert file.header.video_fingerprint == study.fingerprint
    open_study(session, studies_of(session)[0])


def test_the_log_holds_no_name(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    before = list(root.handlers)
    monkeypatch.setattr(logging_setup, "qInstallMessageHandler", lambda _: None)
    log = tmp_path / "log" / "wce.log"
    logging_setup.start_logging(log)
    try:
        FORMATTER.know(studies_of(session))
        study = studies_of(session)[0]
        try:
            raise ValueError(f"{study.path} is damaged")
        except ValueError:
            logging_setup.LOG.exception("scoring %s failed", study.name)
        logging_setup.LOG.warning("“%s” was not found", tmp_path / "new" / "Karl HUBER 1944.avi")
    finally:
        for handler in root.handlers[:]:
            if handler not in before:
                root.removeHandler(handler)
                handler.close()
        FORMATTER.know([])
    assert "failed" in log.read_text(encoding="utf-8")
    assert telling_files(log.parent) == []
