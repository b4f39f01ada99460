"""What the report of the open study says, gathered from the session; quick enough to do after each edit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from training.version import version
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.landmark import Region, regions
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.annotation.report_part import PartKind
from wce_desktop.core.annotation.transit import Transit, place_of, transit
from wce_desktop.core.calculators import KodaGrade, Result, koda_frames, koda_grades, missing_of, result_of
from wce_desktop.core.clock import counted, format_frame, format_time, percent
from wce_desktop.core.score_text import score_text
from wce_desktop.core.study import Study
from wce_desktop.features.report.model.content import (
    FindingEntry,
    Picture,
    Report,
    Row,
    ScoreEntry,
)
from wce_desktop.features.report.model.texts import Texts, texts_of
from wce_desktop.session.model_notes import score_note
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.session.still_open import still_open

MOST_READ = 12
"""Key frames of a finding that are read, of which those that look alike are left out."""
RELEVANCE_WORDS = {
    "P0": "P0, no potential for bleeding",
    "P1": "P1, uncertain potential for bleeding",
    "P2": "P2, high potential for bleeding",
}
"""Saurin et al. 2003."""
SEEN_BEFORE = {
    True: "; the reader had seen these frames before",
    False: "; the reader had not seen these frames before",
    None: "",
}
TITLES: Mapping[PartKind, str] = {
    "lewis": "Lewis score", "cecdai": "CECDAI", "koda": "KODA", "cc-clear": "CC-CLEAR"
}  # fmt: skip
SPEEDS = "Speeds"
"""Name of the row that says how fast the study was read."""


def program_version() -> str:
    """Name and version of this program."""
    return f"wce_desktop {version()}"


def gather(session: Session, marks: str = "") -> Report:
    """The report of the open study as it stands now, not signed; `marks`: what is drawn into its pictures, in words."""
    reading = session.reading
    assert reading is not None, "a report is of the open study"
    record = session.library.record(reading.study.study_id)
    texts = texts_of(reading.report_parts)
    results = list(_results(reading))
    passed = transit(reading.landmarks, reading.index.video_seconds, has_time=reading.study.runs != ())
    titles = {model.model_id: model.title or model.model_id for model in session.library.models()}
    return Report(
        is_teaching=False,
        patient=_patient(record),
        examination=_examination(reading, record),
        adequacy=adequacy(texts, results),
        transit=_transit(passed) if reading.landmarks else (),
        transit_notes=_transit_notes(passed),
        findings=tuple(_finding(session, reading, titles, *each) for each in numbered(reading)),
        scores=tuple(_score(result) for result in results),
        summary=texts.summary,
        recommendation=texts.recommendation,
        model=_model(session, reading),
        reading=_reading(session, reading, marks),
        links=_links(session, reading),
        note=score_note(session),
        reader=record.read_by,
        signature=None,
        program=program_version(),
    )


def time_of(reading: Reading, frame_index: int) -> str:
    """The time of a frame as h:mm:ss."""
    return format_time(float(reading.index.video_seconds[min(frame_index, reading.frame_count - 1)]))


def adequacy(texts: Texts, results: Iterable[Result]) -> str:
    """Whether the preparation was adequate, by the reader's word and by the scores that say so."""
    said = [
        f"{result.title}: {result.value}{' ' if result.meaning.startswith('of ') else ', '}{result.meaning}"
        for result in results
        if result.is_adequate is not None
    ]
    words = {"": "", "adequate": "adequate", "inadequate": "not adequate"}[texts.adequacy]
    return "; ".join(filter(None, (words, *said)))


def _results(reading: Reading) -> Iterable[Result]:
    for part in reading.report_parts:
        try:
            result = result_of(part)
            is_old = part.kind == "koda" and not _is_of_small_bowel(reading, koda_grades(part.content))
        except ValueError:  # written by something else; the window of the calculators says so
            continue
        if result is not None and not is_old:
            yield result


def unfinished(reading: Reading) -> str:
    """A sentence about scores that are not in the report since something is not entered yet; empty for none."""
    titles = []
    for part in reading.report_parts:
        with suppress(ValueError):  # written by something else; the window of the calculators says so
            if missing_of(part):
                titles.append(TITLES[part.kind])
    return f"Not in the report, since something is not entered yet: {', '.join(titles)} (Shift+F8)." if titles else ""


