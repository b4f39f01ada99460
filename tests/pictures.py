"""The pictures of README and docs, made by the program itself.

python -m tests.pictures                    all of them, into docs/pictures; some fifteen minutes on two cores
python -m tests.pictures neighbours map     only these
python -m tests.pictures --work DIR         keeps the phantom studies in DIR for the next call

Every picture shows the demo study or phantom studies, which are synthetic. The window is driven by the actions of its
menus and by the words on its buttons, off screen.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen:configfile=tests/data/screen.json")  # larger than any window
os.environ["LC_ALL"] = "C.UTF-8"  # in English

from PySide6.QtWidgets import QApplication, QPushButton, QTabBar, QWidget

from docs import sample_reports
from wce_desktop.core.annotation import Add, ReportPart
from wce_desktop.session.demo import ensure_model
from wce_desktop.shell.application import make_application, open_session
from wce_desktop.shell.main_window import MainWindow

ROOT = Path(__file__).resolve().parents[1]
SIZE = (1280, 800)
PATIENCE_SECONDS = 1800.0
IDLE_CHECKS = 5
CHECK_SECONDS = 0.1
SURE = 0.9
MANY_PARTS = 2
PASSES = ("--studies", "2", "--frames", "400", "--seed", "0", "--set", "passes=2", "--set", "positive_share=0.1")
PHANTOM = ("--studies", "4", "--frames", "700", "--seed", "0", "--set", "positive_share=0.15")


class Photographer:
    """A person at the window, who waits for each answer and keeps pictures of what is there."""

    def __init__(self, app: QApplication, window: MainWindow, folder: Path) -> None:
        self.app, self.window, self.folder = app, window, folder

    def wait(self) -> None:
        """Until nothing is being opened, drawn or computed any more."""
        checks, end = 0, time.monotonic() + PATIENCE_SECONDS
        while checks < IDLE_CHECKS:
            if time.monotonic() > end:
                raise TimeoutError("the window was not idle in time")
            self.app.processEvents()
            time.sleep(CHECK_SECONDS)
            checks = checks + 1 if self.window.is_idle else 0

    def act(self, *action_ids: str) -> None:
        """Do what these menu entries do, one after the other."""
        for action_id in action_ids:
            action = self.window.menus.actions[action_id]
            if not action.isEnabled():
                raise RuntimeError(f"{action_id} is greyed out")
            action.trigger()
            self.wait()

    def check(self, *action_ids: str, on: bool = True) -> None:
        """Bring these menu entries with a tick into a state."""
        for action_id in action_ids:
            if self.window.menus.actions[action_id].isChecked() != on:
                self.act(action_id)

    def shown(self) -> list[QWidget]:
        """The windows on the screen."""
        return [one for one in self.app.topLevelWidgets() if one.isVisible()]

    def opened_by(self, step: Callable[[], None]) -> QWidget:
        """The window that a step opens."""
        before = self.shown()
        step()
        self.wait()
        opened = [one for one in self.shown() if one not in before]
        if len(opened) != 1:
            raise RuntimeError(f"{len(opened)} windows were opened: {[one.windowTitle() for one in opened]}")
        return opened[0]

    def opened_by_action(self, action_id: str) -> QWidget:
        """The window that a menu entry opens."""
        return self.opened_by(lambda: self.act(action_id))

    def click(self, widget: QWidget, words: str) -> None:
        """Click the visible button whose text begins with these words."""
        buttons = [one for one in widget.findChildren(QPushButton) if one.isVisibleTo(widget)]
        chosen = [one for one in buttons if one.text().replace("&", "").startswith(words)]
        if not chosen:
            raise RuntimeError(f"no button “{words}” among {[one.text() for one in buttons]}")
        chosen[0].click()
        self.wait()

    def keep(self, name: str, widget: QWidget | None = None) -> None:
        """Write a picture of a widget, or of the main window."""
        self.wait()
        path = self.folder / f"{name}.png"
        if not (widget or self.window).grab().save(str(path)):
            raise OSError(f"{path} cannot be written")
        print(path, flush=True)


def take_demo(person: Photographer) -> None:
    """The demo study with the CAM on: what `wce-desktop --demo --screenshot` writes."""
    with tempfile.TemporaryDirectory() as scratch:
        picture = person.folder / "demo.png"
        options = ["--demo", "--library", f"{scratch}/library", "--size", "{}x{}".format(*SIZE), "--overwrite"]
        run("-m", "wce_desktop", *options, "--screenshot", str(picture))
        print(picture, flush=True)


def take_desk(person: Photographer) -> None:
    """The demo study on the research desk, the same in the reading mode, and the overview of suggested findings."""
    person.act("open_demo", "go_first", *["next_event"] * 4)
    person.check("toggle_overlay")
    person.keep("research-desk")
    person.check("research_desk", on=False)
    person.act("only_frame")
    person.window.showNormal()
    person.window.resize(*SIZE)
    person.keep("reading-mode")
    person.act("only_frame", "show_flags", "show_overview")
    person.window.resize(*SIZE)
    person.keep("overview")
    person.click(person.window, "Back")


def take_report(person: Photographer) -> None:
    """A sample report before it is signed, its scores, and landmarks with transit times."""
    with sample_reports.entered(3) as session:
        ensure_model(session)
        study = session.opened().study
        session.close_study()
        lewis = ReportPart.new(study_id=study.study_id, kind="lewis", content=LEWIS)
        session.library.annotations.edit(study.study_id, "Lewis score", [Add(lewis)])
        window = MainWindow(session)
        window.resize(*SIZE)
        window.show()
        visitor = Photographer(person.app, window, person.folder)
        try:
            visitor.act("open_demo", "show_landmarks", "go_first", *["next_event"] * 4)
            visitor.check("toggle_overlay", on=False)
            visitor.keep("landmarks")
            for action_id, name in (("show_calculators", "scores"), ("show_report", "report")):
                shown = visitor.opened_by_action(action_id)
                visitor.keep(name, shown)
                shown.close()
        finally:
            window.jobs.shut_down()
            window.close()


def take_score_cam(person: Photographer) -> None:
    """Exact Score-CAM beside the frame, and the box that follows from it."""
    person.act("open_demo", "show_explain")
    person.check("toggle_overlay", "side_by_side")
    person.act("next_method", "next_method", "explain_frame", "suggest_boxes")
    person.keep("score-cam")
    person.act("next_method")
    person.check("toggle_overlay", "side_by_side", on=False)
    person.act("show_flags")


def take_suggested(person: Photographer) -> None:
    """A suggested finding of the demo study in the list and on the timeline."""
    person.act("open_demo", "show_flags")
    person.check("toggle_overlay", on=False)
    person.act("go_first")
    reading = person.window.session.reading
    for _ in range(len(reading.flags.events) if reading is not None else 0):
        person.act("next_event")
        event = reading.event_here() if reading is not None else None
        if reading is not None and event is not None and len(reading.flags.parts_of(event)) > MANY_PARTS:
            person.keep("suggested")
            return
    raise RuntimeError("no suggested finding has several parts")


def take_places(person: Photographer) -> None:
    """A place of one pass of a phantom patient beside the place found in the other pass, and linked with it."""
    with tempfile.TemporaryDirectory() as scratch:
        phantom, library = Path(scratch) / "phantom", Path(scratch) / "library"
        run("-m", "training", "phantom", str(phantom), *PASSES)
        run("-m", "wce_desktop", "import", str(phantom), "--library", str(library), "--yes", "--reader", "Reader")
        session = open_session(library)
        ensure_model(session)
        window = MainWindow(session)
        window.resize(*SIZE)
        window.show()
        visitor = Photographer(person.app, window, person.folder)
        try:
            visitor.check("research_desk")
            for _ in range(2):
                visitor.act("next_study", "score_study")
            visitor.act("previous_study")
            open_labelled(visitor, "blood")
            shown = visitor.opened_by_action("find_place")
            shown.resize(*SIZE)
            choose_same_lesion(visitor)
            visitor.click(shown, "This is the same place")
            visitor.keep("places", shown)
            shown.close()
        finally:
            window.jobs.shut_down()
            window.close()


def choose_same_lesion(person: Photographer) -> None:
    """Choose the first place found that shows the lesion of the place searched for: “P01a-L3” is “P01b-L3”."""
    window, session = person.window.features.places.window, person.window.session
    reading = session.reading
    if window is None or reading is None:
        raise RuntimeError("no place is searched for")
    wanted = {str(label.finding_id).split("-")[-1] for label in reading.labels_here() if label.finding_id}
    for row, found in enumerate(window.lists.places):
        labels = session.library.annotations.labels(found.study_id)
        shown = [one for one in labels if one.finding_id and one.span.intersects(found.span)]
        if wanted & {str(label.finding_id).split("-")[-1] for label in shown}:
            window.lists.found.setCurrentRow(row)
            person.wait()
            return
    raise RuntimeError("no place shows the same lesion")


def take_neighbours(person: Photographer) -> None:
    """Frames that look like a labelled frame with blood."""
    person.check("toggle_overlay", on=False)
    open_labelled(person, "blood")
    person.act("find_like_frame")
    person.keep("neighbours")
    person.check("toggle_neighbours", on=False)


def take_findings(person: Photographer) -> None:
    """The findings and labels of a study."""
    person.check("toggle_overlay", on=False)
    open_labelled(person, "ulcer")
    person.act("show_findings")
    person.keep("findings")
    person.act("show_flags")


def take_map(person: Photographer) -> None:
    """The embedding map of all studies, coloured by label."""
    dialog = person.opened_by_action("show_map")
    dialog.resize(*SIZE)
    question = person.opened_by(lambda: person.click(dialog, "New map"))
    person.click(question, "Choose all")
    person.click(question, "Create the map")
    person.keep("map", dialog)
    dialog.close()


def take_train(person: Photographer) -> None:
    """The window in which a pretraining or a finetuning is set up."""
    dialog = person.opened_by_action("train")
    dialog.resize(*SIZE)
    person.click(dialog, "Choose all")
    person.keep("train", dialog)
    dialog.close()


def take_train_reid(person: Photographer) -> None:
    """The curves of a training of re-identification on the findings of the phantom studies."""
    training = person.window.features.learning.training
    dialog = person.opened_by(lambda: training.show_task("train-reid"))
    dialog.resize(*SIZE)
    person.click(dialog, "Choose all")
    person.click(dialog, "Start training")
    person.keep("train-reid", dialog)
    dialog.close()


def take_comparison(person: Photographer) -> None:
    """Old and new model after a fine-tuning with the standard preset."""
    dialog = person.opened_by_action("finetune")
    person.click(dialog, "Fine-tune")
    person.keep("comparison", dialog)
    dialog.close()


def take_runs(person: Photographer) -> None:
    """The list of runs and models, with the card of the one in use."""
    dialog = person.opened_by_action("choose_model")
    dialog.resize(*SIZE)
    tabs = dialog.findChild(QTabBar)
    if tabs is not None:
        tabs.setCurrentIndex(2)
    person.keep("runs", dialog)
    dialog.close()


PICTURES: dict[str, Callable[[Photographer], None]] = {
    "demo": take_demo,
    "report": take_report,
    "desk": take_desk,
    "score-cam": take_score_cam,
    "suggested": take_suggested,
    "places": take_places,
    "neighbours": take_neighbours,
    "findings": take_findings,
    "map": take_map,
    "train": take_train,
    "train-reid": take_train_reid,
    "comparison": take_comparison,
    "runs": take_runs,
}
"""In this order: `runs` shows what `comparison` has trained."""
FOR_RESEARCH = {"desk", "map", "train", "train-reid", "comparison", "runs"}
"""These are taken on the research desk."""
LEWIS = {
    **{f"villi-{tertile}": "normal" for tertile in (1, 2, 3)},
    "ulcers-1": "single",
    "ulcer-extent-1": "short",
    "ulcer-size-1": "small",
    "ulcers-2": "none",
    "ulcers-3": "none",
    "stenosis": "none",
}


def run(*arguments: str) -> None:
    """Run Python on one of the program's own commands."""
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def open_labelled(person: Photographer, name: str) -> None:
    """Go back through the studies to an event that the model calls by this name, and the labels too."""
    session = person.window.session
    for _ in session.library.studies.all():
        person.act("previous_study", "go_first")
        reading = session.reading
        for _ in range(len(reading.flags.events) if reading is not None else 0):
            person.act("next_event")
            event = reading.event_here() if reading is not None else None
            if reading is None or event is None or event.peak_score < SURE:
                continue
            if event.name == name and {label.name for label in reading.labels_here()} == {name}:
                return
    raise RuntimeError(f"no flagged event is labelled {name}")


def prepare(folder: Path) -> Path:
    """Phantom studies with their labels in a library, unless the folder holds them already; returns the library."""
    phantom, library = folder / "phantom", folder / "library"
    if not library.is_dir():
        run("-m", "training", "phantom", str(phantom), *PHANTOM)
        run("-m", "wce_desktop", "import", str(phantom), "--library", str(library), "--yes", "--reader", "Reader")
    return library


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the pictures named; all of them without a name."""
    parser = argparse.ArgumentParser(prog="python -m tests.pictures", description="Make the pictures of the docs.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PICTURES))
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures", metavar="DIR")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep the studies there for the next call")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(PICTURES):
        parser.error(f"no picture {', '.join(sorted(unknown))}; there are {', '.join(PICTURES)}")
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        library = prepare(options.work or Path(scratch))
        app = make_application()
        session = open_session(library)
        ensure_model(session)
        window = MainWindow(session)
        window.resize(*SIZE)
        window.show()
        person = Photographer(app, window, options.out)
        try:
            person.check("research_desk")
            person.act("open_demo", "score_all")
            for name in options.names or PICTURES:
                person.check("research_desk", on=name in FOR_RESEARCH)
                PICTURES[name](person)
        finally:
            window.jobs.shut_down()
            window.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
