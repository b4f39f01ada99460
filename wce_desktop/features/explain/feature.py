"""Explanations: the overlay, suggested boxes, and the strip along an event."""

import math
from collections.abc import Callable, Mapping

from PySide6.QtCore import QTimer

from wce_desktop.core import score_text, to_translate
from wce_desktop.core.boxes import SuggestedBox
from wce_desktop.features.explain import event_explaining, explaining, suggested_boxes
from wce_desktop.features.explain.explanation_texts import frame_notes
from wce_desktop.widgets.held_key import HeldKey
from wce_desktop.widgets.player.annotation_painter import FrameNotes
from wce_desktop.workspace import Connections, Feature, Panel, Workspace, methods

PREPARE_AFTER_MS = 2000  # a study that is opened is shown first
OPACITY_STEP = 0.1
OWN = ("next_class", "explain_frame", "next_method", "side_by_side")


class ExplainFeature(Feature):
    """Combines the three parts and provides the notes on a frame."""

    def __init__(
        self,
        workspace: Workspace,
        below: event_explaining.StripBelow,
        proposed: Callable[[int], tuple[SuggestedBox, ...]],
    ) -> None:
        """`proposed`: the boxes on a frame that follow one which was drawn."""
        super().__init__(workspace)
        self._proposed = proposed
        self.explaining = explaining.Explaining(workspace, self)
        self.panel, self.turn_on = self.explaining.panel, self.explaining.turn_on
        self.boxes = suggested_boxes.BoxActions(workspace, self, self.explaining)
        self.events = event_explaining.EventExplaining(workspace, self, self.explaining, below)
        self.panels = (
            Panel(self.panel, "right", to_translate("EXPLAIN"), order=2),
            Panel(self.events.strip, "below frame"),
        )
        workspace.player.set_notes_provider(self.notes_of)
        self._prepare_soon = QTimer(self, interval=PREPARE_AFTER_MS, singleShot=True)
        self._prepare_soon.timeout.connect(self._prepare)
        self._connections = Connections(
            (self._session.study_opened, lambda: self._prepare_soon.start()),
            (self._session.study_closed, lambda: self._prepare_soon.stop()),
        )

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        shown = self.explaining
        return {
            **methods(shown, OWN),
            "toggle_overlay": lambda: shown.set_overlay(not shown.is_overlay_on, shown.opacity),
            "overlay_weaker": lambda: shown.set_overlay(True, shown.opacity - OPACITY_STEP),
            "overlay_stronger": lambda: shown.set_overlay(True, shown.opacity + OPACITY_STEP),
            **methods(self.boxes, ("suggest_boxes", "accept_boxes", "reject_boxes", "export_coco")),
            "explain_event": self.events.explain_event,
        }

    def start(self) -> None:
        """Draw the overlay as the settings say, filled while its key is held."""
        self.explaining.show_overlay()
        (toggle,) = self._workspace.menus.of_ids(["toggle_overlay"])
        HeldKey(toggle, self).held.connect(self.explaining.hold)

    def notes_of(self, frame_index: int) -> FrameNotes:
        """Notes on a frame: labels, suggestions, boxes, and the score of the explained class."""
        reading = self._session.reading
        if reading is None:
            return FrameNotes()
        vocabulary, cams = self._session.vocabulary, self.explaining.cams
        name = self._session.explained if cams.is_of_a_class else None
        words = vocabulary.of(name).shown_title if name is not None else ""
        if name is not None and reading.entries.labels.negatives.named_at(name, frame_index) is not None:
            words = ""
        elif name is not None and not math.isnan(score := cams.score(frame_index, name)):
            words = f"{words} {score_text(score)}"
        suggested = self.boxes.suggestions.at(frame_index) + self._proposed(frame_index)
        return frame_notes(reading, vocabulary, frame_index, words, suggested)

    def _prepare(self) -> None:
        if self._session.settings["keep_model_ready"] and self._session.model_id:
            self._workspace.inference.warm_up()
