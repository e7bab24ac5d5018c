"""Draws the small numbered chips that tie a sentence to its evidence."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap

from desktop_qa.gui.widgets.theme import look

_PADDING_PX = 6
_RADIUS_PX = 4.5


def chip_size(marker: int | str, font: QFont) -> QSize:
    """Return the size of a chip in device-independent pixels."""
    metrics = QFontMetricsF(font)
    height = round(metrics.height()) + 2
    width = max(round(metrics.horizontalAdvance(str(marker))) + 2 * _PADDING_PX, height)
    return QSize(width, height)


def chip_font(base: QFont) -> QFont:
    """Return the font of the chip's number."""
    font = QFont(base)
    font.setPixelSize(look.answer_sizes.small_px)
    font.setWeight(QFont.Weight.DemiBold)
    return font


def paint_chip(
    painter: QPainter, rect: QRectF, marker: int | str, font: QFont, *, is_active: bool
) -> None:
    """Draw a chip; the active one, whose place is shown in the viewer, is filled."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.theme.accent if is_active else look.theme.accent_soft))
    painter.drawRoundedRect(rect, _RADIUS_PX, _RADIUS_PX)
    painter.setPen(QColor(look.theme.on_accent if is_active else look.theme.accent))
    painter.setFont(font)
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, str(marker))


def chip_pixmap(marker: int, font: QFont, *, is_active: bool, scale: float) -> QPixmap:
    """Return a chip as a picture for a device pixel ratio."""
    size = chip_size(marker, font)
    pixmap = QPixmap(size * scale)
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    rect = QRectF(0, 0, size.width(), size.height())
    paint_chip(painter, rect, marker, font, is_active=is_active)
    painter.end()
    return pixmap
