"""The text of a document as Markdown: to read, as source, to search, to copy, to export."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QPlainTextEdit,
    QPushButton,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QWidget,
)

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import MarkdownView as MarkdownText
from desktop_qa.gui.structure.markdown_view import MarkdownView
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.buttons import GlyphButton
from desktop_qa.gui.widgets.find_bar import FindBar
from desktop_qa.gui.widgets.labels import ElidedLabel, plain_label, told
from desktop_qa.gui.widgets.theme import look, tint
from desktop_qa.gui.widgets.timers import single_shot

_LOADING_MS = 400
_READING, _SOURCE, _MESSAGE = range(3)


class MarkdownPanel(QWidget):
    """Shows the text it is given, or waits for it: that of `document_id`."""

    closed = Signal()
    export_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name_label = told(ElidedLabel(), "pdfName")
        self.tabs = QTabBar(drawBase=False, expanding=False, usesScrollButtons=False)
        self.copy_button = QToolButton()
        self.find_button = QToolButton()
        self.export_button = QPushButton("Export …")
        self.close_button = GlyphButton("close", "Back to the pages", "Esc")
        self.view = MarkdownView()
        self.source = QPlainTextEdit(readOnly=True, undoRedoEnabled=False)
        self.find_bar = FindBar()
        self.message_label = plain_label("", None, "structure_hint")
        self._toolbar = told(QFrame(), "pdfToolbar")
        self._stack = QStackedWidget()
        self._text: MarkdownText | None = None
        self.document_id: DocumentId | None = None
        self._has_source = False
        self._loading_timer = single_shot(
            self, lambda: self._show_message("Reading the text …"), _LOADING_MS
        )
        self._build()
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.find_button.clicked.connect(lambda: self.find_words())
        self.find_bar.closed.connect(self._on_find_closed)
        self.copy_button.clicked.connect(self.copy_all)
        self.export_button.clicked.connect(lambda: self.export_requested.emit(self.document_id))
        self.close_button.clicked.connect(self.closed)
        self.view.laid_out.connect(self._on_laid_out)

    def _build(self) -> None:
        self.tabs.setAccessibleName("Reading view or source")
        for title, tip in (("Reading", "Headings, tables and images"), ("Source", "As it is")):
            self.tabs.setTabToolTip(self.tabs.addTab(title), tip)
        for button, icon, name in (
            (self.find_button, "search", "Find in the text (Ctrl+F)"),
            (self.copy_button, "copy", "Copy the whole Markdown"),
        ):
            tint(button, icon, "dim", "faint")
            told(button, spoken=name, tip=name)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.export_button.setToolTip("Write the Markdown and its images as files")
        line = in_row(self._toolbar, margins=(12, 4, 8, 4), spacing=4)
        line.addWidget(self.name_label, 1)
        line.addWidget(self.tabs)
        put(line, self.find_button, self.copy_button, self.export_button, self.close_button)
        told(self.source, "markdown_source", "Markdown source")
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(look.sizes.text_px)
        self.source.setFont(font)
        self.source.setFrameShape(QFrame.Shape.NoFrame)
        self.message_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message_label.setContentsMargins(32, 0, 32, 0)
        for content in (self.view, self.source, self.message_label):
            self._stack.addWidget(content)
        column = in_column(self, margins=(0, 0, 0, 0), spacing=0)
        put(column, self._toolbar, self.find_bar, (self._stack, 1))
        self.find_bar.hide()
        self.find_bar.search_in(self.view)

    @property
    def message(self) -> str:
        """What stands in place of the text; empty while there is text."""
        is_message = self._stack.currentIndex() == _MESSAGE
        return self.message_label.text() if is_message else ""

    def show_document(self, status: DocumentStatus) -> None:
        """Show which document it is while its text is on the way."""
        self.document_id, self._text, self._has_source = status.document_id, None, False
        name = status.file.rsplit("/", 1)[-1]
        self.name_label.setText(f"{name.rsplit('.', 1)[0]}.md")
        self.name_label.setToolTip(status.path)
        self.view.show_parts((), "")
        self.source.clear()
        self._set_enabled(False)
        self._stack.setCurrentIndex(_READING)
        self._loading_timer.start()

    def show_text(self, text: MarkdownText) -> None:
        """Show the text of the document that was announced."""
        self._loading_timer.stop()
        self._text = text
        self._set_enabled(True)
        self.view.show_parts(text.parts, text.image_folder)
        self._on_tab_changed(self.tabs.currentIndex())
        if not text.text.strip():
            self._show_message("No text was found in this document.")

    def show_failure(self, error: DesktopQaError) -> None:
        """Show why there is no text."""
        self._loading_timer.stop()
        self._show_message(f"{error.message}\n{error.hint}")

    def _show_message(self, text: str) -> None:
        self.message_label.setText(text)
        self._stack.setCurrentIndex(_MESSAGE)

    def _set_enabled(self, is_enabled: bool) -> None:
        for widget in (self.tabs, self.find_button, self.copy_button, self.export_button):
            widget.setEnabled(is_enabled)

    def _on_tab_changed(self, index: int) -> None:
        if self._text is None:
            return
        if index == _SOURCE and not self._has_source:
            self.source.setPlainText(self._text.text)
            self._has_source = True
        self._stack.setCurrentIndex(index)
        self.find_bar.search_in(self.source if index == _SOURCE else self.view)

    def _on_laid_out(self) -> None:
        if self._stack.currentIndex() == _READING:
            # More of it is there to be counted.
            self.find_bar.search_in(self.view)

    def copy_all(self) -> None:
        """Put the Markdown on the clipboard."""
        if self._text is not None:
            QGuiApplication.clipboard().setText(self._text.text)

    def find_words(self) -> None:
        """Open the line for finding words in the text."""
        self.view.lay_out_all()
        self.find_bar.begin()

    def _on_find_closed(self) -> None:
        self.find_bar.hide()
        self._focus_text()

    def _focus_text(self) -> None:
        widget = self._stack.currentWidget()
        if widget is not None:
            widget.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """Let the keys scroll at once."""
        super().showEvent(event)
        self._focus_text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave by Escape; the menu of the window has the keys that find words."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
