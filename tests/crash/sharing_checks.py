"""What two windows showed as saved, compared with the library that they shared."""

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from tests.crash.shared_window import LEDGER
from wce_desktop.library import Library, tables
from wce_desktop.library.sharing.journal import Journal
from wce_desktop.library.storage import server

_WRITTEN = "SELECT when_utc, action, item_id FROM audit WHERE reader = :reader"
_ACTS = "SELECT DISTINCT when_utc, title, model_id IS NOT NULL FROM audit WHERE reader = :reader"
_TWICE = "SELECT when_utc, study_id, count(*) FROM edits WHERE reader = :reader GROUP BY 1, 2 HAVING count(*) > 1"
_SIGNED = "SELECT study_id, version, created_utc FROM reports WHERE reader = :reader ORDER BY created_utc"


@dataclass(frozen=True)
class Shown:
    """What a window noted, and its edits that are not on the server."""

    lines: Sequence[dict[str, Any]]
    journal: Journal

    @classmethod
    def of(cls, home: Path) -> "Shown":
        """That of the window with this folder."""
        lines, path = [], home / LEDGER
        for line in path.read_text().splitlines() if path.exists() else ():
            with suppress(ValueError):  # it was killed while it wrote
                lines.append(json.loads(line))
        return cls(lines, Journal([*home.rglob("journal-*.jsonl"), home / "none"][0]))


def check_window(shown: Shown, reader: str, library: Library) -> int:
    """Compare what a window showed with the library; prints it, and returns how much is wrong."""
    written, acts, twice, kept = _rows(reader, library, _WRITTEN, _ACTS, _TWICE, _SIGNED)
    there = Counter(written)
    refused = {entry.when_utc for entry in shown.journal.entries if entry.refused}
    edits = [line for line in shown.lines if "items" in line]
    items = [(str(edit["when"]), verb, item) for edit in edits for verb, item in edit["items"]]
    reports = [tuple(line["signed"]) for line in shown.lines if "signed" in line]
    versions = Counter((study, version) for study, version, _ in kept)
    wrong = {
        "lost": [each for each in set(items) if not there[each] and each[0] not in refused],
        "lost reports": [each for each in reports if versions[each] != 1],
        "doubled": [each for each, count in there.items() if count > 1] + twice,
        "shown twice": [each for each, count in Counter(items).items() if count > 1],
        "doubled reports": _signed_twice(shown, kept),
        "refused and written": [each for each in set(items) if there[each] and each[0] in refused],
        "waiting": list(shown.journal.waiting),
    }
    presses = sum("press" in line for line in shown.lines)
    counts = ", ".join(f"{len(each)} {kind}" for kind, each in wrong.items())
    print(
        f"{reader}: {len(set(items))} changes in {len(edits)} edits and {len(reports)} reports shown as saved, "
        f"{presses} times Sign pressed, {len(refused)} edits refused because of the other reader; {counts}"
    )
    done = Counter(_act(format(tables.sentence_of(title)), is_answer=bool(by_model)) for _, title, by_model in acts)
    print("    in the audit log: " + ", ".join(f"{act} {count}" for act, count in sorted(done.items())))
    for kind, each in ((kind, each) for kind, list_ in wrong.items() for each in list_):
        print("   ", kind, each)
    return sum(map(len, wrong.values()))


def _rows(reader: str, library: Library, *asked: str) -> list[list[Any]]:
    engine = create_engine(server.connection_url(server.address_in(library.folder)))
    with engine.connect() as connection:
        rows = [[tuple(row) for row in connection.execute(text(each), {"reader": reader})] for each in asked]
    engine.dispose()
    return rows


def _act(title: str, *, is_answer: bool) -> str:
    """What the log calls an act."""
    begins = {
        "Undo": "undo",
        "Redo": "redo",
        "Sign": "sign",
        "Amend": "amend",
        "Edit": "write",
        "Not": "reject",
        "“Not": "reject",
    }
    begins |= dict.fromkeys(("First", "Reading", "Set"), "other")
    return begins.get(title.split()[0].rstrip(":"), "accept" if is_answer else "label")


def _signed_twice(shown: Shown, kept: Sequence[tuple[str, int, str]]) -> list[tuple[str, int, str]]:
    """Reports that no press of *Sign* led to, or for one that led to another already."""
    presses = sorted((line["press"], line["at"]) for line in shown.lines if "press" in line)
    used, wrong = set[tuple[str, int]](), []
    for study_id, version, when in kept:
        of_study = [at for study, at in presses if study == study_id]
        press = study_id, bisect_left(of_study, when)
        if press[1] == 0 or press in used:
            wrong.append((study_id, version, when))
        used.add(press)
    return wrong


def check_content(library: Library) -> int:
    """Compare labels with those that the audit log leads to, and check log and reports; returns how much is wrong."""
    labels = set[str]()
    for line in library.audit.entries():
        if line.kind == "label":
            (labels.discard if line.action == "remove" else labels.add)(line.item_id)
    studies = [study.study_id for study in library.studies.all()]
    there = [label.label_id for study in studies for label in library.annotations.answers(study)]
    reports = [report for study in studies for report in library.reports.signed(study)]
    bad = [report.version for report in reports if library.reports.check(report).problems]
    forks = [pair for pair, count in Counter((each.study_id, each.replaces) for each in reports).items() if count > 1]
    breaks, wrong = library.audit.check().breaks, len(labels ^ set(there)) + len(there) - len(set(there))
    print(
        f"{len(there)} labels, {wrong} unlike the audit log; {len(reports)} reports, {len(bad)} damaged, "
        f"{len(forks)} replaced twice; {len(breaks)} breaks of the audit log"
    )
    return wrong + len(bad) + len(forks) + len(breaks)
