"""A figure with the room of a window: looked at closely, copied, saved."""

from __future__ import annotations

import shutil
from pathlib import Path

from PySide6.QtCore import QSettings, QSize, QStandardPaths, Qt, Signal
from PySide6.QtGui import QGuiApplication, QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QLabel,
    QToolButton,
    QWidget,
)

from desktop_qa.answer_export.files import suggested_name
from desktop_qa.core.errors import ExportError
from desktop_qa.gui.evidence.figure_canvas import FigureCanvas
from desktop_qa.gui.evidence.figure_reader import ImageJob, clean_svg, reader
from desktop_qa.gui.widgets import theme as themes
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.breakable import show_breakable

_SIZE = (1080, 760)
_SCREEN_SHARE = 0.9
_FOLDER_KEY = "export/figures_folder"
_COPIED_PX = QSize(2048, 2048)
_DESCRIBE = "Describe"
_DESCRIBE_TIP = "Have a language model that sees describe it"


class FigureWindow(QDialog):
    """Shows one figure of a document.

    Args:
        caption: What the document says of it.
        path: Of the bitmap.
        vector_path: Of the drawing; empty when there is none.

    Attributes:
        place_requested: It shall be shown in its document.
        save_requested: It shall be written to a file.
        describe_requested: A language model shall describe it, or stop doing so.
    """

    place_requested = Signal()
    save_requested = Signal()
    describe_requested = Signal()

    def __init__(
        self, caption: str, path: str, vector_path: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowFlag(Qt.WindowType.WindowMinMaxButtonsHint)
        self.setWindowTitle(f"{caption or 'Figure'} – Desktop QA")
        self.canvas = FigureCanvas(path, vector_path, self)
        self.canvas.setAccessibleName(f"Figure: {caption}" if caption else "Figure")
        self.caption_label = self._text("figure_caption")
        show_breakable(self.caption_label, caption)
        self.caption_label.setVisible(bool(caption))
        self.zoom_label = QLabel(self)
        self.zoom_label.setObjectName("count_label")
        self.zoom_label.setMinimumWidth(52)
        self.zoom_label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.out_button = self._button("−", "Smaller (Minus)")
        self.in_button = self._button("+", "Larger (Plus)")
        self.fit_button = self._button("Fit", "Show all of it (0)")
        self.actual_button = self._button("1 : 1", "Show its pixels as they are (1)")
        self.place_button = self._button("Open at place", "Show it in its document (Ctrl+Return)")
        self.copy_button = self._button("Copy", "Copy the image (Ctrl+C)")
        self.save_button = self._button("Save …", "Write the image to a file (Ctrl+S)")
        self.describe_button = self._button(_DESCRIBE, _DESCRIBE_TIP)
        self.byline_label = self._text("count_label")
        self.byline_label.setWordWrap(True)
        self.description = self._text("figure_description")
        self.description.setWordWrap(True)
        self.description.setAccessibleName("What a language model says of the figure")
        self._lay_out()
        self._connect()
        room = self.screen().availableSize() * _SCREEN_SHARE
        self.resize(min(_SIZE[0], room.width()), min(_SIZE[1], room.height()))
        self.canvas.setFocus()

    def _text(self, name: str) -> QLabel:
        """Make a label for words of others, which can be selected."""
        label = QLabel(self)
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        return label

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip.partition(" (")[0])
        return button

    def _lay_out(self) -> None:
        layout = in_column(self, margins=(0, 0, 0, 0), spacing=0)
        bar = in_row(margins=(10, 6, 10, 6), spacing=2, inside=layout)
        for widget in (self.out_button, self.zoom_label, self.in_button):
            bar.addWidget(widget)
        bar.addSpacing(8)
        bar.addWidget(self.fit_button)
        bar.addWidget(self.actual_button)
        bar.addStretch(1)
        for button in (
            self.describe_button,
            self.place_button,
            self.copy_button,
            self.save_button,
        ):
            bar.addWidget(button)
        layout.addWidget(self.canvas, 1)
        self.caption_label.setContentsMargins(14, 9, 14, 11)
        layout.addWidget(self.caption_label)
        said = in_column(margins=(14, 0, 14, 12), spacing=4, inside=layout)
        said.addWidget(self.description)
        said.addWidget(self.byline_label)
        self.byline_label.hide()
        self.description.hide()

    def show_description(self, text: str, byline: str, *, goes_on: bool = False) -> None:
        """Show what a model says, whose words these are, and whether more comes."""
        self.byline_label.setText(byline)
        self.byline_label.setVisible(bool(byline))
        self.description.setText(text)
        self.description.setVisible(bool(text))
        self.describe_button.setText("Stop" if goes_on else _DESCRIBE)
        self.describe_button.setToolTip("Stop the model" if goes_on else _DESCRIBE_TIP)

    def _connect(self) -> None:
        self.canvas.zoomed.connect(self._on_zoomed)
        self.out_button.clicked.connect(self.canvas.zoom_out)
        self.in_button.clicked.connect(self.canvas.zoom_in)
        self.fit_button.clicked.connect(self.canvas.fit)
        self.actual_button.clicked.connect(self.canvas.show_actual_size)
        self.place_button.clicked.connect(self.place_requested)
        self.copy_button.clicked.connect(self.copy_image)
        self.save_button.clicked.connect(self.save_requested)
        self.describe_button.clicked.connect(self.describe_requested)
        for keys, slot in (
            (QKeySequence(QKeySequence.StandardKey.Copy), self._on_copy_pressed),
            (QKeySequence(QKeySequence.StandardKey.Save), self.save_requested.emit),
            (QKeySequence("Ctrl+Return"), self.place_requested.emit),
        ):
            QShortcut(keys, self).activated.connect(slot)

    def _on_zoomed(self, factor: float) -> None:
        self.zoom_label.setText(f"{factor * 100:.0f} %")

    def _on_copy_pressed(self) -> None:
        """Copy the words that are selected, else the image."""
        words = self.caption_label.selectedText() or self.description.selectedText()
        if words:
            QGuiApplication.clipboard().setText(words)
        else:
            self.copy_image()

    def copy_image(self) -> None:
        """Put the image on the clipboard."""
        if not self.canvas.image.isNull():
            QGuiApplication.clipboard().setImage(self.canvas.image)

    def apply_theme(self, theme: themes.Theme) -> None:
        """Draw in other colours."""
        self.canvas.apply_theme(theme)


