"""The MODEL panel: the current model, and the button that fine-tunes it."""

from PySide6.QtWidgets import QPushButton, QWidget

from wce_desktop.core.language import tr, tr_count
from wce_desktop.features.learning.model.readiness import Readiness, finetune_readiness
from wce_desktop.features.learning.view.finetune_window import describe_labels
from wce_desktop.session.model_notes import score_note
from wce_desktop.session.session import Session
from wce_desktop.widgets.basic import in_column, make_heading, make_note, make_text, show_text
from wce_desktop.widgets.key_texts import set_tip
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.theme import COLORS


class ModelPanel(QWidget):
    """Shows the current model, and *Fine-tune* with the labels that it would use."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.name = QPushButton()
        set_tip(self.name, tr("Choose another model ({choose_model})"))
        self.name.setStyleSheet("text-align: left")
        self.training_note = make_text(COLORS.warning)
        self._uses = make_note()
        self.finetune = QPushButton(tr("Fine-tune…"))
        in_column(
            make_heading(tr("MODEL")),
            self.name,
            self.training_note,
            self._uses,
            self.finetune,
            of=self,
            margins=(8, 4, 8, 10),
        )
        self.refresh()

    def refresh(self) -> None:
        """Show the current model and the labels for fine-tuning."""
        model = self._session.current_model
        self.name.setText(model.title if model else tr("No model. Add one…"))
        self.show_training_note()
        self.show_readiness(finetune_readiness(self._session))

    def show_training_note(self) -> None:
        """Show what the model was trained on, where that must be known."""
        show_text(self.training_note, score_note(self._session))

    def show_readiness(self, readiness: Readiness) -> None:
        """Show the labels for fine-tuning; none in a second reading, which must not show the first reader's."""
        is_first = self._session.reading is None or self._session.reading.study.second_of is None
        self.finetune.setEnabled(is_first)
        if not is_first:
            self._uses.setText(tr("Not available in a second reading."))
            self.finetune.setText(tr("Fine-tune…"))
            set_tip(self.finetune, tr("Open the first reading to fine-tune"))
            return
        titles = {known.name: known.title_in_sentence for known in self._session.vocabulary}
        text = readiness.problem or describe_labels(readiness, titles)
        self._uses.setText(text)
        self._uses.setToolTip(plain(text))  # the panel may be too low for it
        count = sum(readiness.counts.values()) + sum(readiness.negatives.values())
        self.finetune.setText(
            tr("Fine-tune…")
            if readiness.problem
            else tr_count("Fine-tune: {count} new label", "Fine-tune: {count} new labels", count)
        )
        set_tip(self.finetune, f"{text} {readiness.hint} ({{finetune}})")
