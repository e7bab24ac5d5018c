"""Three small pictures of the window at the end of the menus: which panes it shows."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

_SIDE_PX = 24
_STROKE = 1.3
_OUTLINE = QRectF(-7, -5.5, 14, 11)
_ROUNDING = 2.0


class PanePlace(Enum):
    """Where a pane stands: its left and its right edge in the picture."""

    LEFT = (-7.0, -2.5)
    MIDDLE = (-2.5, 2.5)
    RIGHT = (2.5, 7.0)


class PaneButton(QToolButton):
    """Shows or hides one pane; its place in the picture is filled while it is shown."""

    def __init__(self, place: PanePlace, action: QAction, parent: QWidget) -> None:
        super().__init__(parent)
        self._place = place
        self.setObjectName("pane_button")
        self.setCheckable(True)
        self.setChecked(action.isChecked())
        self.setAccessibleName(action.statusTip())
        self.setToolTip(action.toolTip())
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clicked.connect(action.trigger)
        action.toggled.connect(self.setChecked)

    def sizeHint(self) -> QSize:
        """Return a square that an unsteady hand can hit."""
        return QSize(_SIDE_PX, _SIDE_PX)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the window with its pane in the colour of the text."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour = self.palette().color(QPalette.ColorRole.ButtonText)
        painter.translate(self.width() / 2, self.height() / 2)
        painter.setPen(QPen(colour, _STROKE))
        painter.drawRoundedRect(_OUTLINE, _ROUNDING, _ROUNDING)
        left, right = self._place.value
        pane = QRectF(left, _OUTLINE.top(), right - left, _OUTLINE.height())
        if self.isChecked():
            painter.setBrush(colour)
        painter.drawRoundedRect(pane, _ROUNDING, _ROUNDING)
        painter.end()


class PaneSwitch(QWidget):
    """A button for each pane, in their order.

    Args:
        actions: Those that show the panes, from left to right.
    """

    def __init__(self, actions: Sequence[QAction], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("pane_switch")
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 0, 8, 0)
        line.setSpacing(2)
        self.buttons = tuple(
            PaneButton(place, action, self)
            for place, action in zip(PanePlace, actions, strict=True)
        )
        for button in self.buttons:
            line.addWidget(button)
