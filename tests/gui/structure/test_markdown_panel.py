from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QTextCursor, QTextTable
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import NotReadError
from desktop_qa.core.view import MarkdownView
from desktop_qa.export import markdown_parts
from desktop_qa.gui.structure.markdown_panel import MarkdownPanel
from desktop_qa.gui.widgets import theme as themes
from tests.gui.fake_service import make_status
from tests.gui.patient_bot import on_screen
from tests.gui.pdf_files import write_picture

STATUS = make_status("sub/TI_OPA4197.pdf", n_segments=9)
TEXT = """# 6 Specifications

Input offset voltage: ±25 µV. Offset drift: ±0.5 µV/°C.

- Low offset
- Low drift

**Table 1. Ratings**

| PARAMETER | MIN | MAX |
| --- | --- | --- |
| Offset | 1 | 25 |
| Drift | 2 | 5 |

![Pinout](figures/x/0001-001.png)

## 6.1 Notes

The offset is trimmed.
"""


@pytest.fixture
def panel(qtbot) -> MarkdownPanel:
    return on_screen(qtbot, MarkdownPanel(), 500, 600)


def make_text(folder: Path = Path(), text: str = TEXT, size: int = 40) -> MarkdownView:
    parts = tuple(markdown_parts(text, size))
    return MarkdownView(STATUS.document_id, "TI_OPA4197", text, parts, str(folder))


def show(qtbot: QtBot, panel: MarkdownPanel, view: MarkdownView) -> None:
    panel.show_document(STATUS)
    with qtbot.waitSignal(panel.view.laid_out):
        panel.show_text(view)


def test_the_text_is_read_with_headings_lists_and_tables(qtbot, panel):
    show(qtbot, panel, make_text())
    assert panel.name_label.text() == "TI_OPA4197.md"
    document = panel.view.document()
    first = document.firstBlock()
    while not first.text():
        first = first.next()
    assert first.text() == "6 Specifications"
    assert first.blockFormat().headingLevel() == 1
    frames = document.rootFrame().childFrames()
    (table,) = (frame for frame in frames if isinstance(frame, QTextTable))
    assert (table.rows(), table.columns()) == (3, 3)
    assert table.cellAt(2, 2).firstCursorPosition().block().text() == "5"
    assert table.cellAt(0, 0).format().background().color() == QColor(themes.LIGHT.background)
    body = table.cellAt(1, 0).firstCursorPosition()
    assert body.blockFormat().headingLevel() == 0
    assert "6.1 Notes" in panel.view.toPlainText()
    assert "#" not in panel.view.toPlainText()


def test_parts_come_in_turns_and_the_reader_stays_at_the_top(qtbot, panel):
    text = "\n\n".join(f"Paragraph {n} of this document." for n in range(400))
    panel.show_document(STATUS)
    panel.show_text(make_text(text=text, size=2000))
    assert not panel.view.is_laid_out
    qtbot.waitUntil(lambda: panel.view.is_laid_out)
    assert "Paragraph 399" in panel.view.toPlainText()
    assert panel.view.verticalScrollBar().value() == 0


def test_images_are_read_when_they_are_seen_and_fit_the_pane(qtbot, panel, tmp_path):
    (tmp_path / "figures" / "x").mkdir(parents=True)
    write_picture(tmp_path / "figures" / "x" / "0001-001.png", 2400, 1200)
    show(qtbot, panel, make_text(tmp_path))
    (position, name) = panel.view._image_at[0]

    def cursor() -> QTextCursor:
        made = QTextCursor(panel.view.document())
        made.setPosition(position + 1)
        return made

    for width in (500, 300):
        panel.resize(width, 600)
        # It is fitted when the pane rests: the scroll bar that the text needs comes after it.
        qtbot.waitUntil(
            lambda: cursor().charFormat().toImageFormat().width() <= panel.view.viewport().width()
        )
        look = cursor().charFormat().toImageFormat()
        assert look.name() == name
        assert look.height() == pytest.approx(look.width() / 2, abs=1)
        panel.view.setTextCursor(cursor())
        panel.view.ensureCursorVisible()
        qtbot.waitUntil(lambda: name in panel.view._read)


def test_the_source_is_the_text_as_it_is(qtbot, panel):
    show(qtbot, panel, make_text())
    panel.tabs.setCurrentIndex(1)
    assert panel.source.isVisible()
    assert panel.source.toPlainText() == TEXT
    panel.tabs.setCurrentIndex(0)
    assert panel.view.isVisible()


def test_words_are_found_one_after_the_other_and_counted(qtbot, panel):
    show(qtbot, panel, make_text())
    panel.find_words()
    assert panel.find_bar.isVisible()
    bar = panel.find_bar
    qtbot.keyClicks(bar.words_edit, "offset")
    assert bar.count_label.text() == "1 of 5"
    assert panel.view.textCursor().selectedText() == "offset"
    qtbot.keyClick(bar.words_edit, Qt.Key.Key_Return)
    assert bar.count_label.text() == "2 of 5"
    for _ in range(3):
        bar.next_button.click()
    assert bar.count_label.text() == "5 of 5"
    bar.next_button.click()
    assert bar.count_label.text() == "1 of 5"
    bar.previous_button.click()
    assert bar.count_label.text() == "5 of 5"
    qtbot.keyClick(bar.words_edit, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_words_are_found_in_the_source_too(qtbot, panel):
    show(qtbot, panel, make_text())
    panel.tabs.setCurrentIndex(1)
    panel.find_button.click()
    panel.find_bar.words_edit.setText("## 6.1")
    assert panel.find_bar.count_label.text() == "1 of 1"
    assert panel.source.textCursor().selectedText() == "## 6.1"


def test_all_is_copied_and_exported(qtbot, panel):
    show(qtbot, panel, make_text())
    panel.copy_button.click()
    assert QGuiApplication.clipboard().text() == TEXT
    with qtbot.waitSignal(panel.export_requested) as wanted:
        panel.export_button.click()
    assert wanted.args == [STATUS.document_id]


def test_without_text_it_says_why(panel):
    panel.show_document(STATUS)
    assert not panel.export_button.isEnabled()
    panel.show_failure(NotReadError("a.pdf has not been read.", "Look at the list."))
    assert panel.message_label.isVisibleTo(panel)
    assert panel.message_label.text() == "a.pdf has not been read.\nLook at the list."
    panel.show_document(STATUS)
    panel.show_text(MarkdownView(DocumentId("a"), "a", "", ("",), ""))
    assert panel.message_label.isVisibleTo(panel)
    assert panel.message_label.text() == "No text was found in this document."


def test_other_colours_keep_the_text_and_the_place(qtbot, panel, monkeypatch):
    text = "\n\n".join(f"Paragraph {n} of this document." for n in range(400))
    show(qtbot, panel, make_text(text=text, size=2000))
    bar = panel.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    monkeypatch.setattr(themes.look, "theme", themes.DARK)
    with qtbot.waitSignal(panel.view.laid_out):
        themes.look.changed.emit()
    assert bar.value() == pytest.approx(bar.maximum() / 2, rel=0.1)


def test_escape_leads_back_to_the_pages(qtbot, panel):
    show(qtbot, panel, make_text())
    with qtbot.waitSignal(panel.closed):
        qtbot.keyClick(panel, Qt.Key.Key_Escape)
