"""The right side of the window: the pages of a document, or its text as Markdown."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

from desktop_qa.gui.structure.markdown_panel import MarkdownPanel
from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.widgets.labels import told


class DocumentPane(QStackedWidget):
    """Two panels in one place; the text's is made when it is first wanted.

    Attributes:
        markdown_made: With the `MarkdownPanel`, once.
    """

    markdown_made = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pdf_panel = told(PdfPanel(), "pdf_panel")
        self._markdown_panel: MarkdownPanel | None = None
        self.addWidget(self.pdf_panel)
        self.pdf_panel.pages_wanted.connect(self.show_pages)

    @property
    def markdown_panel(self) -> MarkdownPanel:
        """The panel of the text."""
        if self._markdown_panel is None:
            self._markdown_panel = told(MarkdownPanel(), "markdown_panel")
            self.addWidget(self._markdown_panel)
            self._markdown_panel.closed.connect(self.show_pages)
            self.markdown_made.emit(self._markdown_panel)
        return self._markdown_panel

    @property
    def shows_markdown(self) -> bool:
        """True while the text is shown."""
        return self._markdown_panel is not None and self.currentWidget() is self._markdown_panel

    def show_pages(self) -> None:
        """Show the pages; who read the text scrolls them by keys at once."""
        focused = QApplication.focusWidget()
        had_focus = self.shows_markdown and focused is not None and self.isAncestorOf(focused)
        self.setCurrentWidget(self.pdf_panel)
        if had_focus:
            self.pdf_panel.view.setFocus()
