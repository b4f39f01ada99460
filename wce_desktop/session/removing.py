"""Removing studies of the open library, and what is shown before."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from training.errors import UserError
from wce_desktop.core import counted, to_translate, tr, tr_count
from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.study import Study
from wce_desktop.library.lineage import Family, Learned, learned_from
from wce_desktop.library.removals import KEPT_DAYS, kept_until
from wce_desktop.library.removed_files import folders_with
from wce_desktop.session.keys import key_of
from wce_desktop.session.session import Session
from wce_desktop.session.settings import FOLDER_KINDS

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
    """What removing studies would do, for a person to agree with."""

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
            tr("It is recorded that a study was removed, without its content. This cannot be undone."),
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
    """What removing these studies would do."""
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


def remove_studies(session: Session, facts: RemovalFacts) -> None:
    """Remove studies, none of which is open.

    Raises:
        UserError: one is open, or something cannot be written.
    """
    ids = [study.study_id for study in facts.studies]
    if session.open_id in ids:
        raise UserError("The open study cannot be removed.", "Close it first, by opening another one.")
    try:
        session.library.removals.remove(ids, facts.by_study)
    finally:
        session.undo_study = ""
        _forget_folders(session, facts.studies)
        session.select_frames(FrameSelection())
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
