"""Table that compares two models: figures of each class, flagged frames and events."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from training.metrics.events import THRESHOLD
from training.metrics.figures import is_lost
from wce_desktop.core import number_text, rate_text, score_text, to_translate, tr, tr_count
from wce_desktop.core.annotation.vocabulary import ClassName, shown_name, title_of
from wce_desktop.widgets import basic, glyphs, plain_text
from wce_desktop.widgets.theme import COLORS

SPECIFICITIES = ("0.95", "0.90", "0.80")
NOTABLE = 0.005  # smaller differences show as equal: they would round away
UNKNOWN = "–"
ANY = "any finding"
LAST_COLUMN = 9  # empty: takes the room that is left
_VERDICTS = {
    "▲": to_translate("Old {old}, new {new}: better"),
    "▼": to_translate("Old {old}, new {new}: worse"),
    "=": to_translate("Old {old}, new {new}: equal"),
    "?": to_translate("Old {old}, new {new}: higher, but on too few patients to count as better"),
    "": to_translate("Old {old}, new {new}: no held-out frames"),
}


@dataclass(frozen=True)
class Pair:
    """One figure of the old and of the new model in [0, 1]; None where there were no held-out frames."""

    old: float | None
    new: float | None
    is_unsure: bool = False  # too few patients to say which is better

    @property
    def mark(self) -> str:
        """▲ better, ? higher on too few patients, ▼ worse, = equal, "" if unknown."""
        if self.old is None or self.new is None:
            return ""
        if abs(self.new - self.old) < NOTABLE:
            return "="
        if self.new < self.old:
            return "▼"
        return "?" if self.is_unsure else "▲"

    def words(self, is_percent: bool) -> tuple[str, str]:
        """Old and new as text: "62 %" or "0.81"."""
        write = rate_text if is_percent else score_text
        old, new = (UNKNOWN if value is None else write(value) for value in (self.old, self.new))
        return old, new


Counts = tuple[int | None, int | None]
"""By the old and the new model; None: a model that does not know the class, or not counted."""


@dataclass(frozen=True)
class FlagRow:
    """Flagged frames and events of one class."""

    frames: Counts
    events: Counts
    is_lost: bool = False  # a class without labels that lost more than half of its flagged frames


def flag_rows(comparison: Mapping[str, Any]) -> dict[str, FlagRow]:
    """The flags of each class that either model knows; classes without labels have counts of their own."""
    rows = {}
    for name, sides in ((comparison.get("flags") or {}).get("classes") or {}).items():
        old, new = sides["old"] or {}, sides["new"] or {}
        rows[name] = FlagRow((old.get("frames"), new.get("frames")), (old.get("events"), new.get("events")))
    for name, counts in (comparison.get("unlabelled") or {}).items():
        frames = counts["old_flagged"], counts["new_flagged"]
        rows[name] = FlagRow(frames, (None, None), is_lost(*frames))
    return rows


def counted_on(comparison: Mapping[str, Any]) -> str:
    """On which frames the flags were counted."""
    flags, unlabelled = comparison.get("flags"), comparison.get("unlabelled") or {}
    sentences = []
    if flags:
        sentences.append(
            tr_count(
                "Flags are counted on the {count} held-out frame with labels.",
                "Flags are counted on the {count} held-out frames with labels.",
                flags["frames"],
            )
        )
    if unlabelled:
        frames = max(int(each["frames"]) for each in unlabelled.values())
        note = comparison.get("unlabelled_note") or ""
        sentences.append(
            tr_count(
                "Flags of classes without labels are counted on {count} frame.",
                "Flags of classes without labels are counted on {count} frames.",
                frames,
            )
        )
        sentences.append(tr(note))
    rows = comparison.get("new") or {}
    if counts := {name: row["not_there"] for name, row in rows.items() if row.get("not_there")}:
        sentences.append(
            tr(
                "Frames on which a class was rejected count as frames without it, for the figures of this class only: "
                "{counts}.",
                counts=", ".join(
                    tr("not {name} {count}", name=shown_name(name), count=number_text(count))
                    for name, count in counts.items()
                ),
            )
        )
    if within_source := comparison.get("within_source"):
        sentences += [tr("The table does not keep sources apart."), tr(within_source)]
    if dropped := comparison.get("dropped"):
        sentences.append(
            tr(
                "The new model does not know these classes of the old one: {names}.",
                names=", ".join(map(shown_name, dropped)),
            )
        )
    return " ".join(filter(None, sentences))


class ComparisonTable(QFrame):
    """AUC, and the sensitivity where 95, 90 and 80 of 100 frames without the finding stay unflagged."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(7)
        self.cells: dict[tuple[str, str], str] = {}  # (class, figure) -> what stands there, for tests and for copying

    def show_comparison(self, comparison: Mapping[str, Any], classes: Mapping[str, ClassName]) -> None:
        """Show what a run's comparison.json holds, classes without labels first if they lost their flags, else last."""
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.setParent(None)
                widget.deleteLater()
        self.cells.clear()
        flags = flag_rows(comparison)
        self._add_header(comparison.get("flags") or {})
        figures, olds = comparison.get("new") or {}, comparison.get("old") or {}
        labelled = [name for name in comparison.get("classes", ()) if name in figures]
        lost = [name for name in flags if name not in labelled and flags[name].is_lost]
        others = [name for name in flags if name not in labelled and name not in lost]
        names = [*lost, *labelled, *others]
        told = comparison.get("intervals") or labelled  # an interval needs patients enough; without any, all are shown
        for row, name in enumerate(names, start=2):
            if name in figures:
                is_unsure = name not in told
                self._add_row(row, name, classes.get(name), olds.get(name) or {}, figures[name], is_unsure=is_unsure)
            else:  # a class of the old model without labels
                title = self._label(title_of(name, classes.get(name)), COLORS.text)
                self._grid.addWidget(self._named(title, classes.get(name)), row, 0)
                note = self._label(tr("not labelled, so there are no figures"), COLORS.muted)
                self._grid.addWidget(note, row, 1, 1, 6)
                self.cells[name, "auc"] = UNKNOWN
            self._add_flags(row, name, flags.get(name))
        if together := comparison.get("any"):
            self._add_row(len(names) + 2, ANY, None, together.get("old") or {}, together["new"])
        if sentence := counted_on(comparison):
            self._grid.addWidget(basic.make_note(sentence), len(names) + 3, 0, 1, LAST_COLUMN + 1)

    def _add_header(self, flags: Mapping[str, Any]) -> None:
        for column, (title, tip) in enumerate(
            (
                ("", ""),
                (tr("Patients"), tr("Patients with this finding, of all patients whose frames were held out")),
                (tr("Frames"), tr("Frames with this finding, of all held-out frames")),
                ("AUC", tr("How well it ranks frames with the finding above the others: 1 is perfect, 0.5 is chance")),
            )
        ):
            self._grid.addWidget(self._label(title, COLORS.muted, tip), 1, column)
        tip = tr("Share of the frames with the finding that are flagged at this specificity")
        self._grid.addWidget(self._label(tr("Sensitivity at a specificity of"), COLORS.muted, tip), 0, 4, 1, 3)
        for column, specificity in enumerate(SPECIFICITIES, start=4):
            self._grid.addWidget(self._label(f"{float(specificity) * 100:.0f} %", COLORS.muted, tip), 1, column)
        if flags:
            rate = flags.get("rate")
            words = (
                tr("Flagged at {rate} per 1,000 normal frames", rate=number_text(1000 * rate, "g"))
                if rate
                else tr("Flagged at threshold {threshold}", threshold=score_text(THRESHOLD))  # also by older versions
            )
            self._grid.addWidget(self._label(words, COLORS.muted), 0, 7, 1, 2)
            self._grid.addWidget(self._label(tr("Frames"), COLORS.muted, tr("Held-out frames that are flagged")), 1, 7)
            tip = tr("Flagged frames with at most {gap} frames between them are one event", gap=flags["max_gap_frames"])
            self._grid.addWidget(self._label(tr("Events"), COLORS.muted, tip), 1, 8)
        self._grid.setColumnStretch(LAST_COLUMN, 1)

    def _add_row(
        self,
        row: int,
        name: str,
        known: ClassName | None,
        old: Mapping[str, Any],
        new: Mapping[str, Any],
        *,
        is_unsure: bool = False,
    ) -> None:
        """One class's figures: `old` is empty where the old model does not know the class."""
        words = tr("Any finding") if known is None and name == ANY else title_of(name, known)
        self._grid.addWidget(self._named(self._label(words, COLORS.text), known), row, 0)
        patients, frames = number_text(new["patients"]), _part_of(new["positives"], new["frames"])
        if "patients_with_positives" in new:
            patients = _part_of(new["patients_with_positives"], new["patients"])
        self._grid.addWidget(self._label(patients, COLORS.text), row, 1)
        self._grid.addWidget(self._label(frames, COLORS.text), row, 2)
        pairs = [("auc", Pair(old.get("auc"), new.get("auc"), is_unsure), False)]
        for specificity in SPECIFICITIES:
            before, after = (side.get("sensitivity_at", {}).get(specificity) for side in (old, new))
            pairs.append((specificity, Pair(before, after, is_unsure), True))
        for column, (figure, pair, is_percent) in enumerate(pairs, start=3):
            self._grid.addWidget(self._pair_label(pair, is_percent), row, column)
            self.cells[name, figure] = " ".join((" → ".join(pair.words(is_percent)), pair.mark)).strip()

    def _add_flags(self, row: int, name: str, flags: "FlagRow | None") -> None:
        """Flagged frames and events of one class; a lost class is marked."""
        if flags is None:
            return
        counts = (("flagged", flags.frames), ("events", flags.events))
        for column, (figure, (before, after)) in enumerate(counts, start=7):
            mark = "▼" if flags.is_lost and figure == "flagged" else ""
            words = f"{_count(before)} → {_count(after)} {mark}".strip()
            lost = tr("Less than half of the flagged frames are left: the class counts as lost")
            tip = lost if mark else ""
            shown = UNKNOWN if before is None and after is None else words
            self._grid.addWidget(self._label(shown, COLORS.warning if mark else COLORS.text, tip), row, column)
            self.cells[name, figure] = shown

    def _named(self, title: plain_text.PlainLabel, known: ClassName | None) -> QWidget:
        """The class's name behind its shape and colour."""
        if known is None:
            return title
        mark = plain_text.PlainLabel()
        mark.setPixmap(glyphs.class_pixmap(known, 14, self.devicePixelRatioF()))
        return basic.as_widget(basic.in_row(mark, (title, 1), margins=0, spacing=6))

    def _pair_label(self, pair: Pair, is_percent: bool) -> QWidget:
        """Old, arrow, new, mark; the old in grey, the mark in colour and shape."""
        if pair.old is None and pair.new is None:
            return self._label(UNKNOWN, COLORS.muted, tr("No held-out frames to evaluate on"))
        before, after = pair.words(is_percent)
        color = {"▲": COLORS.accent, "▼": COLORS.warning}.get(pair.mark, COLORS.muted)
        mark = f'<span style="color:{color}">{pair.mark}</span>'
        label = plain_text.RichLabel(f'<span style="color:{COLORS.muted}">{before} →</span> <b>{after}</b> {mark}')
        words = tr(_VERDICTS[pair.mark], old=before, new=after)
        label.setToolTip(plain_text.plain(words))
        label.setAccessibleName(words)
        return label

    def _label(self, text: str, color: str, tip: str = "") -> plain_text.PlainLabel:
        label = plain_text.PlainLabel(text)
        label.setStyleSheet(f"color: {color};")
        label.setToolTip(plain_text.plain(tip))
        return label


def _part_of(part: int, whole: int) -> str:
    return tr("{part} of {whole}", part=part, whole=whole)


def _count(value: int | None) -> str:
    return UNKNOWN if value is None else number_text(value)
