"""What the report of the open study says, gathered from the session; quick enough to do after each edit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from training.version import version
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.landmark import Region, regions
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.annotation.transit import Transit, place_of, transit
from wce_desktop.core.calculators import KodaGrade, Result, koda_frames, koda_grades, result_of
from wce_desktop.core.clock import counted, format_frame, format_time, percent
from wce_desktop.core.score_text import score_text
from wce_desktop.core.span import SpanSet
from wce_desktop.features.report.model.content import (
    FindingEntry,
    Open,
    Picture,
    Report,
    Row,
    ScoreEntry,
)
from wce_desktop.features.report.model.texts import Texts, texts_of
from wce_desktop.session.model_notes import score_note
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session

MOST_PICTURES = 4
"""Of a finding; more do not fit beside each other on a page."""
RELEVANCE_WORDS = {
    "P0": "P0, no potential for bleeding",
    "P1": "P1, uncertain potential for bleeding",
    "P2": "P2, high potential for bleeding",
}
"""Saurin et al. 2003."""
SPEEDS = "Speeds"
"""Name of the row that says how fast the study was read."""


def program_version() -> str:
    """Name and version of this program."""
    return f"wce_desktop {version()}"


def gather(session: Session) -> Report:
    """The report of the open study as it stands now, not signed."""
    reading = session.reading
    assert reading is not None, "a report is of the open study"
    record = session.library.record(reading.study.study_id)
    texts = texts_of(reading.report_parts)
    results = list(_results(reading))
    passed = transit(reading.landmarks, reading.index.video_seconds, has_time=reading.study.runs != ())
    return Report(
        is_teaching=False,
        patient=_patient(record),
        examination=_examination(reading, record),
        adequacy=adequacy(texts, results),
        transit=_transit(passed) if reading.landmarks else (),
        transit_notes=_transit_notes(passed),
        findings=tuple(_finding(session, reading, number, each) for number, each in numbered(reading.findings)),
        scores=tuple(_score(result) for result in results),
        summary=texts.summary,
        recommendation=texts.recommendation,
        model=_model(session, reading),
        reading=_reading(session, reading),
        links=_links(session, reading),
        note=score_note(session),
        reader=record.read_by,
        signature=None,
        program=program_version(),
    )


def still_open(reading: Reading) -> Open:
    """What has not been seen of the open study; flags one by one, however they are grouped."""
    unseen = SpanSet.from_mask(~reading.seen)
    return Open(
        flags=len(reading.events) if reading.flag_tracks else None,
        unseen_flags=int(np.count_nonzero(~reading.seen[reading.events.peak_frames])),
        frames=reading.frame_count,
        unseen_frames=unseen.frame_count,
        fast_frames=int(np.count_nonzero(reading.fast & ~reading.seen)) if reading.fast.size else 0,
        unseen_parts=len(unseen),
    )


def time_of(reading: Reading, frame_index: int) -> str:
    """The time of a frame as h:mm:ss."""
    return format_time(float(reading.index.video_seconds[min(frame_index, reading.frame_count - 1)]))


def key_frames(finding: Finding, frame_count: int) -> tuple[int, ...]:
    """The frames that stand for a finding: its key frames, else the one in the middle."""
    chosen = tuple(dict.fromkeys(frame for frame in finding.key_frames if frame < frame_count))
    return chosen or (min((finding.span.start + finding.span.stop - 1) // 2, frame_count - 1),)


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
    return _rows(("Name or number", record.pseudonym), ("Year of birth", born), ("Sex", record.sex))


def _examination(reading: Reading, record: Record) -> tuple[Row, ...]:
    seconds = float(reading.index.video_seconds[-1]) if reading.frame_count else 0.0
    length = f"{format_time(seconds)}, {counted(reading.frame_count, 'frame')}"
    return _rows(
        ("Date", record.exam_date),
        ("Study", reading.study.study_id),
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


def numbered(findings: Iterable[Finding]) -> Iterable[tuple[int, Finding]]:
    """Findings in order of time with the numbers that the report gives them."""
    return enumerate(sorted(findings, key=lambda one: (one.span.start, one.finding_id)), start=1)


def _finding(session: Session, reading: Reading, number: int, finding: Finding) -> FindingEntry:
    frames = key_frames(finding, reading.frame_count)
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
        rows=_details(finding, len(frames) - MOST_PICTURES),
        comment=finding.comment,
        pictures=tuple(Picture(frame, captions[frame]) for frame in frames[:MOST_PICTURES]),
    )


def _details(finding: Finding, more_frames: int) -> tuple[Row, ...]:
    model = ""
    if finding.model_id:
        seen = {True: ", seen before the flag", False: ", not seen before the flag", None: ""}
        model = f"by {finding.model_id}{seen[finding.was_seen_before]}"
    return _rows(
        ("Segment", finding.segment),
        ("Number", finding.number),
        ("Size", f"{finding.size_mm:g} mm" if finding.size_mm else ""),
        ("Morphology", finding.morphology),
        ("Relevance", RELEVANCE_WORDS.get(finding.relevance, "")),
        ("Suggested", model),
        ("More key frames", str(more_frames) if more_frames > 0 else ""),
    )


def _score(result: Result) -> ScoreEntry:
    inputs = tuple(Row(name, text) for name, text in result.inputs)
    return ScoreEntry(result.title, result.value, result.meaning, inputs, result.formula, result.source)


def _model(session: Session, reading: Reading) -> tuple[Row, ...]:
    model = session.current_model
    if not reading.flag_tracks:
        return _rows(("Model", "The study was not scored by a model."))
    known = still_open(reading)
    shown, unseen = len(reading.events), known.unseen_flags
    flags = f"{counted(shown, 'flag')} shown, {shown - unseen:,} seen, {unseen:,} not seen"
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


def _reading(session: Session, reading: Reading) -> tuple[Row, ...]:
    known = still_open(reading)
    seen = reading.frame_count - known.unseen_frames
    share = percent(np.floor(seen / max(reading.frame_count, 1) * 1000) / 1000)  # 100 % means every frame
    parts = counted(known.unseen_parts, "part")
    unseen = f"{counted(known.unseen_frames, 'frame')} in {parts}" if known.unseen_frames else "none"
    return _rows(
        ("Seen", f"{share} of the study, {seen:,} of {counted(reading.frame_count, 'frame')}"),
        ("Not seen", unseen),
        ("Played too fast to be seen", counted(known.fast_frames, "frame") if known.fast_frames else ""),
        (SPEEDS, speeds_text(session.library.reading_speeds(reading.study.study_id))),
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
        date = others[other_id].exam_date if other_id in others else ""
        other = f"the study of {date}" if date else f"study {other_id}"
        verb = "shows the same place as" if is_same else "does not show the same place as"
        sentences.append(f"Frame {format_frame(frame + 1)} ({time_of(reading, frame)}) {verb} a frame of {other}.")
    return tuple(dict.fromkeys(sentences))
