"""TRIPOD+AI (Collins et al., BMJ 2024): for each of its 27 items where the report or the card answers it.

The items are in our words; the checklist itself, with its explanations, is at https://www.tripod-statement.org.
"""

from collections.abc import Mapping
from typing import Any

Answer = tuple[str, str]
"""What is known, and the section of the report that says more, by its id; both empty: for the author to write."""
_UNKNOWN: Answer = ("", "")


def tripod(report: Mapping[str, Any], card: Mapping[str, Any]) -> list[dict[str, str]]:
    """The checklist as rows of `number`, `part`, `item`, `answer` and `section`, an id in report.html.

    Args:
        report: what report.json says.
        card: of the evaluated model; empty for a cross-validation.
    """
    answers = _answers(report, card)
    return [
        {"number": number, "part": part, "item": item, "answer": answer, "section": section}
        for number, part, item in ITEMS
        for answer, section in (answers.get(number, _UNKNOWN),)
    ]


ITEMS = (
    ("1", "Title", "Says that a prediction model is developed or evaluated, in whom, and for which outcome"),
    ("2", "Abstract", "A structured summary, as TRIPOD+AI for abstracts asks"),
    ("3", "Introduction", "Why the model is needed, who would use it and where, known inequalities between patients"),
    ("4", "Introduction", "The aim: development, evaluation, or both"),
    ("5", "Methods", "Where the data come from, whether they fit the purpose, and when they were recorded"),
    ("6", "Methods", "Participants: centres, who was included and excluded, treatments"),
    ("7", "Methods", "How the data were prepared and their quality checked, alike in all groups of patients"),
    ("8", "Methods", "The outcome: definition, who labelled it and how well trained, whether the labels were blinded"),
    ("9", "Methods", "What the model gets: the frames, how they were chosen and measured"),
    ("10", "Methods", "How the size of the sample was chosen, and why it is enough"),
    ("11", "Methods", "How missing data were handled"),
    (
        "12",
        "Methods",
        "Analysis: use of the data, kind of model, training, figures and how their uncertainty is measured",
    ),
    ("13", "Methods", "Unequal sizes of the classes: whether and how they were balanced"),
    ("14", "Methods", "Fairness: what was done about differences between groups of patients"),
    ("15", "Methods", "What the model puts out, and how thresholds were chosen"),
    ("16", "Methods", "How the data of training and of evaluation differ"),
    ("17", "Methods", "Approval of an ethics committee, and consent"),
    ("18", "Open science", "Funding, conflicts of interest, protocol, registration, access to data and to code"),
    ("19", "Patients", "How patients and the public took part in the research"),
    (
        "20",
        "Results",
        "Participants: how many, with and without the outcome, how they differ from those of the training",
    ),
    ("21", "Results", "Numbers of participants and of events in each analysis"),
    ("22", "Results", "The model itself, so that others can use it"),
    ("23", "Results", "Performance with intervals, also in groups of patients and centres"),
    ("24", "Results", "Whether the model was updated, and the figures afterwards"),
    ("25", "Discussion", "What the results mean, also for fairness, beside those of others"),
    ("26", "Discussion", "Limits of the study, and what they do to bias and generality"),
    ("27", "Discussion", "Use in practice: poor or missing input, skills of the user, next steps"),
)
"""Number, part and question of each item."""


def _answers(report: Mapping[str, Any], card: Mapping[str, Any]) -> dict[str, Answer]:
    model, data, dataset = report["model"], report["data"], report["dataset"]
    groups = "groups" if data["kind"] == "images" else "patients"
    counts = ", ".join(f"{count:,} {name}" for name, count in dataset["frames_judged"].items())
    size = f"{dataset['patients']} {groups}, {dataset['procedures']} studies; frames: {counts}"
    drawn = f"intervals from drawing {groups} with replacement, {report['pooled']['bootstraps']:,} times"
    figures = "AUC, average precision, sensitivity at fixed specificities and at fixed false positives, calibration"
    part = card.get("data")
    counted = part.get("learned_from") if isinstance(part, Mapping) else None
    learned = ", ".join(f"{count:,} {name}" for name, count in (counted or {}).items())
    seen = f"{model['training_patients']} training patients; none of them is evaluated" if model else ""
    versions = ", ".join(f"{name} {value}" for name, value in report["versions"].items())
    answers: dict[str, Answer] = {
        "4": ("Evaluation of a finished model" if model else f"Cross-validation in {report['folds']} folds", "top"),
        "7": ("Frames are cut to the field of view and scaled; the same for all", "settings"),
        "9": ("Single frames, in colour; how they were recorded and chosen is for you to write", "data"),
        "10": (f"{size}. Why this is enough is for you to write", "data"),
        "11": (data["left_out"] or "No labelled frame was left out", "data"),
        "12": (f"{figures}; {drawn}", "frames"),
        "13": (
            f"At most {data['normal_per_study']:,} normal frames of a study; figures at other ratios are given",
            "imbalance",
        ),
        "15": (f"A score from 0 to 1 for each of: {', '.join(report['classes'])}", "frames"),
        "20": (size, "data"),
        "21": (size, "frames"),
        "23": ("Each class, source and patient", "classes"),
    }
    if model:
        method = card.get("method")
        how = ""
        if isinstance(method, Mapping) and "name" in method:
            how = f"; trained by {method['name']}, preset {method.get('preset', '–')}, with the settings in its card"
        answers |= {
            "12": (f"{figures}; {drawn}{how}", "frames"),
            "16": (f"{seen}; it learned from {learned} frames" if learned else seen, "top"),
            "22": (f"Model folder {model['model_id']}, SHA-256 {model['sha256'][:12]}…; {versions}", "settings"),
            "24": ("Not updated: evaluated as it is", "top"),
        }
    else:
        answers["22"] = (f"{report['method']} from {report['init']}, preset {report['preset']}; {versions}", "settings")
    if report["within_source"]:
        answers["5"] = (f"Sources: {', '.join(report['within_source']['by_source'])}", "sources")
    if report["warnings"]:
        answers["26"] = (" ".join(map(str, report["warnings"])), "top")
    return answers
