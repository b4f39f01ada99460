"""What the report of the open study says, gathered from the session; quick enough to do after each edit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from training.version import version
from training.video.frame_index import IMAGES_PER_SECOND
from wce_desktop.core import capital, counted, format_frame, format_time, to_translate, tr
from wce_desktop.core.annotation.finding import REPORT_ENTRIES, Finding
from wce_desktop.core.annotation.landmark import first_frames, small_bowel
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.annotation.transit import Transit, place_of, transit
from wce_desktop.core.rates import origin_words, threshold_text
from wce_desktop.core.study import Study
from wce_desktop.core.visible_mucosa import view_words
from wce_desktop.features.report.model.content import DISCLAIMER, FindingEntry, LandmarkEntry, Picture, Report, Row
from wce_desktop.features.report.model.parts import REQUEST, adequacy, results_of, score_entry, texts_of
from wce_desktop.session.completeness.frame_audit import audit_of, result_words
from wce_desktop.session.completeness.measured import Measured, measured
from wce_desktop.session.completeness.protocol import protocol_of, protocol_words
from wce_desktop.session.completeness.still_open import flags_in_words, still_open
from wce_desktop.session.model_notes import score_note, switched_off, unfamiliar_words
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session

MOST_READ = 12
"""Key frames of a finding that are read, of which those that look alike are left out."""
MOST_PICTURED = 300
"""Findings with pictures; those of thousands would take gigabytes."""
SEEN_BEFORE = {
    True: to_translate("the reader had seen these frames before they were flagged"),
    False: to_translate("the reader had not seen these frames before they were flagged"),
    None: "",
}
TRANSIT_NAMES = {
    "gastric": to_translate("Stomach"),
    "small bowel": to_translate("Small bowel"),
    "whole": to_translate("Whole examination"),
}
SPEEDS = to_translate("Shown, repeats included")
"""Name of the row that says how fast the study was read."""


def gather(session: Session, marks: str = "", most: int | None = None) -> Report:
    """The report of the open study as it stands now, not signed, without logo, in the language of the window.

    Args:
        marks: what is drawn into its pictures, in words.
        most: so many findings, or all.
    """
    reading = session.reading
    assert reading is not None, "a report is of the open study"
    record = session.library.studies.record(reading.study.study_id)
    texts = texts_of(reading.entries.report_parts)
    results = list(results_of(reading))
    passed = transit(reading.entries.landmarks, reading.index.video_seconds, has_time=reading.study.runs != ())
    names = Names(session, reading)
    return Report(
        is_anonymous=False,
        patient=_rows(
            (tr("Name or number"), record.pseudonym or tr("not entered")),
            (tr("Year of birth"), str(record.birth_year) if record.birth_year else ""),
            (tr("Sex"), tr(record.sex)),
        ),
        examination=_examination(reading, record),
        request=_rows(*((tr(title), getattr(texts, name)) for name, title in REQUEST.items())),
        adequacy=adequacy(texts, results),
        landmarks=tuple(_landmarks(reading, names)),
        transit=_transit(passed) if reading.entries.landmarks else (),
        transit_notes=tuple(filter(None, (passed.problem, *passed.consequences))),
        findings=tuple(_finding(reading, names, *each) for each in islice(numbered(reading), most)),
        pictures=tuple(
            _picture(names, frame) for frame in reading.entries.drawings.in_report if frame < reading.frame_count
        ),
        scores=tuple(score_entry(reading, result) for result in results),
        summary=texts.summary,
        recommendation=texts.recommendation,
        model=_model(session, reading),
        reading=_reading(session, reading, marks),
        links=_links(session, reading, names),
        note=score_note(session),
        reader=record.read_by,
        signature=None,
        program=f"wce_desktop {version()}",
        disclaimer=tr(DISCLAIMER),
        letterhead=tuple(filter(None, map(str.strip, str(session.settings["report_letterhead"]).split("|")))),
    )


class Names:
    """What the entries of a study are called."""

    def __init__(self, session: Session, reading: Reading) -> None:
        self._session, self._reading = session, reading
        self.models = {model.model_id: model.title or model.model_id for model in session.library.models.all()}
        """Titles of the models that are in the library, by their ids."""

    def kind(self, name: str) -> str:
        """The title of a class."""
        return self._session.vocabulary.of(name).shown_title

    def time(self, frame_index: int) -> str:
        """The time of a frame as h:mm:ss."""
        seconds = self._reading.index.video_seconds
        return format_time(float(seconds[min(frame_index, self._reading.frame_count - 1)]))


def _rows(*pairs: tuple[str, str]) -> tuple[Row, ...]:
    """The lines that have something in them."""
    return tuple(Row(name, text) for name, text in pairs if text)


def _examination(reading: Reading, record: Record) -> tuple[Row, ...]:
    seconds = float(reading.index.video_seconds[-1]) if reading.frame_count else 0.0
    values = measured(reading)
    length = f"{format_time(seconds)}, {counted(reading.frame_count, 'frame')}"
    if reading.index.kind == "images":
        length = tr("{length}; all times are estimated: images have none, {count} count as a second",
                    length=length, count=IMAGES_PER_SECOND)  # fmt: skip
    return _rows(
        (tr("Date"), record.exam_date or tr("not entered")),
        (tr("Capsule"), record.capsule),
        (tr("Indication"), record.indication),
        (tr("Preparation"), record.preparation),
        (tr("Recording"), length),
        (tr("Measured"), _with_source(values["cleansing"])),
        (tr("Blood indicator"), _with_source(values["blood"]) if values["blood"].is_confirmed else ""),
    )


def _with_source(value: Measured) -> str:
    """ "Visible mucosa …, automatic": what was measured counts as the reader's once it is confirmed."""
    if not value.words:
        return ""
    words = f"{value.words[:1].upper()}{value.words[1:]}".replace(" %", "\N{NO-BREAK SPACE}%")
    by = tr("automatic, confirmed by the reader") if value.is_confirmed else tr("automatic, not confirmed")
    return f"{words} ({by})"