def _is_of_small_bowel(reading: Reading, grades: Sequence[KodaGrade]) -> bool:
    """Whether frames were graded that lie in the small bowel as it is marked now: its landmarks may have been moved."""
    passed = regions(reading.landmarks, reading.frame_count)
    span = next((span for region, span in passed if region is Region.SMALL_BOWEL), None)
    wanted = () if span is None else koda_frames(reading.index.video_seconds, span)
    return span is None or tuple(one.frame_index for one in grades) == wanted


def _rows(*pairs: tuple[str, str]) -> tuple[Row, ...]:
    """The lines that have something in them."""
    return tuple(Row(name, text) for name, text in pairs if text)


def _patient(record: Record) -> tuple[Row, ...]:
    born = str(record.birth_year) if record.birth_year else ""
    return _rows(("Name or number", record.pseudonym or "not entered"), ("Year of birth", born), ("Sex", record.sex))


def _examination(reading: Reading, record: Record) -> tuple[Row, ...]:
    seconds = float(reading.index.video_seconds[-1]) if reading.frame_count else 0.0
    length = f"{format_time(seconds)}, {counted(reading.frame_count, 'frame')}"
    return _rows(
        ("Date", record.exam_date or "not entered"),
        ("Capsule", record.capsule),
        ("Indication", record.indication),
        ("Preparation", record.preparation),
        ("Recording", length),
    )


def _transit(found: Transit) -> tuple[Row, ...]:
    if all(time.seconds is None for time in found.times):
        return ()
    names = {"gastric": "Stomach", "small bowel": "Small bowel", "whole": "Whole examination"}
    rows = []
    for time in found.times:
        hours = time.text if time.seconds is None else f"{time.text} h"
        rows.append(Row(names[time.name], f"{hours} ({time.note})" if time.note else hours))
    return tuple(rows)


def _transit_notes(found: Transit) -> tuple[str, ...]:
    return tuple(filter(None, (found.problem, *found.consequences)))


def numbered(reading: Reading) -> Iterable[tuple[int, Finding, tuple[int, ...]]]:
    """Findings in order of time with the numbers that the report gives them, and the frames that stand for each."""
    ordered = sorted(reading.findings, key=lambda one: (one.span.start, one.finding_id))
    return ((number, one, reading.frames_of(one)) for number, one in enumerate(ordered, start=1))


def _finding(
    session: Session,
    reading: Reading,
    titles: Mapping[str, str],
    number: int,
    finding: Finding,
    frames: tuple[int, ...],
) -> FindingEntry:
    captions = {frame: f"Frame {format_frame(frame + 1)}, {time_of(reading, frame)}" for frame in frames}
    place = place_of(reading.landmarks, reading.index.video_seconds, finding.span.start)
    begin = f"At {time_of(reading, finding.span.start)}, {counted(len(finding.span), 'frame')}"
    others = [frame for frame in finding.key_frames if frame not in finding.span and frame < reading.frame_count]
    if others:
        begin += f", also at {', '.join(time_of(reading, frame) for frame in others)}"
    return FindingEntry(
        number=number,
        title=session.vocabulary.of(finding.kind).title,
        place=", ".join(filter(None, (begin, place.words if place else ""))),
        rows=_details(finding, titles),
        comment=finding.comment,
        pictures=tuple(Picture(frame, captions[frame]) for frame in frames[:MOST_READ]),
        more_frames=max(len(frames) - MOST_READ, 0),
    )


def _details(finding: Finding, titles: Mapping[str, str]) -> tuple[Row, ...]:
    model = ""
    if finding.model_id:
        title = titles.get(finding.model_id, "")
        model = f"by the model “{title}”" if title else "by a model that is no longer in the library"
        model += SEEN_BEFORE[finding.was_seen_before]
    return _rows(
        ("Segment", finding.segment),
        ("Number", finding.number),
        ("Size", f"{finding.size_mm:g} mm" if finding.size_mm else ""),
        ("Morphology", finding.morphology),
        ("Relevance", RELEVANCE_WORDS.get(finding.relevance, "")),
        ("Suggested", model),
    )


