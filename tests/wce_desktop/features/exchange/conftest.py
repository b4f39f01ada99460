"""What the tests of the exchange share."""

import pytest
from PySide6.QtWidgets import QMessageBox


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Answer every question with Yes; the questions asked so far."""
    questions: list[str] = []

    def agree(box: QMessageBox) -> QMessageBox.StandardButton:
        questions.append(box.text())
        return QMessageBox.StandardButton.Yes

    monkeypatch.setattr(QMessageBox, "exec", agree)
    return questions