def _transit(passed: Transit) -> tuple[Row, ...]:
    rows = []
    for time in passed.times:
        text = f"{time.text} ({time.note})" if time.note else time.text
        rows.append(Row(tr(TRANSIT_NAMES[time.name]), text))
    return tuple(rows) if any(time.seconds is not None for time in passed.times) else ()


def _landmarks(reading: Reading, names: Names) -> Iterator[LandmarkEntry]:
    for region, frame in first_frames(reading.entries.landmarks).items():
        if frame < reading.frame_count:
            title = tr(region)
            yield LandmarkEntry(capital(title), _picture(names, frame))


def _picture(names: Names, frame: int) -> Picture:
    return Picture(frame, tr("Frame {frame}, {time}", frame=format_frame(frame + 1), time=names.time(frame)))


def numbered(reading: Reading) -> Iterable[tuple[int, Finding, tuple[int, ...]]]:
    """Findings in order of time with the numbers that the report gives them, and the frames that stand for each."""
    ordered = sorted(reading.entries.findings, key=lambda one: (one.span.start, one.finding_id))
    return ((number, one, reading.entries.frames_of(one)) for number, one in enumerate(ordered, start=1))


def _finding(reading: Reading, names: Names, number: int, finding: Finding, frames: tuple[int, ...]) -> FindingEntry:
    place = place_of(reading.entries.landmarks, reading.index.video_seconds, finding.span.start)
    others = [frame for frame in finding.key_frames if frame not in finding.span and frame < reading.frame_count]
    values = {"time": names.time(finding.span.start), "frames": counted(len(finding.span), "frame")}
    begin = tr("At {time}, {frames}", **values)
    if others:
        values["others"] = ", ".join(map(names.time, others))
        begin = tr("At {time}, {frames}, also at {others}", **values)
    model, most = "", MOST_READ if number <= MOST_PICTURED else 0
    if finding.model_id:
        title = names.models.get(finding.model_id, "")
        by = tr("by the model “{model}”", model=title) if title else tr("by a model that is no longer in the library")
        model = "; ".join(filter(None, (by, tr(SEEN_BEFORE[finding.was_seen_before]))))
    entries = [(name, entry) for name, entry in REPORT_ENTRIES.items() if name != "comment"]
    entered = [(tr(entry.title), entry.words(getattr(finding, name), in_report=True)) for name, entry in entries]
    return FindingEntry(
        number=number,
        title=names.kind(finding.kind),
        place=", ".join(filter(None, (begin, place.words if place else ""))),
        rows=_rows(*entered, (tr("Suggested"), model)),
        comment=finding.comment,
        pictures=tuple(_picture(names, frame) for frame in frames[:most]),
        more_frames=max(len(frames) - most, 0),
    )


def _model(session: Session, reading: Reading) -> tuple[Row, ...]:
    model = session.current_model
    if not reading.flags.flag_tracks:
        return _rows(
            (
                tr("Model"),
                tr("Flags are hidden.") if reading.flags.is_hidden else tr("The study was not scored by a model."),
            )
        )
    known = still_open(reading)
    shown, all_flags = flags_in_words(known.flags or 0, known.suggested), counted(known.flags or 0, "flag")
    flags = tr("{flags} shown; all seen", flags=shown)
    if known.unseen_flags:
        flags = tr("{flags} shown; {unseen} of {all} not seen", flags=shown, unseen=known.unseen_flags, all=all_flags)
    if known.unanswered_flags:
        flags = tr("{flags}; {unanswered} not answered", flags=flags, unanswered=known.unanswered_flags)
    named, version_text, threshold = "", "", threshold_text(reading.flags.threshold_read, reading.flags.scale)
    if session.scores.are_flags_live:
        named = tr("live scores, learned from labels")
    elif model:
        named = model.title or model.model_id
        version_text = tr("weights {sum}", sum=model.weights_sha256[:12])
    return _rows(
        (tr("Flags by"), named),
        (tr("Version"), version_text),
        (tr("Threshold"), tr("{threshold}, the lowest of this reading", threshold=threshold)),
        (tr("Rates"), origin_words(reading.flags.scale)),
        (tr("Classes"), ", ".join(session.vocabulary.of(name).shown_title for name in reading.flags.flag_tracks)),
        (tr("Switched off"), switched_off(session)),
        (tr("Flags"), flags),
        (tr("Unlike the training"), unfamiliar_words(reading)),
    )


