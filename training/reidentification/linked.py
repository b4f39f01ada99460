"""Which tracklets show the same finding because a reader has linked them: they train as one identity (ours).

The paper's positive pairs come from one tracklet. A reader's link adds pairs of two tracklets, also of two studies of a
patient.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import LinkRow
from training.reidentification.grouping import joined_numbers
from training.reidentification.visits import Visit
from training.texts import Text

NO_TRACKLET = "lead to a frame without a tracklet, or with several that they may mean"
TWO_PATIENTS = "join studies of two patients"
CONTRADICTED = "join tracklets of which other links say that they are not the same"


class Identities(NamedTuple):
    """Which visits are one finding.

    Attributes:
        numbers: (V,) the number of the first visit that shows the same finding; its own where none is linked with it.
        left_out: sentences on links that are not used.
    """

    numbers: NDArray[np.int64]
    left_out: tuple[str, ...]


def linked_identities(visits: Sequence[Visit], links: Sequence[LinkRow]) -> Identities:
    """Join visits by links that say that both ends show the same.

    An end of a link is the visit that holds its frame and has its name. Where none has, it is the only visit on the
    frame: accepting a suggestion may have changed the name. Ends without a name are the visits of one label at both. A
    linked visit stands for its annotated finding, so all visits of this finding in its study are joined.

    What is said to be not the same is never joined: where links say both, all visits in question stay apart.
    """
    left_out = Counter[str]()
    known = {visit.study.study_id for visit in visits}
    usable = [row for row in links if row.study_id in known and row.other_study_id in known]
    pairs = [(row, _pairs(visits, row)) for row in usable]
    joins: list[tuple[int, int]] = []
    for row, found in pairs:
        if not found:
            left_out[NO_TRACKLET] += 1
        for one, other in found:
            if row.is_same and visits[one].study.patient_id != visits[other].study.patient_id:
                left_out[TWO_PATIENTS] += 1
            elif row.is_same:
                joins += [(one, at) for at in (other, *_of_its_finding(visits, one), *_of_its_finding(visits, other))]
    numbers = joined_numbers(len(visits), joins)
    apart = [pair for row, found in pairs if not row.is_same for pair in found]
    wrong = {int(numbers[one]) for one, other in apart if one != other and numbers[one] == numbers[other]}
    left_out[CONTRADICTED] = sum(row.is_same and any(numbers[one] in wrong for one, _ in found) for row, found in pairs)
    numbers = np.where(np.isin(numbers, list(wrong)), np.arange(len(visits)), numbers)
    sentences = [
        Text("{count:,} of {links_count:,} links {why}.", count, len(links), why)
        for why, count in left_out.items()
        if count
    ]
    return Identities(numbers, tuple(sentences))


def _pairs(visits: Sequence[Visit], row: LinkRow) -> list[tuple[int, int]]:
    """The visits that a link means; none where it is not clear."""
    here = _at(visits, row.study_id, row.frame_index, row.name or row.other_name)
    there = _at(visits, row.other_study_id, row.other_frame_index, row.other_name or row.name)
    if row.name or row.other_name:
        return [(here[0], there[0])] if len(here) == len(there) == 1 else []
    labels = [[visits[at].label for at in each] for each in (here, there)]
    return [
        (one, there[labels[1].index(label)])
        for one, label in zip(here, labels[0], strict=True)
        if labels[0].count(label) == labels[1].count(label) == 1
    ]


def _at(visits: Sequence[Visit], study_id: str, frame: int, name: str) -> list[int]:
    there = [
        at for at, visit in enumerate(visits) if visit.study.study_id == study_id and visit.start <= frame < visit.stop
    ]
    named = [at for at in there if visits[at].label == name]
    return named or there


def _of_its_finding(visits: Sequence[Visit], number: int) -> list[int]:
    """The visits of the annotated finding of a visit; none where it has no finding."""
    mine = visits[number].study.study_id, visits[number].finding
    return [at for at, visit in enumerate(visits) if mine[1] and (visit.study.study_id, visit.finding) == mine]