def _score(result: Result) -> ScoreEntry:
    grouped: dict[str, list[str]] = {}
    for name, text in result.inputs:
        group, _, field = name.partition(": ")
        grouped.setdefault(group, []).append(f"{field} {_lower(text)}" if field else text)
    inputs = tuple(Row(name, ", ".join(texts)) for name, texts in grouped.items())
    value, meaning = result.value, result.meaning
    if meaning.startswith("of "):  # the best or the worst there is
        most, _, meaning = meaning.partition("; ")
        value = f"{value} {most}"
    meaning = f"{meaning[:1].upper()}{meaning[1:]}"
    return ScoreEntry(result.title, value, meaning, inputs, result.formula, result.source)


def _lower(text: str) -> str:
    return f"{text[:1].lower()}{text[1:]}"


def _model(session: Session, reading: Reading) -> tuple[Row, ...]:
    model = session.current_model
    if not reading.flag_tracks:
        return _rows(("Model", "The study was not scored by a model."))
    known = still_open(reading)
    shown = counted(known.flags or 0, "flag")
    unseen = f"{known.unseen_flags:,} of {shown} not seen" if known.unseen_flags else "all seen"
    flags = f"{known.flags_in_words} shown; {unseen}"
    live = session.are_flags_live
    named = "live scores, learned from labels" if live else f"{model.title or model.model_id}" if model else ""
    version_text = f"{model.model_id}, weights {model.weights_sha256[:12]}" if model and not live else ""
    return _rows(
        ("Flags by", named),
        ("Version", version_text),
        ("Threshold", score_text(reading.threshold)),
        ("Classes", ", ".join(session.vocabulary.of(name).title for name in reading.flag_tracks)),
        ("Flags", flags),
    )


def _reading(session: Session, reading: Reading, marks: str) -> tuple[Row, ...]:
    known = still_open(reading)
    seen = reading.frame_count - known.unseen_frames
    share = percent(seen / max(reading.frame_count, 1))
    parts = counted(known.unseen_parts, "part")
    unseen = f"{counted(known.unseen_frames, 'frame')} in {parts}" if known.unseen_frames else "none"
    return _rows(
        ("Seen", f"{share} of the study, {seen:,} of {counted(reading.frame_count, 'frame')}"),
        ("Not seen", unseen),
        ("Played too fast to be seen", counted(known.fast_frames, "frame") if known.fast_frames else ""),
        (SPEEDS, speeds_text(session.library.reading_speeds(reading.study.study_id))),
        ("Pictures", marks),
    )


def speeds_text(speeds: Mapping[int, int]) -> str:
    """At which speeds frames were on screen: "by hand 120 frames, 8 frames/s 3,400 frames"."""
    named = ((f"{rate} frames/s" if rate else "by hand", speeds[rate]) for rate in sorted(speeds))
    return ", ".join(f"{name} {counted(frames, 'frame')}" for name, frames in named if frames)


def _links(session: Session, reading: Reading) -> tuple[str, ...]:
    """A sentence for each place that a reader has linked with another study, without names of files."""
    study_id = reading.study.study_id
    library = session.library
    found = [(link.frame_index, link.other_study_id, link.is_same) for link in library.links(study_id)]
    found += [(link.other_frame_index, link.study_id, link.is_same) for link in library.links_to(study_id)]
    others = {study.study_id: study for study in library.studies()} if found else {}
    sentences = []
    for frame, other_id, is_same in sorted(found):
        if other_id == study_id:
            continue
        other = _other_words(others.get(other_id), reading.study)
        verb = "shows the same place as" if is_same else "does not show the same place as"
        sentences.append(f"Frame {format_frame(frame + 1)} ({time_of(reading, frame)}) {verb} a frame of {other}.")
    return tuple(dict.fromkeys(sentences))


def _other_words(other: Study | None, here: Study) -> str:
    """A study by its date and patient; neither its name, which may be that of a file, nor its id."""
    if other is None:
        return "a study that was removed"
    are_entered = other.pseudonym and here.pseudonym
    whose = " of another patient" if are_entered else ""
    if other.patient_id == here.patient_id:
        whose = " of this patient"
    return f"the study of {other.exam_date}{whose}" if other.exam_date else f"another study{whose}"
