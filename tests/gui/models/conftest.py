"""Language models with the panels that they speak in, and no other part of the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QWidget

from desktop_qa.gui.answers.answer_panel import AnswerPanel
from desktop_qa.gui.conversations.conversation_model import Turn
from desktop_qa.gui.models.models_feature import ModelsFeature
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.status_line import StatusLine
from desktop_qa.gui.widgets.boxes import in_column
from desktop_qa.gui.widgets.messages import MessageArea
from desktop_qa.llm.profile import Profile, ProfileStore
from tests.gui.patient_bot import on_screen


class Bench(QWidget):
    """An answer panel that shows what is answered, and the line with the badge under it."""

    def __init__(self, session: LibrarySession, settings: QSettings, profiles: Path) -> None:
        super().__init__()
        self.session, self.settings, self.message_area = session, settings, MessageArea()
        self.answer_panel = AnswerPanel()
        self.status_line = StatusLine()
        column = in_column(self)
        column.addWidget(self.answer_panel)
        column.addWidget(self.status_line)
        self.models = ModelsFeature(self)
        self.models.choice.store = ProfileStore(profiles)
        session.turn_ended.connect(self._show_answer)

    def _show_answer(self, _conversation: object, turn: Turn) -> None:
        if turn.view is not None:
            self.answer_panel.show_answer(turn.view)

    def keep(self, *profiles: Profile) -> None:
        """Keep profiles that can be chosen."""
        for profile in profiles:
            self.models.choice.store.save(profile)
        self.models.choice.refresh()


@pytest.fixture
def bench(qtbot, session, settings, tmp_path) -> Iterator[Bench]:
    made = on_screen(qtbot, Bench(session, settings, tmp_path / "models.toml"))
    yield made
    made.close()
