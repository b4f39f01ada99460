"""Which studies are searched: all of the patient, all others, or one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wce_desktop.core.language import tr, tr_count
from wce_desktop.core.study import Study
from wce_desktop.features.places.model.study_clips import SourceWords


@dataclass(frozen=True)
class StudyChoice:
    """A row of the list of studies.

    Attributes:
        key: by which the row is known again after clips of studies were made.
        studies: that are searched.
        missing: those of them that have no clips of the search's source.
    """

    key: str
    title: str
    studies: tuple[Study, ...]
    missing: tuple[Study, ...]

    @property
    def ready(self) -> tuple[str, ...]:
        """The ids of the studies that can be searched."""
        return tuple(study.study_id for study in self.studies if study not in self.missing)


def study_choices(
    studies: Sequence[Study],
    here: Study,
    is_there: Callable[[Study], bool],
    state: str,
    patient: Callable[[str], str],
) -> list[StudyChoice]:
    """The rows for the study that is compared: all of its patient first, then all others, then each by itself.

    Studies of the same patient come before others.

    Args:
        studies: of the library.
        here: the study that is compared.
        is_there: whether a study has clips of the search's source.
        state: behind the title of a study that has none.
        patient: what a patient is called, by the id.
    """
    others = [study for study in studies if study.study_id != here.study_id]
    own = [study for study in others if study.patient_id == here.patient_id]
    strangers = [study for study in others if study.patient_id != here.patient_id]

    def choice(key: str, title: str, rows: Sequence[Study]) -> StudyChoice:
        missing = tuple(study for study in rows if not is_there(study))
        return StudyChoice(key, f"{title} · {state}" if len(rows) == 1 and missing else title, tuple(rows), missing)

    choices: list[StudyChoice] = []
    if own:
        choices.append(choice("own", tr("All studies of this patient ({count})", count=len(own)), own))
    if strangers:
        choices.append(choice("others", tr("All other studies ({count})", count=len(others)), others))
    for study in (*own, *strangers):
        whose = tr("this patient") if study in own else tr("patient: {patient}", patient=patient(study.patient_id))
        choices.append(choice(f"study {study.study_id}", f"{study.name} · {whose}", [study]))
    return choices


def missing_words(studies: Sequence[Study], words: SourceWords, is_waiting: Callable[[Study], bool]) -> str:
    """Which studies have no clips, and whether a job makes them; "" for no studies."""
    waiting = [study.name for study in studies if is_waiting(study)]
    missing = [study.name for study in studies if not is_waiting(study)]
    said = []
    if waiting:
        said.append(tr(words.waiting, studies=_names(waiting)))
    if missing:
        said.append(tr(words.missing, studies=_names(missing)))
    return " ".join(said)


def _names(names: Sequence[str], most: int = 3) -> str:
    more, named = len(names) - most, ", ".join(names[:most])
    if more <= 0:
        return named
    return tr_count("{names} and {count} other", "{names} and {count} others", more, names=named)
