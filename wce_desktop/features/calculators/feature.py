"""Calculators of the open study: their inputs are parts of its report, saved at once, each change an undo step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from training.texts import Text
from wce_desktop.core import format_frame, format_time, to_translate, tr, tr_count
from wce_desktop.core.annotation import Add, PartKind, Remove, ReportPart, part_of
from wce_desktop.core.calculators import SCORES, KodaGrade, koda_content, koda_frames, koda_grades, result_of
from wce_desktop.core.calculators.prefilled import koda_proposed
from wce_desktop.core.language import number_text
from wce_desktop.core.visible_mucosa import koda_of_share, proposed_koda, share_words
from wce_desktop.features.calculators.calculators_window import CalculatorsWindow
from wce_desktop.session import edits, frame_facts
from wce_desktop.session.completeness.measured import measured
from wce_desktop.session.completeness.score_basis import (
    are_frames_graded,
    disagreement,
    proposed_answers,
    score_notes,
    small_bowel_of,
    with_basis,
)
from wce_desktop.session.reading import Reading
from wce_desktop.widgets import basic, dialogs, frame_pictures
from wce_desktop.workspace import Connections, Feature, Workspace, guard

UNREADABLE = to_translate("The stored inputs cannot be read; clear them, then choose again.")
NO_SMALL_BOWEL = to_translate("Mark where the small bowel and the colon begin: the score is of the small bowel.")
PICTURE_PX = 640
TERTILES, HALVES = 3, 2


class CalculatorsFeature(Feature):
    """Opens the window, keeps what is entered, and shows the frames that KODA grades."""

    own_actions = ("show_calculators",)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.window: CalculatorsWindow | None = None
        """Once it was opened."""
        self._pictures = frame_pictures.FramePictures(self, side_px=PICTURE_PX)
        self._pictures.arrived.connect(self._picture_arrived)
        self._connections = Connections(
            (self._session.study_opened, self._study_opened),
            (self._session.study_closed, self._study_closed),
            (self._session.annotations_changed, lambda _: self.refresh()),
        )

    @property
    def is_busy(self) -> bool:
        """True while a frame is read."""
        return self._pictures.is_busy

    def show_calculators(self) -> None:
        """Open the window with the scores of the open study."""
        if self.window is None:
            self.window = self._make_window()
        self._study_opened()
        dialogs.bring_to_front(self.window)
        self.refresh()

    def close(self) -> None:
        """End the thread and disconnect."""
        super().close()
        self._study_closed()

    def _make_window(self) -> CalculatorsWindow:
        window = CalculatorsWindow(self._workspace.window)
        window.addActions(self._workspace.share_undo(self, window.show_message, (ReportPart,)))

        def guarded(step: Callable[..., object]) -> Callable[..., None]:
            return guard(step, lambda error: basic.show_text(window.problem, tr(error)))

        for kind, form in window.forms.items():
            form.changed.connect(guarded(partial(self.keep, kind)))
            form.confirmed.connect(guarded(partial(self.keep, kind, is_confirmed=True)))
            form.result.clear.clicked.connect(guarded(lambda *_, kind=kind: self.clear(kind)))
        window.koda.graded.connect(guarded(self.grade))
        window.koda.result.clear.clicked.connect(guarded(lambda *_: self.clear("koda")))
        window.koda.frame_shown.connect(self._show_frame)
        return window

    # Edits

    def keep(self, kind: PartKind, content: Mapping[str, Any], is_confirmed: bool = False) -> None:
        """Store the inputs of a calculator; without any the score is removed.

        `is_confirmed`: the reader says that they agree with findings and landmarks as these are now.
        """
        if not content:
            self.clear(kind)
            return
        content = with_basis(self._workspace.reading, kind, content, is_confirmed=is_confirmed)
        change = edits.part_change(self._workspace.reading, kind, content, self._session.library.reader)
        title = Text("Enter the {name}" if isinstance(change, Add) else "Change the {name}", _name(kind))
        self._session.edits.apply(title, [change])

    def clear(self, kind: PartKind) -> None:
        """Remove the inputs of a calculator, and the score from the report."""
        old = part_of(self._workspace.reading.entries.report_parts, kind)
        if old is not None:
            self._session.edits.apply(f"Remove the {_name(kind)}", [Remove(old)])
        self.refresh()

    def grade(self, frame_index: int, parameter: str, grade: int) -> None:
        """Store a grade of one frame."""
        grades = self._koda_grades(self._workspace.reading)
        changed = [replace(each, **{parameter: grade}) if each.frame_index == frame_index else each for each in grades]
        self.keep("koda", koda_content(changed))

    # What the window shows

    def refresh(self) -> None:
        """Show the inputs and scores of the open study."""
        window, reading = self.window, self._session.reading
        if window is None or reading is None or not window.isVisible():
            return
        basic.show_text(window.problem, "")
        window.show_message("")
        for kind, form in window.forms.items():
            part = part_of(reading.entries.report_parts, kind)
            result, problem = _computed(part)
            basic.show_text(form.divisions, _divisions(reading, {"lewis": TERTILES, "cecdai": HALVES}.get(kind, 0)))
            content = part.content if part is not None and not problem else {}
            disagrees = not problem and bool(disagreement(reading, kind))
            form.show_content(content, result, problem, proposed_answers(reading, kind), disagrees)
            form.result.show_notes(() if problem else score_notes(reading, kind))
        self._refresh_koda(window, reading)

    def _refresh_koda(self, window: CalculatorsWindow, reading: Reading) -> None:
        part = part_of(reading.entries.report_parts, "koda")
        result, problem = _computed(part)
        grades = () if problem else self._koda_grades(reading)
        note = _cleansing_words(reading) if small_bowel_of(reading) is not None else tr(NO_SMALL_BOWEL)
        # Landmarks may have been moved: then the stored grades are of other frames.
        is_theirs = part is not None and not problem and are_frames_graded(reading, part)
        window.koda.show_grades(grades, result if is_theirs else None, note, problem)
        window.koda.result.show_notes(() if problem else score_notes(reading, "koda"))

    def _koda_grades(self, reading: Reading) -> tuple[KodaGrade, ...]:
        """The frames to grade, with the grades that they have."""
        part, span = part_of(reading.entries.report_parts, "koda"), small_bowel_of(reading)
        stored = koda_grades(part.content) if part is not None else ()
        if span is None:
            return stored
        by_frame = {grade.frame_index: grade for grade in stored}
        wanted = koda_frames(reading.index.video_seconds, span)
        return tuple(by_frame.get(frame, KodaGrade(frame)) for frame in wanted)

    def _show_frame(self, frame_index: int) -> None:
        reading, window = self._session.reading, self.window
        if reading is None or window is None:
            return
        seconds = float(reading.index.video_seconds[min(frame_index, reading.frame_count - 1)])
        grades = self._koda_grades(reading)
        number = next((at for at, grade in enumerate(grades, start=1) if grade.frame_index == frame_index), 0)
        place = tr_count(
            "{number} of {count} frame: frame {frame} at {time}",
            "{number} of {count} frames: frame {frame} at {time}",
            len(grades),
            number=number,
            frame=format_frame(frame_index + 1),
            time=format_time(seconds),
        )
        window.koda.place.setText(place)
        basic.show_text(window.koda.entered, self._entered_words(reading, grades[number - 1] if number else None))
        window.koda.show_picture(self._pictures.get(reading.study.study_id, frame_index))
        if number < len(grades):
            self._pictures.get(
                reading.study.study_id, grades[number].frame_index
            )  # the next one, so that it is there in time

    def _entered_words(self, reading: Reading, grade: KodaGrade | None) -> str:
        """What was entered of a frame that is graded, and the grade that follows from it until there is one."""
        if grade is None:
            return ""
        names = {label.name for label in reading.entries.labels.at(grade.frame_index)}
        names |= {one.kind for one in reading.entries.findings if grade.frame_index in one.span}
        titles = ", ".join(sorted(self._session.vocabulary.of(name).shown_title for name in names))
        answer, visible = koda_proposed(names), reading.flags.visible_mucosa
        if answer is None and visible is not None and not grade.is_complete:
            measured = float(visible[grade.frame_index])
            if (both := koda_of_share(measured)) is not None:
                entered = tr("Entered here: {classes}.", classes=titles) if names else ""
                words = tr(
                    "Measured: {percent} of the mucosa visible. Proposal: {first}, then {second}; press the keys that "
                    "you agree with.", percent=share_words(measured), first=both[0], second=both[1]
                )  # fmt: skip
                return f"{entered} {words}".strip()
        if not names or answer is None or grade.visualised is not None:
            return tr("Entered here: {classes}", classes=titles) if names else ""
        return tr(
            "Entered here: {classes}. Visualised mucosa: {grade}? Press {grade} to confirm.",
            classes=titles,
            grade=answer,
        )

    def _picture_arrived(self, study_id: str, frame_index: int) -> None:
        reading, window = self._session.reading, self.window
        if reading is None or window is None or reading.study.study_id != study_id:
            return
        if window.koda.frame_index == frame_index:
            window.koda.show_picture(self._pictures.get(reading.study.study_id, frame_index))

    # Slots of the session

    def _study_opened(self) -> None:
        reading = self._session.reading
        if reading is None or self.window is None:
            return
        place = frame_facts.place_of(reading)
        self._pictures.open(lambda _: place)
        self.window.setWindowTitle(tr("Scores – {study}", study=reading.study.shown_name))
        self.refresh()

    def _study_closed(self) -> None:
        self._pictures.close()
        if self.window is not None:
            self.window.close()


def _cleansing_words(reading: Reading) -> str:
    """What was measured of each region, and the score that is proposed."""
    visible, bowel, words = reading.flags.visible_mucosa, small_bowel_of(reading), measured(reading)["cleansing"].words
    score = None
    if visible is not None and bowel is not None:
        score = proposed_koda(visible, koda_frames(reading.index.video_seconds, bowel))
    if score is None or not words:
        return ""
    return " ".join(
        (
            tr("Automatic: {words}.", words=words),
            tr("Proposed KODA: {score}; it counts once you have graded the frames.", score=number_text(score, ".2f")),
            tr("The measurement was checked on one make of capsule; it may be too low on others."),
        )
    )


def _computed(part: ReportPart | None) -> tuple[Any, str]:
    """The result of stored inputs, and a sentence where they cannot be read."""
    try:
        return (None if part is None else result_of(part)), ""
    except ValueError:
        return None, tr(UNREADABLE)


def _divisions(reading: Reading, parts: int) -> str:
    """Where each part of the small bowel begins, equal parts of its transit time; a sentence where that is unknown."""
    if not parts:
        return ""
    span = small_bowel_of(reading)
    if span is None:
        return tr("Mark where the small bowel and the colon begin to see where its parts lie.")
    seconds = reading.index.video_seconds
    start, stop = float(seconds[span.start]), float(seconds[span.stop - 1])
    edges = [format_time(start + (stop - start) * at / parts) for at in range(parts + 1)]
    names = ("first", "second", "third") if parts == TERTILES else ("proximal", "distal")
    spans = zip(names, pairwise(edges), strict=True)
    values = {name: tr("{begin} to {end}", begin=begin, end=end) for name, (begin, end) in spans}
    if parts == TERTILES:
        return tr("By transit time: first {first}, second {second}, third {third}.", **values)
    return tr("By transit time: proximal {proximal}, distal {distal}.", **values)


def _name(kind: PartKind) -> str:
    """What a step that can be undone calls a score: "KODA score"; English, since it is stored."""
    return SCORES[kind] if SCORES[kind].endswith("score") else f"{SCORES[kind]} score"
