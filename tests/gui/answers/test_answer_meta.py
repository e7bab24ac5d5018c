from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_qa.gui.answers.answer_panel import AnswerPanel
from desktop_qa.gui.answers.answer_text import AnswerText
from desktop_qa.gui.widgets import theme as themes
from tests.gui.fake_service import make_answer_view
from tests.gui.patient_bot import on_screen


@pytest.fixture
def keeper(qapp: QApplication, plain_looks: None) -> themes.ThemeKeeper:
    return themes.ThemeKeeper(qapp)


@pytest.fixture
def panel(qtbot: QtBot, keeper: themes.ThemeKeeper) -> AnswerPanel:
    made = on_screen(qtbot, AnswerPanel(), 900, 300)
    made.show_answer(make_answer_view())
    return made


def has_words(panel: AnswerPanel) -> bool:
    style = panel.copy_button.toolButtonStyle()
    return style is Qt.ToolButtonStyle.ToolButtonTextBesideIcon


@pytest.mark.parametrize("width", [900, 760, 520, 430, 360, 300])
def test_the_line_under_an_answer_is_one_line_at_any_width(
    qtbot: QtBot, panel: AnswerPanel, width: int
) -> None:
    def is_narrowed() -> bool:
        # Again: the words of the buttons hold it open, in a wide font, until they have left.
        panel.resize(width, 300)
        return panel.meta_row.width() <= width

    qtbot.waitUntil(is_narrowed)
    label = panel.meta_label
    assert label.height() < 2 * label.fontMetrics().height()
    assert panel.down_button.geometry().right() <= panel.meta_row.width()
    assert label.shown_parts


def test_buttons_lose_their_words_before_the_line_loses_its_pieces_and_say_what_was_copied(
    qtbot: QtBot, panel: AnswerPanel
) -> None:
    qtbot.waitUntil(lambda: has_words(panel))
    assert len(panel.meta_label.shown_parts) == 4
    panel.resize(520, 300)
    qtbot.waitUntil(lambda: not has_words(panel))
    panel.resize(360, 300)
    qtbot.waitUntil(lambda: len(panel.meta_label.shown_parts) < 4)
    assert "31 of 51 documents searched" in panel.meta_label.toolTip()

    qtbot.mouseClick(panel.copy_button, Qt.MouseButton.LeftButton)
    assert has_words(panel)
    assert panel.copy_button.text() == "Copied"


def words_of(text: AnswerText) -> dict[str, QRect]:
    """Return the words of an answer and where each stands on its surface."""
    found: dict[str, QRect] = {}
    cursor = QTextCursor(text.document())
    while cursor.movePosition(QTextCursor.MoveOperation.NextWord, QTextCursor.MoveMode.KeepAnchor):
        left = QTextCursor(text.document())
        left.setPosition(cursor.selectionStart())
        word = cursor.selectedText().strip()
        if word.isalnum():
            found[word] = text.cursorRect(left).united(text.cursorRect(cursor))
        cursor.clearSelection()
    return found


def lightness(image: QImage, rect: QRect) -> int:
    """The lightness of the lightest pixel of a rectangle."""
    rect = rect.intersected(image.rect())
    rows, columns = range(rect.top(), rect.bottom()), range(rect.left(), rect.right())
    return max((image.pixelColor(x, y).lightness() for y in rows for x in columns), default=0)


def test_each_word_of_an_answer_is_light_after_it_got_dark(
    qtbot: QtBot, keeper: themes.ThemeKeeper, panel: AnswerPanel
) -> None:
    for theme in (themes.LIGHT, themes.DARK):
        keeper.use(theme)
    text = panel.answer_text
    qtbot.waitUntil(lambda: text.is_whole)
    image = QImage(text.size(), QImage.Format.Format_RGB32)
    image.fill(QColor(themes.DARK.panel))
    text.render(image)
    words = words_of(text)
    assert len(words) > 5
    assert {word: rect for word, rect in words.items() if lightness(image, rect) < 150} == {}
