"""A figure with the room of a window: zoomed about the pointer, moved, copied, saved."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import (
    QEvent,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QImage,
    QImageReader,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
    QShortcut,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsPixmapItem,
    QGraphicsScene,
    QGraphicsView,
    QLabel,
    QToolButton,
    QWidget,
)

from desktop_qa.gui.evidence.figure_view import ImageJob, reader
from desktop_qa.gui.widgets.boxes import in_column, in_row
from desktop_qa.gui.widgets.dialog_parts import LargeWindow
from desktop_qa.gui.widgets.labels import breakable_label, say, told
from desktop_qa.gui.widgets.opening import copy_text
from desktop_qa.gui.widgets.theme import look
from desktop_qa.gui.widgets.timers import single_shot

_STEP = 1.25
_LEAST, _MOST = 0.02, 16.0
_MARGIN_PX = 16
_DETAIL_MS = 120
"""The sharp part is read when the zoom has been still for so long."""

_COPIED_PX = QSize(2048, 2048)
_DESCRIBE = "Describe"
_DESCRIBE_TIP = "Have a language model that sees describe it"


class FigureCanvas(QGraphicsView):
    """Draws one figure on white paper: a pixel of it is one of the scene.

    Attributes:
        image: As it was read, for the clipboard; null until it is there.
        factor: How large it is drawn; 1 shows a pixel of the image as a pixel of the screen.
        is_fitted: It follows the size of its place.
        zoomed: With the factor.
    """

    zoomed = Signal(float)

    def __init__(self, path: str, vector_path: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path, self._vector_path = path, vector_path
        self._show_ground()
        look.changed.connect(self._show_ground)
        self.image = QImage()
        self.reason = ""
        self.factor = 1.0
        self.is_fitted = True
        self._reading_detail = 0
        self._detail_timer = single_shot(self, self._read_detail, _DETAIL_MS)
        size = QImageReader(path).size().expandedTo(QSize(1, 1))
        scene = QGraphicsScene(QRectF(QPointF(), QSizeF(size)), self)
        self.setScene(scene)
        self._paper = scene.addRect(scene.sceneRect(), Qt.PenStyle.NoPen, Qt.GlobalColor.white)
        self._base, self._detail = scene.addPixmap(QPixmap()), scene.addPixmap(QPixmap())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setMinimumSize(160, 120)
        job = ImageJob(path, "", size.boundedTo(QSize(2048, 2048)))
        reader().read(job, self, self._on_read)

    def _on_read(self, image: QImage, reason: str) -> None:
        self.reason = reason
        self._paper.setVisible(not reason)
        if not reason:
            self.image = image
            _put(self._base, image, self.sceneRect())
            self._detail_timer.start()
        self.viewport().update()

    def _read_detail(self) -> None:
        """Have the part in sight read at the size it is drawn, where the base is coarser."""
        natural, factor = self.sceneRect().size(), self.factor
        shown = self.mapToScene(self.viewport().rect()).boundingRect() & self.sceneRect()
        size = (natural * factor).toSize()
        if self.image.isNull() or shown.isEmpty():
            return
        # Larger, the pixels of a bitmap are large on the screen already.
        if not self._vector_path and not self.image.width() < size.width() <= 2 * natural.width():
            return
        clip = QRect((shown.topLeft() * factor).toPoint(), (shown.size() * factor).toSize())
        clip &= QRect(QPoint(), size)
        part = QTransform.fromScale(
            natural.width() / size.width(), natural.height() / size.height()
        )
        where = part.mapRect(QRectF(clip))
        reader().forget(self._reading_detail)
        job = ImageJob(self._path, self._vector_path, size, clip)
        self._reading_detail = reader().read(
            job, self, lambda image, reason: None if reason else _put(self._detail, image, where)
        )

    # Zoom and place

    def zoom_to(self, factor: float, about: QPointF | None = None) -> None:
        """Show it at another size; the place under a point of this widget stays where it is."""
        place = about.toPoint() if about is not None else self.viewport().rect().center()
        under = self.mapToScene(place)
        self._show_at(factor, is_fitted=False)
        off = self.mapFromScene(under) - place
        for bar, by in ((self.horizontalScrollBar(), off.x()), (self.verticalScrollBar(), off.y())):
            bar.setValue(bar.value() + by)

    def _show_at(self, factor: float, *, is_fitted: bool) -> None:
        self.factor, self.is_fitted = min(max(factor, _LEAST), _MOST), is_fitted
        scale = self.factor / self.devicePixelRatioF()
        smoothly, as_it_is = (
            Qt.TransformationMode.SmoothTransformation,
            Qt.TransformationMode.FastTransformation,
        )
        for item in (self._base, self._detail):
            item.setTransformationMode(smoothly if self.factor < 4 else as_it_is)
        self.setTransform(QTransform.fromScale(scale, scale))
        self.zoomed.emit(self.factor)
        self._detail_timer.start()

    def zoom_in(self) -> None:
        """Show it a step larger."""
        self.zoom_to(self.factor * _STEP)

    def zoom_out(self) -> None:
        """Show it a step smaller."""
        self.zoom_to(self.factor / _STEP)

    def fit(self) -> None:
        """Show all of it, as large as there is room."""
        room = QSizeF(self.size()) - QSizeF(2 * _MARGIN_PX, 2 * _MARGIN_PX)
        ratio, natural = self.devicePixelRatioF(), self.sceneRect().size()
        factor = min(
            max(room.width(), 1) * ratio / natural.width(),
            max(room.height(), 1) * ratio / natural.height(),
        )
        most = 3.0 if self._vector_path else 1.5
        self._show_at(min(factor, most * ratio), is_fitted=True)

    def show_actual_size(self) -> None:
        """Show each pixel of the image as one of the screen."""
        self.zoom_to(1.0)

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the place."""
        super().resizeEvent(event)
        if self.is_fitted:
            self.fit()
        self._detail_timer.start()

    def scrollContentsBy(self, across: int, down: int) -> None:
        """Have what comes into sight read as sharply."""
        super().scrollContentsBy(across, down)
        self._detail_timer.start()

    def drawForeground(self, painter: QPainter, _rect: QRectF | QRect) -> None:
        """Say why there is no image, or that it is being read."""
        if self.image.isNull():
            painter.resetTransform()
            painter.setPen(QColor(look.theme.text if self.reason else "#5d6675"))
            words = self.reason or "Reading the image …"
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, words)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, else move."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_to(self.factor * _STEP ** (event.angleDelta().y() / 120), event.position())
            event.accept()
        else:
            super().wheelEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Zoom by pinching."""
        kind = Qt.NativeGestureType.ZoomNativeGesture
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == kind:
            self.zoom_to(self.factor * (1.0 + event.value()), event.position())
            return True
        return super().viewportEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the image, by the middle button too."""
        super().mousePressEvent(_by_left(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let the image go."""
        super().mouseReleaseEvent(_by_left(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Go between the whole image and a closer look."""
        if self.is_fitted:
            self.zoom_to(max(1.0, self.factor * 2), event.position())
        else:
            self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Zoom by key; arrows move it."""
        zooms: dict[int, Callable[[], None]] = {
            Qt.Key.Key_Plus: self.zoom_in,
            Qt.Key.Key_Equal: self.zoom_in,
            Qt.Key.Key_Minus: self.zoom_out,
            Qt.Key.Key_0: self.fit,
            Qt.Key.Key_1: self.show_actual_size,
        }
        zooms.get(event.key(), partial(super().keyPressEvent, event))()

    def _show_ground(self) -> None:
        self.setBackgroundBrush(QColor(look.theme.canvas))


def _put(item: QGraphicsPixmapItem, image: QImage, where: QRectF) -> None:
    """Show an image in a part of the scene."""
    item.setPixmap(QPixmap.fromImage(image))
    item.setPos(where.topLeft())
    across, down = where.width() / image.width(), where.height() / image.height()
    item.setTransform(QTransform.fromScale(across, down))


def _by_left(event: QMouseEvent) -> QMouseEvent:
    """Return a press of the middle button as one of the left."""
    left, places = Qt.MouseButton.LeftButton, (event.position(), event.globalPosition())
    is_middle = event.button() == Qt.MouseButton.MiddleButton
    made = QMouseEvent(event.type(), *places, left, event.buttons() | left, event.modifiers())
    return made if is_middle else event


class FigureWindow(LargeWindow):
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
        super().__init__(caption or "Figure", parent)
        layout = in_column(self, margins=(0, 0, 0, 0), spacing=0)
        self._bar = in_row(margins=(10, 6, 10, 6), spacing=2, inside=layout)
        canvas = self.canvas = FigureCanvas(path, vector_path, self)
        self.zoom_label = told(QLabel(self, alignment=Qt.AlignmentFlag.AlignCenter), "count_label")
        canvas.setAccessibleName(f"Figure: {caption}" if caption else "Figure")
        canvas.zoomed.connect(lambda factor: self.zoom_label.setText(f"{factor * 100:.0f} %"))
        self._add_button("−", "Smaller (Minus)", canvas.zoom_out)
        self.zoom_label.setMinimumWidth(52)
        self._bar.addWidget(self.zoom_label)
        self._add_button("+", "Larger (Plus)", canvas.zoom_in)
        self._bar.addSpacing(8)
        self._add_button("Fit", "Show all of it (0)", canvas.fit)
        self._add_button("1 : 1", "Show its pixels as they are (1)", canvas.show_actual_size)
        self._bar.addStretch(1)
        self.describe_button = self._add_button(_DESCRIBE, _DESCRIBE_TIP, self.describe_requested)
        self.place_button = self._add_button(
            "Open at place", "Show it in its document (Ctrl+Return)", self.place_requested
        )
        self.copy_button = self._add_button("Copy", "Copy the image (Ctrl+C)", self.copy_image)
        self.save_button = self._add_button(
            "Save …", "Write the image to a file (Ctrl+S)", self.save_requested
        )
        layout.addWidget(canvas, 1)
        self.caption_label = breakable_label(self, "figure_caption", caption)
        self.caption_label.setVisible(bool(caption))
        self.caption_label.setContentsMargins(14, 9, 14, 11)
        layout.addWidget(self.caption_label)
        said = in_column(margins=(14, 0, 14, 12), spacing=4, inside=layout)
        self.description = breakable_label(self, "figure_description")
        self.description.setAccessibleName("What a language model says of the figure")
        self.byline_label = breakable_label(self, "count_label")
        for label in (self.description, self.byline_label):
            said.addWidget(label)
            label.hide()
        ways = Qt.TextInteractionFlag
        for label in (self.caption_label, self.description, self.byline_label):
            flags = ways.TextSelectableByMouse | ways.TextSelectableByKeyboard
            label.setTextInteractionFlags(flags)
        for keys, slot in (
            (QKeySequence(QKeySequence.StandardKey.Copy), self._on_copy_pressed),
            (QKeySequence(QKeySequence.StandardKey.Save), self.save_requested.emit),
            (QKeySequence("Ctrl+Return"), self.place_requested.emit),
        ):
            QShortcut(keys, self).activated.connect(slot)
        canvas.setFocus()

    def _add_button(
        self, text: str, tip: str, slot: Callable[[], object] | SignalInstance
    ) -> QToolButton:
        button = told(QToolButton(self), spoken=tip.partition(" (")[0], tip=tip)
        button.setText(text)
        button.clicked.connect(slot)
        self._bar.addWidget(button)
        return button

    def show_description(self, text: str, byline: str, *, goes_on: bool = False) -> None:
        """Show what a model says, whose words these are, and whether more comes."""
        say(self.byline_label, byline)
        say(self.description, text)
        self.describe_button.setText("Stop" if goes_on else _DESCRIBE)
        self.describe_button.setToolTip("Stop the model" if goes_on else _DESCRIBE_TIP)

    def _on_copy_pressed(self) -> None:
        """Copy the words that are selected, else the image."""
        words = self.caption_label.selectedText() or self.description.selectedText()
        if words:
            copy_text(words)
        else:
            self.copy_image()

    def copy_image(self) -> None:
        """Put the image on the clipboard."""
        if not self.canvas.image.isNull():
            QGuiApplication.clipboard().setImage(self.canvas.image)


def copy_figure(owner: QWidget, path: str) -> None:
    """Put a figure on the clipboard as soon as it is read, unless its owner is gone by then."""

    def on_read(image: QImage, reason: str) -> None:
        if not reason:
            QGuiApplication.clipboard().setImage(image)

    reader().read(ImageJob(path, "", _COPIED_PX), owner, on_read)
