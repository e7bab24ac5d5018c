"""The text of a document as Markdown, laid out piece by piece, with what searches it."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path, PurePosixPath
from typing import Any

from PySide6.QtCore import QByteArray, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QImage,
    QImageReader,
    QResizeEvent,
    QShowEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextImageFormat,
    QTextOption,
    QTextTable,
)
from PySide6.QtWidgets import (
    QFrame,
    QPlainTextEdit,
    QPushButton,
    QStackedWidget,
    QTabBar,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QWidget,
)

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.view import MarkdownView as MarkdownText
from desktop_qa.gui.focus_order import on_keys
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column, in_row, put
from desktop_qa.gui.widgets.buttons import GlyphButton
from desktop_qa.gui.widgets.find_bar import FindBar
from desktop_qa.gui.widgets.labels import ElidedLabel, plain_label, told
from desktop_qa.gui.widgets.opening import copy_text
from desktop_qa.gui.widgets.row_painting import font_like
from desktop_qa.gui.widgets.theme import look, tint
from desktop_qa.gui.widgets.timers import single_shot

_WIDEST_PX = 780
"""Longer lines are hard to read."""
_EDGE_PX = 24
_PIXELS_PER_DOT = 2
"""Figures are drawn finer than a screen shows them."""
_MAX_IMAGES = 40
_MAX_AHEAD = 150
"""Parts that are laid out before the reader comes near: all of a usual document, and no book."""
_AHEAD_PAGES = 4
_FIT_MS = 120
"""Images keep their size while a pane is being dragged wider or narrower."""
_CELL_PADDING_PX = 5
_IMAGE_CHARACTER = "\ufffc"
_HEADING_GROWTH = (7, 4, 2, 1, 0, 0)
"""Pixels added to the text's size, by the level of a heading."""
_LOADING_MS = 400
_READING, _SOURCE, _MESSAGE = range(3)


