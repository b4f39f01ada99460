"""Makes the sample reports of the guide from the demo study, which is synthetic: `python docs/sample_reports.py`.

A test makes them anew and compares what they say with `CHECKSUMS`.
"""

import hashlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from training.runs.reporter import SilentReporter  # noqa: E402
from training.version import version  # noqa: E402
from wce_desktop.core.annotation import Add, Change, Finding, Landmark, Region, Replace, ReportPart  # noqa: E402
from wce_desktop.core.span import Span  # noqa: E402
from wce_desktop.features.report.building import Builder, Printed  # noqa: E402
from wce_desktop.features.report.model.gathering import gather  # noqa: E402
from wce_desktop.features.report.model.pictures import PictureStore  # noqa: E402
from wce_desktop.features.report.report_source import read_logo  # noqa: E402
from wce_desktop.session.demo import add_demo_study  # noqa: E402
from wce_desktop.session.frame_facts import place_of  # noqa: E402
from wce_desktop.session.session import Session  # noqa: E402
from wce_desktop.shell.application import make_application, open_session  # noqa: E402

FOLDER = ROOT / "docs" / "examples"
CHECKSUMS = FOLDER / "sample-reports.json"
"""Number of findings -> SHA-256 of what the report says, without its pictures."""
LOGO = ROOT / "docs" / "pictures" / "sample-logo.png"
COUNTS = (0, 3, 12)
LANDMARKS = ((Region.OESOPHAGUS, 2), (Region.STOMACH, 20), (Region.SMALL_BOWEL, 420), (Region.COLON, 2600))
FINDINGS = (
    (
        "angiectasia",
        630,
        640,
        (634, 636),
        {"size_mm": 3.0, "number": "single", "relevance": "P2"},
        "No active bleeding.",
    ),
    ("ulcer", 1790, 1806, (1801, 1794), {"size_mm": 6.0, "number": "few", "relevance": "P1"}, "Fibrin-covered base."),
    ("polyp", 1130, 1138, (1133,), {"size_mm": 8.0, "morphology": "0-Is sessile"}, ""),
    ("blood", 2010, 2020, (2017,), {"relevance": "P2"}, "Fresh blood; no source in view."),
    ("ulcer", 1980, 2001, (1984, 1996), {"size_mm": 4.0, "number": "single"}, ""),
    ("blood", 2034, 2056, (2050,), {"relevance": "P1"}, ""),
    ("blood", 2078, 2088, (2087,), {}, ""),
    ("erythema", 700, 712, (705,), {"number": "few"}, "Patchy, without erosions."),
    ("lymphangiectasia", 900, 910, (904,), {"number": "many"}, ""),
    ("erosion", 1400, 1410, (1405,), {"number": "single", "size_mm": 2.0}, ""),
    ("erosion", 1600, 1610, (1606,), {"number": "few", "size_mm": 2.0}, ""),
    ("other", 2300, 2310, (2305,), {}, "Scar after an earlier ulcer."),
)
"""Class, first and last frame, key frames, entries, comment; a study with three has the first three."""
SUMMARY = {
    0: "Complete study of the small bowel without pathological findings.",
    3: "Angiectasia of the proximal small bowel as a likely source of bleeding; few distal ulcers; one polyp.",
    12: "Angiectasia with high potential for bleeding; ulcers, erosions and fresh blood in the distal half.",
}
RECOMMENDATION = {
    0: "",
    3: "Device-assisted enteroscopy is suggested.",
    12: "Device-assisted enteroscopy is suggested.",
}


def make(count: int) -> Printed:
    """The report of the demo study with so many findings."""
    with entered(count) as session:
        builder = Builder(PictureStore(place_of(session.opened())))
        report = replace(gather(session), logo=read_logo(str(LOGO)).address)
        return builder.printed(report, {}, None, SilentReporter())


def checksum(printed: Printed) -> str:
    """Of what a report says, whatever its pictures and the version of the program."""
    text = re.sub(r'src="data:[^"]*"', "", printed.html.decode("utf-8")).replace(version(), "")
    return hashlib.sha256(text.encode()).hexdigest()


@contextmanager
def entered(count: int) -> Iterator[Session]:
    """The demo study, open, with so many findings."""
    with tempfile.TemporaryDirectory() as folder:
        session = open_session(Path(folder) / "library")
        session.settings.set("report_letterhead", "Sample Hospital | Endoscopy | 1 Example Street, Sampletown")
        study = add_demo_study(session)
        index = session.files(study).load_index(study.fingerprint)
        assert index is not None, "adding a study makes its index"
        session.open_study(study, index)
        _enter(session, count)
        yield session
        session.close_study()
        session.library.close()


def _enter(session: Session, count: int) -> None:
    reading = session.opened()
    study_id = reading.study.study_id
    record = session.library.studies.record(study_id)
    patient = replace(
        record,
        pseudonym="Sample, Alex · 000-000",
        birth_year=1961,
        sex="female",
        exam_date="2026-03-14",
        capsule="Synthetic, 256 px",
        indication="Iron deficiency anaemia",
        preparation="2 l PEG",
        read_by="Dr Sample",
    )
    texts = {
        "summary": SUMMARY[count],
        "recommendation": RECOMMENDATION[count],
        "adequacy": "adequate",
        "referrer": "Dr Example, general practice",
        "question": "Source of occult bleeding?",
        "history": "Gastroscopy and colonoscopy in January without a source",
        "medication": "Iron",
    }
    parts = [ReportPart.new(study_id=study_id, kind="texts", content=texts)]
    if count:
        parts.append(ReportPart.new(study_id=study_id, kind="cecdai", content=CECDAI))
    changes: list[Change] = [Replace(record, patient), *map(Add, parts)]
    changes += [Add(Landmark(f"l-{frame}", study_id, region, frame)) for region, frame in LANDMARKS]
    changes += [Add(_finding(study_id, *row)) for row in FINDINGS[:count]]
    session.edits.apply("Enter the sample", changes)
    reading.seen[:] = True


CECDAI = {"a-proximal": "3", "b-proximal": "1", "c-proximal": "0", "a-distal": "4", "b-distal": "1", "c-distal": "0"}


def _finding(
    study_id: str,
    kind: str,
    start: int,
    stop: int,
    key_frames: tuple[int, ...],
    entries: dict[str, object],
    comment: str,
) -> Finding:
    made = Finding.new(study_id=study_id, kind=kind, span=Span(start, stop), key_frames=key_frames)
    return replace(made, **entries, comment=comment)  # type: ignore[arg-type]


def main() -> None:
    """Write the PDFs and their checksums."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    make_application()
    checksums = {}
    for count in COUNTS:
        printed = make(count)
        (FOLDER / f"report-{count}-findings.pdf").write_bytes(printed.pdf)
        checksums[str(count)] = checksum(printed)
        print(count, len(printed.pdf), *printed.problems)
    CHECKSUMS.write_text(json.dumps(checksums, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
