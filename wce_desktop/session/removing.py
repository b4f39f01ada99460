"""Removing studies of the open library: hidden first, which can be undone, and erased later.

A removed study is marked in its record by an edit like any other. It is erased `ERASED_AFTER` and `DAYS_OF_USE` after
that, or when the reader says so.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from training.errors import UserError
from training.texts import count_text
from wce_desktop.core import counted, to_translate, tr, tr_count
from wce_desktop.core.annotation.change import Replace
from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.study import Study
from wce_desktop.library.lineage import Family, Learned, learned_from
from wce_desktop.library.removals import KEPT_DAYS, kept_until
from wce_desktop.library.removed_files import folders_with
from wce_desktop.session.keys import key_of
from wce_desktop.session.session import Session
from wce_desktop.session.settings import FOLDER_KINDS

ERASED_AFTER = timedelta(days=30)
"""So long a removed study can be brought back (ours)."""
DAYS_OF_USE = 5
"""On so many days something is changed before a study is erased: a clock that is years ahead erases nothing at once."""
_COUNTED = {
    "labels": (to_translate("{count} label"), to_translate("{count} labels")),
    "findings": (to_translate("{count} finding"), to_translate("{count} findings")),
    "landmarks": (to_translate("{count} landmark"), to_translate("{count} landmarks")),
    "boxes": (to_translate("{count} box"), to_translate("{count} boxes")),
    "links": (to_translate("{count} link"), to_translate("{count} links")),
    "report_parts": (to_translate("{count} entry for the report"), to_translate("{count} entries for the report")),
    "reports": (to_translate("{count} signed report"), to_translate("{count} signed reports")),
    "scorings": (to_translate("{count} scoring"), to_translate("{count} scorings")),
}


@dataclass(frozen=True)
class RemovalFacts:
    """What erasing studies would do, for a person to agree with."""

    studies: Sequence[Study]
    derived: str  # what is deleted, in words
    learned: Sequence[Learned]  # models and runs that have learned from them; they stay
    by_study: dict[str, list[str]]  # the same by study, as ids

    @property
    def sentences(self) -> list[str]:
        """What a person must know before agreeing."""
        until = kept_until(datetime.now(UTC)).astimezone()
        return [
            tr(
                "Deleted: {derived}, everything that was computed from the video, and what was written down in the "
                "record of the patient and in the audit log.",
                derived=self.derived,
            ),
            self._learned_sentence(),
            tr(
                "Backups still contain it for {days} days, until {until}. Then it is deleted from them, too. Files "
                "that were exported before, and the video itself, are not deleted.",
                days=KEPT_DAYS,
                until=f"{until:%Y-%m-%d}",
            ),
            tr("It is recorded that a study was erased, without its content. This cannot be undone."),
        ]

    def _learned_sentence(self) -> str:
        """Which models and runs have learned from them."""
        if not self.learned:
            return tr("No model or run of this library has learned from it.")
        titles = [
            one.title if one.is_direct else tr("{title} (started from one that has)", title=one.title)
            for one in self.learned
        ]
        return tr(
            "Models and runs that have learned from it:\n{learned}\nThey are kept. Delete them in Runs and models "
            "({key}) if they must no longer be used.",
            learned="\n".join(f"  •  {title}" for title in titles),
            key=key_of("choose_model"),
        )


def removal_facts(session: Session, studies: Sequence[Study]) -> RemovalFacts:
    """What erasing these studies would do."""
    library, family = session.library, Family.of(session.library)
    counts: dict[str, int] = {}
    learned: dict[str, Learned] = {}
    by_study: dict[str, list[str]] = {}
    for study in studies:
        for table, count in library.removals.count_derived(study.study_id).items():
            counts[table] = counts.get(table, 0) + count
        result = learned_from(family, study.study_id, study.patient_id)
        learned |= {one.item_id: one for one in result}
        by_study[study.study_id] = [one.item_id for one in result]
    maps = {path for study in studies for path in folders_with(library.folder / "maps", study.study_id)}
    runs = {path for study in studies for path in folders_with(library.folder / "runs", study.study_id)}
    parts = [tr_count(*texts, counts[table]) for table, texts in _COUNTED.items() if counts.get(table)]
    parts += [counted(len(maps), "map")] if maps else []
    if runs:
        parts.append(
            tr_count("its entries in the files of {count} run", "its entries in the files of {count} runs", len(runs))
        )
    return RemovalFacts(studies, ", ".join(parts) or tr("no labels or findings"), list(learned.values()), by_study)


def hide_studies(session: Session, study_ids: Sequence[str]) -> None:
    """Remove studies with the readings of their second readers, as one step that undo takes back; none is open."""
    title = count_text("Remove {count:,} study", "Remove {count:,} studies", len(study_ids))
    seconds = [study.study_id for study in session.library.studies.second_readings() if study.second_of in study_ids]
    _mark(session, title, [*study_ids, *seconds], datetime.now(UTC).isoformat(timespec="seconds"))
    _forget_folders(session, [session.library.studies.get(study_id) for study_id in study_ids])
    session.select_frames(FrameSelection())


def bring_back(session: Session, study_ids: Sequence[str]) -> None:
    """Let removed studies, with the readings of their second readers, be there again, as one step of undo."""
    title = count_text("Bring back {count:,} study", "Bring back {count:,} studies", len(study_ids))
    seconds = [study.study_id for study in session.library.studies.removed() if study.second_of in study_ids]
    _mark(session, title, [*study_ids, *seconds], "")


def _mark(session: Session, title: str, study_ids: Sequence[str], removed_utc: str) -> None:
    records = [session.library.studies.record(study_id) for study_id in dict.fromkeys(study_ids)]
    changes = {old.study_id: [Replace(old, replace(old, removed_utc=removed_utc))] for old in records}
    session.edits.apply_to_studies(title, changes)
    session.edits.reload()  # links with them


def erased_on(removed_utc: str) -> datetime | None:
    """When a study that was removed at a time is erased; None where that is no time."""
    try:
        return (datetime.fromisoformat(removed_utc) + ERASED_AFTER).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def erase_overdue(session: Session, now: datetime | None = None) -> int:
    """Erase the studies that were removed long ago, by the clock and by the days of use; returns how many.

    Raises:
        UserError: something cannot be written; the next start goes on.
    """
    removed = () if session.library.read_only else session.library.studies.removed()
    until = [(study, erased_on(study.removed_utc)) for study in removed]
    over = [study for study, when in until if when is not None and when <= (now or datetime.now(UTC))]
    over = [study for study in over if session.library.audit.days_of_use(study.removed_utc) >= DAYS_OF_USE]
    if over:
        ids = {study.study_id for study in over}  # with readings of their second readers
        erase_studies(session, removal_facts(session, [study for study in over if study.second_of not in ids]))
    return len(over)


def erase_studies(session: Session, facts: RemovalFacts) -> None:
    """Erase removed studies with everything that was derived from them.

    Raises:
        UserError: something cannot be written.
    """
    try:
        session.library.removals.remove([study.study_id for study in facts.studies], facts.by_study)
    finally:
        session.undo_study = ""
        session.studies_changed.emit()
        session.runs_changed.emit()


def _forget_folders(session: Session, removed: Sequence[Study]) -> None:
    """Forget where removed studies were: names of folders may be those of patients."""
    kept = session.library.studies.all()
    there = {folder for study in kept for folder in (study.path, study.path.parent)}
    gone = {str(folder) for study in removed for folder in (study.path, study.path.parent) if folder not in there}
    forgotten = [f"folder_{kind}" for kind in FOLDER_KINDS if session.settings[f"folder_{kind}"] in gone]
    if session.settings["last_study"] not in {study.study_id for study in kept}:
        forgotten.append("last_study")
    for key in forgotten:
        with suppress(UserError):  # a library that cannot be written; the removal has failed then, too
            session.settings.set(key, "")
