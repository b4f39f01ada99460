"""Which studies count as patients of their own because nobody has entered whose they are."""

import re
from collections import Counter
from collections.abc import Iterable

from wce_desktop.core.study import Study

_RANDOM = re.compile(r"p-[0-9a-f]{16}")
"""What a library calls the patient of a new study."""


def without_patient(studies: Iterable[Study]) -> frozenset[str]:
    """The ids of studies whose patient was neither entered, nor imported, nor joined with that of another study.

    Args:
        studies: all of a library; readings by a second reader do not count.
    """
    own = [study for study in studies if study.second_of is None]
    shared = Counter(study.patient_id for study in own)
    return frozenset(
        study.study_id
        for study in own
        if not study.pseudonym and shared[study.patient_id] == 1 and _RANDOM.fullmatch(study.patient_id)
    )
