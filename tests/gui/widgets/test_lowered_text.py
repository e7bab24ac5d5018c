"""Subscripts are seen on what is painted: they end lower than their line, and take less room."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from desktop_qa.gui.widgets.symbols import draw_line, draw_wrapped

WORDS, LOWERED = "V OS", ((2, 4),)
BASELINE = 60


@pytest.fixture
def font(qapp: QApplication) -> QFont:
    font = QFont()
    font.setPixelSize(40)
    return font


def ink(image: QImage) -> tuple[int, int, int]:
    """Return the left, right and lower end of what is dark."""
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    pixels = np.frombuffer(grey.constBits(), np.uint8).reshape(grey.height(), grey.bytesPerLine())
    rows, columns = np.where(pixels[:, : grey.width()] < 128)
    return int(columns.min()), int(columns.max()), int(rows.max())


def blank() -> QImage:
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    return image


def test_a_subscript_ends_below_its_line_and_is_smaller(font: QFont) -> None:
    ends, widths = [], []
    for spans in ((), LOWERED):
        image = blank()
        painter = QPainter(image)
        painter.setFont(font)
        widths.append(draw_line(painter, QPointF(10, BASELINE), WORDS, spans))
        painter.end()
        ends.append(ink(image))
    plain, lowered = ends
    assert plain[0] == lowered[0]
    assert plain[2] <= BASELINE < lowered[2]
    assert lowered[1] < plain[1]
    assert widths[1] < widths[0]


def test_what_was_left_out_at_the_end_of_a_line_is_not_set_low(font: QFont) -> None:
    image = blank()
    painter = QPainter(image)
    painter.setFont(font)
    draw_line(painter, QPointF(10, BASELINE), "V …", LOWERED)
    painter.end()
    assert ink(image)[2] <= BASELINE


def test_wrapped_lines_are_as_far_apart_as_without_subscripts(font: QFont) -> None:
    image = blank()
    painter = QPainter(image)
    painter.setFont(font)
    height = draw_wrapped(painter, QRect(0, 0, 60, 200), WORDS, LOWERED)
    painter.end()
    assert height == pytest.approx(2 * QFontMetricsF(font).height())


def test_words_are_cut_at_the_end_of_their_rectangle(font: QFont) -> None:
    image = blank()
    painter = QPainter(image)
    painter.setFont(font)
    draw_wrapped(painter, QRect(0, 0, 60, 50), WORDS, LOWERED)
    painter.end()
    assert ink(image)[2] < 50
