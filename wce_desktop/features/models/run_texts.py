"""Texts and table rows that describe models and runs."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from training.methods.registry import method_title
from wce_desktop.core import capital, names_to_translate, number_text, percent, rate_text, score_text, to_translate, tr
from wce_desktop.core.annotation.vocabulary import shown_name
from wce_desktop.library import run_files, runs
from wce_desktop.session.parameters import CHOICE_TITLES, title_of
from wce_desktop.session.presets import PRESET_TITLES

STATES = names_to_translate("running, interrupted, stopped, done, failed, cancelled")
KINDS = {
    "pretrain": to_translate("pretraining"),
    "finetune": to_translate("fine-tuning"),
    "evaluate": to_translate("cross-validation"),
    "train-reid": to_translate("re-identification"),
    "experiment": to_translate("experiment"),
}
UNKNOWN = "–"
Row = tuple[str, ...]
FIGURE_HEADER: Row = (
    "",
    to_translate("Patients"),
    to_translate("Frames"),
    "AUC",
    to_translate("at 95 %"),
    to_translate("at 90 %"),
    to_translate("at 80 %"),
)
POINTS_HEADER: Row = (
    "",
    to_translate("Normal frames from"),
    to_translate("0.1 %"),
    to_translate("0.5 %"),
    "1 %",
    "5 %",
    to_translate("Sensitivity at 0.5 %"),
)
_RATES = (0.001, 0.005, 0.01, 0.05)
_TITLES = {
    "auc": "AUC",
    "p0": to_translate("Frames with the right class"),
    "mcc": "MCC",
    "f1": "F1",
    "init": to_translate("Started from"),
    "created_utc": to_translate("Created (UTC)"),
    "model_id": to_translate("Name on disk"),
    "sensitivity_at_95": to_translate("Sensitivity at 95 % specificity"),
    "sensitivity_at_90": to_translate("Sensitivity at 90 % specificity"),
    "sensitivity_at_80": to_translate("Sensitivity at 80 % specificity"),
    "unlabelled_classes": to_translate("Classes without labels"),
    "unlabelled_sentence": to_translate("On classes without labels"),
    "learned_from": to_translate("Trained on"),
    "judged_by": to_translate("Evaluated on"),
    "taught_patients": to_translate("Patients of earlier trainings"),
    "sha256": "SHA-256",
    "data_sha256": to_translate("Data (SHA-256)"),
    "gpu": "GPU",
    # In cards of earlier versions:
    "untaught_classes": to_translate("Classes without labels"),
    "untaught_sentence": to_translate("On classes without labels"),
}
_OF_CARDS = names_to_translate(
    "about, schema version, classes, trained on, method, preset, data, studies, patients, frames, labelled, left "
    "out, not there, split, kind, training patients, held out patients, classifier patients, sentence, figures, "
    "warning, lineage, first start, model id, file, run, step, finished, steps done, steps, memory, device, "
    "precision, seed, computed, parameters, single frame, multi view, versions, stages, linear, network, used, "
    "agreement, limit, limit source, knn accuracy, loss, processes, chunks, name, download, init, model name, "
    "bootstraps, fold seed, imbalance, imbalance repeats, label share, label studies, merged class, normal label, "
    "normal per study, pretrain, pretrain each seed, pretrain preset, pretrain settings, pretrain studies, "
    "pretrain video, seeds, shown, embeddings, gather, scored by, images, folds, split by, procedures, "
    "linked tracklets, linked findings, held out tracklets, computer, system, processor, cores, commit, "
    "pooled, low, high"
)
"""Names in cards and settings that have no other title."""
_NOT_SHOWN = ("held_out", "operating_points", "calibration", "notice", "schema_version", "model_id")
_WORDS = frozenset(
    names_to_translate(
        "patients, time, random, imagenet, file, model, run, pretrained, synthetic, linear, network, pretraining, "
        "re-identification"
    )
)
"""Values in cards that are words; others are names."""
_HIDDEN = frozenset(
    {"studies", "labels", "boxes", "links", "findings", "out", "weights_cache", "resume", "download", "model_name"}
)


def kind_words(run: runs.Run) -> str:
    """What was done, in small letters."""
    return tr("evaluation") if run_files.is_evaluation(run) else tr(KINDS.get(run.kind, run.kind))


def state_of(run: runs.Run, live: Collection[str]) -> str:
    """One of `STATES`; "interrupted" if the application was closed while it was running."""
    if run.state == "running":
        return "running" if run.run_id in live else "interrupted"
    return "stopped" if run.is_stopped else run.state


def figure_rows(card: Mapping[str, Any]) -> list[Row]:
    """The held-out figures of a card, a row for each class, under `FIGURE_HEADER`."""
    rows = []
    for name, figures in run_files.held_out(card).items():
        if isinstance(figures, Mapping):
            at = figures.get("sensitivity_at") or {}
            counts = (_count(figures.get("patients")), _count(figures.get("positives")))
            shares = (_percent(at.get(level)) for level in ("0.95", "0.90", "0.80"))
            rows.append((class_title(name), *counts, _figure(figures.get("auc")), *shares))
    return rows


def point_rows(card: Mapping[str, Any]) -> list[Row]:
    """The thresholds that a share of normal frames reaches, for each source and class, under `POINTS_HEADER`.

    Below them the sensitivities on real frames of a model that was trained on synthetic ones.
    """
    points, real = run_files.operating_points(card), card.get("real_frames") or {}
    rows = [
        (
            class_title(name),
            source or tr("all sources"),
            *(_figure(stated.get(rate)) for rate in _RATES),
            _sensitivity(run_files.sensitivities(card, source).get(name, {})),
        )
        for source, classes in points.items()
        for name, stated in classes.items()
    ]
    unknown = ("–",) * len(_RATES)
    return rows + [
        (class_title(name), tr("{source}, real frames", source=source), *unknown, _sensitivity(figures))
        for source, classes in real.items()
        for name, figures in classes.items()
    ]


def _sensitivity(figures: Mapping[str, Any]) -> str:
    """ "91 % (87 to 95)"; without the interval where there is none."""
    words, low, high = _percent(figures.get("sensitivity")), figures.get("low"), figures.get("high")
    if low is None or high is None:
        return words
    return tr("{share} ({low} to {high})", share=words, low=f"{low * 100:.0f}", high=f"{high * 100:.0f}")


def class_title(name: str) -> str:
    """A class, or any of them, at the beginning of a cell."""
    return capital(tr("any finding") if name == "any" else shown_name(name).replace("_", " "))


def report_rows(report: Mapping[str, Any]) -> list[Row]:
    """The means of a cross-validation with their deviations over the folds, and the pooled AUC with its interval."""
    rows: list[Row] = []
    pooled = report.get("pooled")
    if isinstance(pooled, Mapping) and pooled.get("auc") is not None:
        interval = tr("{low} to {high}", low=_figure(pooled.get("low")), high=_figure(pooled.get("high")))
        rows.append((tr("AUC, all patients together"), _figure(pooled["auc"]), interval))
    drawn = (report.get("intervals") or {}).get("any") or {}
    for name, figures in (report.get("mean") or {}).items():
        if isinstance(figures, Mapping):
            deviation, between = figures.get("deviation"), drawn.get(name) or {}
            spread = "" if deviation is None else f"± {_figure(deviation)}"
            if between.get("low") is not None:
                spread = tr("{low} to {high}", low=_figure(between["low"]), high=_figure(between["high"]))
            rows.append((_title(name), _figure(figures.get("mean")), spread))
    return rows


def budget_rows(report: Mapping[str, Any]) -> list[Row]:
    """The review budget: share reviewed, findings found, frames found."""
    figures = report.get("review_budget")
    rows = figures.get("rows") if isinstance(figures, Mapping) else None
    return [
        (percent(row["share"]), _percent(row.get("finding_sensitivity")), _percent(row.get("frame_sensitivity")))
        for row in rows or ()
    ]


def setting_rows(item: run_files.Item) -> list[tuple[str, str]]:
    """The settings of an item, without paths of this computer."""
    settings = run_files.read_settings(item)
    if isinstance(settings.get("init"), str):
        settings["init"] = Path(settings["init"]).name  # a full path would show folders of this computer
    return [
        (_title(name), named_value(name, value))
        for name, value in settings.items()
        if name not in _HIDDEN and not _is_path(value)
    ]


def _is_path(value: Any) -> bool:
    """Whether it is a full path, of this computer or of another one."""
    return isinstance(value, str) and (PurePosixPath(value).is_absolute() or PureWindowsPath(value).is_absolute())


def differences(first: run_files.Item, second: run_files.Item) -> list[Row]:
    """What differs in the settings, the cards and the AUC of two items: name, first, second."""
    one, other = (_all_rows(item) for item in (first, second))
    rows = ((name, one.get(name, UNKNOWN), other.get(name, UNKNOWN)) for name in {**one, **other})
    return [row for row in rows if row[1] != row[2]]


def _all_rows(item: run_files.Item) -> dict[str, str]:
    """The settings of an item, then its AUC of each class, then its card."""
    card = card_of(item)
    aucs = {f"AUC: {row[0]}": row[3] for row in figure_rows(card)}
    return dict(setting_rows(item)) | aucs | {row[0]: row[1] for row in card_rows(card)}


def card_of(item: run_files.Item) -> Mapping[str, Any]:
    """The card of an item; of an evaluation or cross-validation what its report says of the same."""
    report = run_files.read_report(item) if isinstance(item, runs.Run) and item.kind == "evaluate" else {}
    of_report = {name: report.get(name) for name in ("model", "pooled", "data_sha256", "computer", "versions")}
    return run_files.read_card(item) or of_report


def card_rows(card: Mapping[str, Any], names: Mapping[str, str] | None = None) -> list[Row]:
    """A card as rows of name and value, nested names joined: figures first, lineage last.

    Held-out figures and settings have tables of their own; ids are not shown.

    Args:
        names: what the library calls studies and patients, by their ids.
    """
    content = {name: _called(value, names or {}) for name, value in card.items() if name not in _NOT_SHOWN}
    lineage, method, figures = content.pop("lineage", None), card.get("method"), card.get("figures")
    if isinstance(method, Mapping):
        named = {"about": card.get("about"), "method": method.get("name"), "preset": method.get("preset")}
        content = named | content | named
    shown = {"figures": None} | content | {"lineage": lineage}
    if isinstance(method, Mapping) and run_files.is_contrast(str(method.get("name"))) and isinstance(figures, Mapping):
        shown["figures"] = {run_files.CONTRAST_TITLES.get(name, name): value for name, value in figures.items()}
    return _flat(shown)


def _called(value: Any, names: Mapping[str, str]) -> Any:
    """A value of a card with names in place of ids in its lists."""
    if isinstance(value, Mapping):
        return {name: _called(part, names) for name, part in value.items()}
    return (
        [names.get(part, part) if isinstance(part, str) else part for part in value]
        if isinstance(value, list)
        else value
    )


def _flat(content: Mapping[str, Any], before: str = "") -> list[Row]:
    rows: list[Row] = []
    for name, value in content.items():
        title = f"{before}{_title(name) if not before else _small_title(name)}"
        if name == "settings":
            continue
        if isinstance(value, Mapping):
            rows += _flat(value, f"{title}: ")
        elif value not in (None, "", [], ()):
            rows.append((title, named_value(name, value) if not before else _value(value)))
    return rows


def named_value(name: str, value: Any) -> str:
    """The value of a setting or of a row of a card, as the window in which it is chosen calls it."""
    if name == "method":
        return tr(method_title(str(value)))
    if name == "classes" and isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(class_title, value)) or UNKNOWN
    return tr(PRESET_TITLES.get(value, value)) if name == "preset" else _value(value)


def _title(name: str) -> str:
    return capital(tr(_TITLES.get(name) or title_of(name)))


def _small_title(name: str) -> str:
    """A title after another one: small in English; other languages write it as it is."""
    english = _TITLES.get(name, name.replace("_", " "))
    words = tr(english)
    return words.lower() if words == english else words


def _value(value: Any) -> str:
    if value is None or (isinstance(value, Sequence | Mapping) and not value):
        return UNKNOWN
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, int):
        return number_text(value)
    if isinstance(value, float):
        return number_text(value, ".6g")
    if isinstance(value, Sequence) and not isinstance(value, str):
        texts = [part if isinstance(part, str) else _value(part) for part in value]  # texts in a list are names
        return ("; " if any(", " in text for text in texts) else ", ").join(texts)
    text = CHOICE_TITLES.get(str(value), str(value))
    return tr(text) if text in _WORDS or text != value or " " in text else text


def _count(value: Any) -> str:
    return number_text(value) if isinstance(value, int) else UNKNOWN


def _figure(value: Any) -> str:
    return score_text(value) if isinstance(value, int | float) else UNKNOWN


def _percent(value: Any) -> str:
    return rate_text(value) if isinstance(value, int | float) else UNKNOWN