def copy_figure(owner: QWidget, path: str) -> None:
    """Put a figure on the clipboard as soon as it is read.

    Args:
        owner: Whose figure it is; when it is gone, nothing is copied.
        path: Of the bitmap.
    """

    def on_read(image: QImage, reason: str) -> None:
        if not reason:
            QGuiApplication.clipboard().setImage(image)

    reader().read(ImageJob(path, "", _COPIED_PX), owner, on_read)


def choose_place_for_figure(
    window: QWidget, settings: QSettings, caption: str, vector_path: str
) -> Path | None:
    """Ask where a figure shall be written; `None` when the user thought better of it."""
    pictures = QStandardPaths.StandardLocation.PicturesLocation
    usual = QStandardPaths.writableLocation(pictures) or str(Path.home())
    folder = Path(str(settings.value(_FOLDER_KEY, usual)))
    has_drawing = bool(vector_path and clean_svg(vector_path))
    kinds = ["PNG image (*.png)"] + (["SVG drawing (*.svg)"] if has_drawing else [])
    name = suggested_name(caption or "Figure")
    chosen, kind = QFileDialog.getSaveFileName(
        window,
        "Save Figure",
        str((folder if folder.is_dir() else Path.home()) / f"{name}.png"),
        ";;".join(kinds),
    )
    if not chosen:
        return None
    target = Path(chosen)
    if target.suffix.lower() not in (".png", ".svg"):
        target = target.with_name(f"{target.name}{'.svg' if 'svg' in kind else '.png'}")
    settings.setValue(_FOLDER_KEY, str(target.parent))
    return target


def save_figure(target: Path, path: str, vector_path: str) -> None:
    """Write a figure as it is in the library, as a drawing when the name ends in .svg.

    Raises:
        ExportError: When it cannot be written, or is not there any more.
    """
    source = Path(vector_path if target.suffix.lower() == ".svg" and vector_path else path)
    try:
        shutil.copyfile(source, target)
    except OSError as error:
        raise ExportError(
            f"{target} cannot be written ({error.strerror or error}).",
            "Choose another place, or see whether the image is still in the library.",
        ) from error
