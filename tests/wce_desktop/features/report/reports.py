"""A report with two findings, made without a study."""

from wce_desktop.features.report.model.content import FindingEntry, Picture, Report, Row, ScoreEntry


def make_report() -> Report:
    """The report of a patient with a polyp (frame 11) and an ulcer (frame 20)."""
    polyp = FindingEntry(
        1,
        "Polyp",
        "At 0:00:11, 4 frames",
        (Row("Size", "7 mm"), Row("Relevance", "P2, high potential for bleeding"), Row("Suggested", "by meier-model")),
        "Seen by Dr Meier on 2026-03-01 and 1.3.26.",
        (Picture(11, "Frame 12, 0:00:12"),),
    )
    ulcer = FindingEntry(2, "Ulcer", "At 0:00:20", (), "", (Picture(20, "Frame 21, 0:00:21"),))
    score = ScoreEntry("Lewis score", "135", "mild", (Row("Ulcers", "Single"),), "3 × 5 × 9", "Gralnek 2008")
    return Report(
        is_anonymous=False,
        patient=(Row("Name or number", "H-1 Meier"), Row("Year of birth", "1950"), Row("Sex", "male")),
        examination=(
            Row("Date", "2026-03-01"),
            Row("Study", "s-123"),
            Row("Capsule", "SB3"),
            Row("Indication", "Anaemia"),
            Row("Recording", "8:00:00, 50,000 frames"),
        ),
        adequacy="adequate",
        transit=(Row("Stomach", "0:30 h"),),
        transit_notes=(),
        findings=(polyp, ulcer),
        scores=(score,),
        summary="Polyp and ulcer",
        recommendation="Enteroscopy",
        model=(Row("Flags by", "Model of Dr Meier"), Row("Version", "m1"), Row("Threshold", "0.50")),
        reading=(Row("Seen", "100 %"),),
        links=("Frame 1 shows the same place as a frame of the study of 2025-01-02.",),
        note="",
        reader="Dr Meier",
        signature=None,
        program="wce_desktop",
    )