def _reading(session: Session, reading: Reading, marks: str) -> tuple[Row, ...]:
    known = still_open(reading)
    seen = reading.seen_in()
    share = tr("{share} of the study, {seen} of {frames}",
               share=seen.text, seen=seen.seen, frames=counted(seen.frames, "frame"))  # fmt: skip
    bowel = small_bowel(reading.entries.landmarks, reading.frame_count)
    if bowel is not None:
        share = f"{tr('{share} of the small bowel', share=reading.seen_in(bowel).text)}; {share}"
    unseen = tr("none")
    if known.unseen_frames:
        parts = counted(known.unseen_parts, "part")
        unseen = tr("{frames} in {parts}", frames=counted(known.unseen_frames, "frame"), parts=parts)
    return _rows(
        (tr("Seen"), share),
        (tr("Visible mucosa"), view_words(reading.flags.visible_mucosa, reading.flags.has_view)),
        (tr("Not seen"), unseen),
        (tr("Played too fast to be seen"), counted(known.fast_frames, "frame") if known.fast_frames else ""),
        (
            tr("Labelled frames without a finding, not shown"),
            counted(known.unlisted_frames, "frame") if known.unlisted_frames else "",
        ),
        (tr(SPEEDS), speeds_text(session.library.annotations.reading_speeds(reading.study.study_id))),
        (tr("Protocol"), protocol_words(session, reading.study)),
        (tr("Audit"), _audit(session, reading)),
        (tr("Pictures"), marks),
    )


def _audit(session: Session, reading: Reading) -> str:
    """What the audit says, with day and reader; where no frame was looked at, that there is none by *AI first*."""
    audit = audit_of(reading)
    words = result_words(reading, audit) if audit is not None else ""
    if audit is None or not words:
        return tr("no audit") if protocol_of(session, reading.study) == "ai_first" else ""
    if not audit.is_finished:
        words = tr(
            "Not finished, {looked} of {count}: {words}", looked=audit.looked, count=len(audit.frames), words=words
        )
    return f"{words} ({', '.join(filter(None, (audit.day, audit.reader)))})"


def speeds_text(speeds: Mapping[int, int]) -> str:
    """At which speeds frames were on screen: "by hand 120 frames, 8 frames/s 3,400 frames"."""
    sentences = []
    for rate, count in sorted(speeds.items()):
        words = to_translate("{rate} frames/s {frames}") if rate else to_translate("by hand {frames}")
        sentences += [tr(words, rate=rate, frames=counted(count, "frame"))] if count else []
    return ", ".join(sentences)


def _links(session: Session, reading: Reading, names: Names) -> tuple[str, ...]:
    """A sentence for each place that a reader has linked with another study, without names of files."""
    study_id = reading.study.study_id
    library = session.library
    result = [(link.frame_index, link.other_study_id, link.is_same) for link in library.annotations.links(study_id)]
    result += [(link.other_frame_index, link.study_id, link.is_same) for link in library.annotations.links_to(study_id)]
    others = {study.study_id: study for study in library.studies.all()} if result else {}
    sentences = []
    for frame, other_id, is_same in sorted(result):
        if other_id == study_id:
            continue
        sentence = to_translate("Frame {frame} ({time}) shows the same place as a frame of {study}.")
        if not is_same:
            sentence = to_translate("Frame {frame} ({time}) does not show the same place as a frame of {study}.")
        study = _other_words(others.get(other_id), reading.study)
        sentences.append(tr(sentence, frame=format_frame(frame + 1), time=names.time(frame), study=study))
    return tuple(dict.fromkeys(sentences))


def _other_words(other: Study | None, here: Study) -> str:
    """A study by its date and patient; neither its name, which may be that of a file, nor its id."""
    if other is None:
        return tr("a study that was removed")
    date = other.exam_date
    if other.patient_id == here.patient_id:
        of_patient = tr("the study of {date} of this patient", date=date)
        return of_patient if date else tr("another study of this patient")
    if other.pseudonym and here.pseudonym:
        of_other = tr("the study of {date} of another patient", date=date)
        return of_other if date else tr("another study of another patient")
    return tr("the study of {date}", date=date) if date else tr("another study")
