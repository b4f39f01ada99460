"""Several studies with their labels that are added in one transaction: all of them are in the library, or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from training.runs.reporter import Reporter
from training.texts import Text
from wce_desktop.core.annotation.change import Change
from wce_desktop.core.identity import new_id
from wce_desktop.core.study import Study
from wce_desktop.library import edits, study_rows
from wce_desktop.library.storage.database import now_utc
from wce_desktop.library.store import Store


@dataclass(frozen=True)
class NewStudy:
    """A study and what is entered for it.

    Attributes:
        study: its `pseudonym` goes into the patient record.
        changes: what is entered.
        is_there: whether the library has the study already, so that only the changes are made.
    """

    study: Study
    changes: Sequence[Change]
    is_there: bool = False


def add_studies(
    store: Store, studies: Sequence[NewStudy], title: str, reporter: Reporter, before_end: Callable[[], None]
) -> None:
    """Add studies with their labels as one step, which undo takes back as one.

    Args:
        studies: of which the library has none, neither by id nor by content, but for those marked so.
        title: what undo calls it.
        reporter: receives progress, and can cancel.
        before_end: the last step of the transaction; nothing is added where it raises.

    Raises:
        Cancelled: the reporter asked to end; nothing was added.
        UserError: a study cannot be stored.
    """
    group = new_id() if len(studies) > 1 else ""
    with store.writing(Text("the studies")) as connection:
        for done, each in enumerate(studies):
            reporter.check()
            reporter.progress(done, len(studies), "studies", "importing")
            is_new, study = not each.is_there, each.study
            if is_new:
                study = study_rows.add(connection, replace(study, pseudonym=""), store.reader)
            if is_new and each.study.pseudonym:
                record = study_rows.read_record(connection, study.study_id)
                edits.change_record(connection, replace(record, pseudonym=each.study.pseudonym), now_utc())
            if each.changes:
                edits.apply_edit(connection, study.study_id, title, each.changes, store.reader, None, group)
        reporter.check()
        before_end()
