"""Which studies are searched: all of the patient, all others, or one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wce_desktop.core.clock import counted
from wce_desktop.core.study import Study


@dataclass(frozen=True)
class StudyChoice:
    """A row of the list of studies.

    Attributes:
        key: by which the row is known again after studies were scored.
        studies: that are searched.
        not_scored: those of them that the model in use has not scored.
    """

    key: str
    title: str
    studies: tuple[Study, ...]
    not_scored: tuple[Study, ...]

    @property
    def scored_count(self) -> int:
        """How many studies can be searched."""
        return len(self.studies) - len(self.not_scored)


def study_choices(studies: Sequence[Study], here: Study, is_scored: Callable[[Study], bool]) -> list[StudyChoice]:
    """The rows for the study that is compared: all of its patient first, then all others, then each by itself.

    Studies of the same patient come before others.
    """
    others = [study for study in studies if study.study_id != here.study_id]
    own = [study for study in others if study.patient_id == here.patient_id]
    strangers = [study for study in others if study.patient_id != here.patient_id]
    choices: list[StudyChoice] = []
    if own:
        choices.append(_choice("own", f"All studies of this patient ({len(own)})", own, is_scored))
    if strangers:
        choices.append(_choice("others", f"All other studies ({len(others)})", others, is_scored))
    for study in (*own, *strangers):
        whose = "this patient" if study in own else f"patient {study.patient_id}"
        choices.append(_choice(f"study {study.study_id}", f"{study.name} · {whose}", [study], is_scored))
    return choices


def not_scored_words(choice: StudyChoice, is_scoring: Callable[[Study], bool]) -> str:
    """Which studies of a choice are not searched, and why; "" where all are."""
    waiting = [study.name for study in choice.not_scored if is_scoring(study)]
    missing = [study.name for study in choice.not_scored if not is_scoring(study)]
    said = []
    if waiting:
        said.append(f"Being scored: {_names(waiting)}.")
    if missing:
        said.append(f"Not scored by the model in use: {_names(missing)}.")
    return " ".join(said)


def _names(names: Sequence[str], most: int = 3) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {counted(more, 'other')}" if more > 0 else "")


def _choice(key: str, title: str, studies: Sequence[Study], is_scored: Callable[[Study], bool]) -> StudyChoice:
    missing = tuple(study for study in studies if not is_scored(study))
    shown = f"{title} · not scored" if len(studies) == 1 and missing else title
    return StudyChoice(key, shown, tuple(studies), missing)