class MarkdownView(QTextBrowser):
    """Text that is read, searched and copied."""

    laid_out = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setObjectName("markdown_view")
        self.setAccessibleName("Text of the document")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        # Words of narrow columns stay whole; a table that needs more room is scrolled.
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self._theme = themes.look.theme
        themes.look.changed.connect(self._on_look_changed)
        self._parts: tuple[str, ...] = ()
        self._n_laid_out = 0
        self._n_wanted = 0
        self._return_to = 0.0
        self._folder = Path()
        self._image_at: list[tuple[int, str]] = []
        self._read: OrderedDict[str, None] = OrderedDict()
        self._part_timer = single_shot(self, self._lay_out_next)
        self._image_timer = single_shot(self, self._read_next_image)
        self._fit_timer = single_shot(self, self._fit_images, _FIT_MS)
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)

    @property
    def is_laid_out(self) -> bool:
        """True when nothing of the text is missing."""
        return self._n_laid_out == len(self._parts)

    def show_parts(self, parts: tuple[str, ...], image_folder: str) -> None:
        """Show Markdown; the first part at once, each other in a turn of its own."""
        self._parts, self._folder, self._n_laid_out = parts, Path(image_folder), 0
        self._n_wanted = min(len(parts), _MAX_AHEAD)
        self._image_at = []
        self._read.clear()
        self.clear()
        self._set_up_document()
        self._lay_out_next()

    def lay_out_all(self) -> None:
        """Go on to the end: the reader looks for something."""
        self._want(len(self._parts))

    def _want(self, n_parts: int) -> None:
        self._n_wanted = min(n_parts, len(self._parts))
        if self._n_laid_out < self._n_wanted:
            self._part_timer.start()

    def _on_scrolled(self, value: int) -> None:
        self._image_timer.start()
        bar = self.verticalScrollBar()
        if value > bar.maximum() - _AHEAD_PAGES * bar.pageStep():
            self._want(self._n_laid_out + _MAX_AHEAD // 10)

    def _set_up_document(self) -> None:
        document = self.document()
        self.setLineWrapColumnOrWidth(self._room())
        document.setDefaultFont(font_like(self.font(), themes.look.sizes.answer_px))
        document.setDocumentMargin(0)
        frame = document.rootFrame()
        shape = frame.frameFormat()
        shape.setTopMargin(_EDGE_PX - 4)
        shape.setBottomMargin(2 * _EDGE_PX)
        frame.setFrameFormat(shape)

    def _lay_out_next(self) -> None:
        if self._n_laid_out >= self._n_wanted:
            return
        place = self.verticalScrollBar().value()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        start = cursor.position()
        # The new text shall not take over what the last line was given.
        cursor.setBlockFormat(QTextBlockFormat())
        cursor.setCharFormat(QTextCharFormat())
        cursor.insertMarkdown(self._parts[self._n_laid_out])
        # Not in one step with the insertion: tables are there only when that has ended.
        cursor.beginEditBlock()
        self._shape(start)
        cursor.endEditBlock()
        self._n_laid_out += 1
        self.verticalScrollBar().setValue(place)
        self._image_timer.start()
        if self._n_laid_out < self._n_wanted:
            self._part_timer.start()
        elif self.is_laid_out:
            if self._return_to:
                self.verticalScrollBar().setValue(
                    round(self._return_to * self.verticalScrollBar().maximum())
                )
                self._return_to = 0.0
            self.laid_out.emit()

    # How it looks

    def _shape(self, start: int) -> None:
        """Give headings, tables and images of what was inserted last their looks."""
        block = self.document().findBlock(start)
        while block.isValid():
            table = QTextCursor(block).currentTable()
            if table is not None:
                self._shape_table(table)
                block = self.document().findBlock(table.lastPosition() + 1)
                continue
            self._shape_block(block)
            block = block.next()

    def _shape_block(self, block: QTextBlock) -> None:
        shape = block.blockFormat()
        level = shape.headingLevel()
        cursor = QTextCursor(block)
        if level:
            shape.setTopMargin(24 if level == 1 else 18)
            shape.setBottomMargin(8)
            # Made anew: the importer's steps of size are too large for a text of many headings.
            look = QTextCharFormat()
            px = themes.look.sizes.answer_px + _HEADING_GROWTH[min(level, 6) - 1]
            look.setFont(font_like(self.document().defaultFont(), px, QFont.Weight.DemiBold))
            cursor.setBlockFormat(shape)
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            cursor.setCharFormat(look)
            return
        shape.setBottomMargin(8 if block.textList() is None else 3)
        if _IMAGE_CHARACTER in block.text():
            # In proportion to an image the room between lines would be a large hole.
            self._shape_images(block)
        else:
            shape.setLineHeight(130, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(shape)

    def _shape_images(self, block: QTextBlock) -> None:
        iterator = block.begin()
        found: list[tuple[int, QTextImageFormat]] = []
        while not iterator.atEnd():
            fragment = iterator.fragment()
            if fragment.charFormat().isImageFormat():
                found.append((fragment.position(), fragment.charFormat().toImageFormat()))
            iterator += 1
        for position, image in found:
            self._image_at.append((position, image.name()))
            self._fit_image(position, image)

    def _fit_image(self, position: int, look: QTextImageFormat) -> None:
        """Give an image its size, or less in a pane that is narrower."""
        size = self._shown_size(look.name())
        if not size.isValid():
            return
        width = min(size.width(), self._room())
        if look.width() == width:
            return
        look.setWidth(width)
        look.setHeight(round(size.height() * width / size.width()))
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(look)

    def _fit_images(self) -> None:
        self.setLineWrapColumnOrWidth(self._room())
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for position, _ in self._image_at:
            at = QTextCursor(self.document())
            at.setPosition(position + 1)
            self._fit_image(position, at.charFormat().toImageFormat())
        cursor.endEditBlock()
        self._read.clear()
        self._image_timer.start()

    def _room(self) -> int:
        return max(self.viewport().width() - 2, 80)

    def _shape_table(self, table: QTextTable) -> None:
        shape = table.format()
        shape.setBorder(1)
        shape.setBorderCollapse(True)
        shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        shape.setBorderBrush(QColor(self._theme.line))
        shape.setCellPadding(_CELL_PADDING_PX)
        shape.setCellSpacing(0)
        shape.setTopMargin(2)
        shape.setBottomMargin(14)
        table.setFormat(shape)
        small = QTextCharFormat()
        small.setProperty(QTextCharFormat.Property.FontPixelSize, themes.look.sizes.small_px)
        cursor = QTextCursor(self.document())
        cursor.setPosition(table.firstPosition())
        cursor.setPosition(table.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(small)
        for column in range(table.columns()):
            cell = table.cellAt(0, column)
            look = cell.format()
            look.setBackground(QColor(self._theme.background))
            cell.setFormat(look)

    # Images

    def _file(self, name: str) -> Path:
        """Return an image of the library; a name that leads elsewhere leads to no file."""
        file = self._folder / name
        is_inside = file.resolve().is_relative_to(self._folder.resolve())
        return file if is_inside else self._folder / "no image"

    def _shown_size(self, name: str) -> QSize:
        size = QImageReader(str(self._file(name))).size()
        return size / _PIXELS_PER_DOT if size.isValid() else size

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Give the layout an empty image of the size; the real one is read when it is seen."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return QByteArray()  # a style sheet that a document names is not read
        return self._blank(name.toString() if isinstance(name, QUrl) else name)

    def _blank(self, name: str) -> QImage:
        size = self._shown_size(name)
        # One bit for a pixel: a long document has hundreds of them.
        blank = QImage(size if size.isValid() else QSize(1, 1), QImage.Format.Format_Mono)
        blank.fill(1)
        return blank

    def _read_next_image(self) -> None:
        """Read one image that is seen and not read yet, and see to the next in another turn."""
        top = self.cursorForPosition(self.viewport().rect().topLeft()).position()
        bottom = self.cursorForPosition(self.viewport().rect().bottomRight()).position()
        for position, name in self._image_at:
            if top - 1 <= position <= bottom + 1 and name not in self._read:
                self._put_image(name, self._image(name))
                self._read[name] = None
                while len(self._read) > _MAX_IMAGES:
                    far, _ = self._read.popitem(last=False)
                    self._put_image(far, self._blank(far))
                self._image_timer.start()
                return

    def _image(self, name: str) -> QImage:
        """Read an image in the size it is shown: the text's own scaling is a rough one."""
        reader = QImageReader(str(self._file(name)))
        size = self._shown_size(name)
        room = QSize(min(size.width(), self._room()), size.height())
        shown = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio) * self.devicePixelRatioF()
        reader.setScaledSize(shown)
        return reader.read()

    def _put_image(self, name: str, image: QImage) -> None:
        kind = QTextDocument.ResourceType.ImageResource.value
        self.document().addResource(kind, QUrl(name), image)
        self.viewport().update()

    # Size and colours

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the lines short in a wide pane; they are broken anew when it rests."""
        room = self.width() - self.verticalScrollBar().sizeHint().width()
        side = max((room - _WIDEST_PX) // 2, _EDGE_PX)
        self.setViewportMargins(side, 0, side, 0)
        super().resizeEvent(event)
        self._fit_timer.start()

    def _on_look_changed(self) -> None:
        """Lay the text out again in other colours."""
        is_other = self._theme is not themes.look.theme
        self._theme = themes.look.theme
        if is_other and self._parts:
            bar = self.verticalScrollBar()
            self._return_to = bar.value() / max(bar.maximum(), 1)
            self.show_parts(self._parts, str(self._folder))


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
        self.find_bar = FindBar(self.view)
        self.message_label = plain_label("", None, "structure_hint")
        self._toolbar = told(QFrame(), "pdfToolbar")
        self._stack = QStackedWidget()
        self._text: MarkdownText | None = None
        self.document_id: DocumentId | None = None
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
        on_keys(self, {"Esc": self.closed.emit})

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
        buttons = self.find_button, self.copy_button, self.export_button, self.close_button
        put(line, (self.name_label, 1), self.tabs, *buttons)
        told(self.source, "markdown_source", "Markdown source")
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self.source.setFont(font_like(font, look.sizes.text_px))
        self.source.setFrameShape(QFrame.Shape.NoFrame)
        self.message_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message_label.setContentsMargins(32, 0, 32, 0)
        for content in (self.view, self.source, self.message_label):
            self._stack.addWidget(content)
        column = in_column(self, margins=(0, 0, 0, 0), spacing=0)
        put(column, self._toolbar, self.find_bar, (self._stack, 1))
        self.find_bar.hide()

    def show_document(self, status: DocumentStatus) -> None:
        """Show which document it is while its text is on the way."""
        self.document_id, self._text = status.document_id, None
        self.name_label.setText(f"{PurePosixPath(status.file).stem}.md")
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
        if index == _SOURCE and self.source.document().isEmpty():
            self.source.setPlainText(self._text.text)
        self._stack.setCurrentIndex(index)
        self.find_bar.search_in(self.source if index == _SOURCE else self.view)

    def _on_laid_out(self) -> None:
        if self._stack.currentIndex() == _READING:
            # More of it is there to be counted.
            self.find_bar.search_in(self.view)

    def copy_all(self) -> None:
        """Put the Markdown on the clipboard."""
        if self._text is not None:
            copy_text(self._text.text)

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
