"""PDFs and pictures of known content, written for the tests of the viewer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pymupdf
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.viewer.pdf_view import PdfView
from tests.helpers.pdf import finished

A5 = (420.0, 595.0)
BLUE = (102, 153, 255)


def show_pages(qtbot: QtBot, view: PdfView, path: Path) -> None:
    """Open a file in a view and wait until it is drawn."""
    with qtbot.waitSignal(view.document.opened):
        view.open(path)
    qtbot.waitUntil(lambda: view.is_drawn)


def show_document(qtbot: QtBot, panel: PdfPanel, path: Path, *, is_kept: bool = True) -> None:
    """Show a document in a panel and wait until it is there."""
    with qtbot.waitSignal(panel.document_shown) as shown:
        panel.show_document(path, is_kept=is_kept)
    assert shown.args == [path]


def tab_texts(panel: QWidget) -> list[str]:
    """Return what the tabs of a panel say."""
    return [panel.tabs.tabText(index) for index in range(panel.tabs.count())]


def contrast(first: QColor | str, second: QColor | str) -> float:
    """Contrast ratio of WCAG 2.1, 1 to 21."""

    def luminance(name: QColor | str) -> float:
        colour = QColor(name)
        parts = (colour.redF(), colour.greenF(), colour.blueF())
        red, green, blue = (
            c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def wheel(
    view: QAbstractScrollArea,
    angle: int,
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    *,
    at: QPoint | QPointF = QPoint(200, 300),  # noqa: B008 - a constant
    pixels: int = 0,
    phase: Qt.ScrollPhase = Qt.ScrollPhase.NoScrollPhase,
) -> None:
    """Turn the wheel over a view; a touchpad tells pixels too."""
    none, position = Qt.MouseButton.NoButton, QPointF(at)
    event = QWheelEvent(
        *(position, view.viewport().mapToGlobal(position), QPoint(0, pixels), QPoint(0, angle)),
        *(none, modifiers, phase, False),
    )
    QApplication.sendEvent(view.viewport(), event)


def anchor_under(view: PdfView, point: QPointF) -> tuple[int, float, float]:
    """Return what lies under a point of the viewport, whatever the size."""
    anchor = view.page_layout.anchor_at(point + view.offset.toPointF())
    return anchor.page_index, anchor.x, anchor.y


def pixels_of(image: QImage, color: QColor) -> QRect:
    """Return the bounding box of all pixels of a colour."""
    found = QRect()
    for y in range(image.height()):
        for x in range(image.width()):
            if image.pixelColor(x, y) == color:
                found |= QRect(x, y, 1, 1)
    return found


def write_picture(path: Path, width: int = 400, height: int = 200) -> Path:
    """Write a picture that is red all over."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    assert image.save(str(path))
    return path


def write_pages(
    path: Path, sizes: Sequence[tuple[float, float]], labels: Sequence[tuple[int, str, str]] = ()
) -> Path:
    """Write a PDF with pages of these sizes, each saying its number.

    Labels are counted from 1 as (index of the page they begin at, what stands before, "r" or "D").
    """
    document = pymupdf.open()
    for number, (width, height) in enumerate(sizes, start=1):
        page = document.new_page(width=width, height=height)
        page.insert_text((72, 100), f"This is page {number}", fontsize=14)
    if labels:
        names = ("startpage", "prefix", "style")
        document.set_page_labels([dict(zip(names, one, strict=True)) for one in labels])
    return finished(document, path)


def write_three(folder: Path) -> tuple[Path, ...]:
    """Write three documents of 10, 3 and 4 pages."""
    names = (("TI_OPA4197.pdf", 10), ("TI_ADS1115.pdf", 3), ("BOSCH_BME280.pdf", 4))
    return tuple(write_pages(folder / name, [A5] * n_pages) for name, n_pages in names)


def write_rectangle(path: Path, rotation: int, *, is_cropped: bool) -> Provenance:
    """Write a page with one rectangle of `BLUE`; returns where it is displayed."""
    document = pymupdf.open()
    page = document.new_page(width=300, height=400)
    drawn = pymupdf.Rect(90, 110, 170, 150)
    page.draw_rect(drawn, color=None, fill=(0.4, 0.6, 1))
    if is_cropped:
        page.set_cropbox(pymupdf.Rect(30, 50, 250, 380))
        drawn -= (30, 50, 30, 50)
    page.set_rotation(rotation)
    width, height = (220.0, 330.0) if is_cropped else (300.0, 400.0)
    shown = _turned(drawn, rotation, width, height)
    finished(document, path)
    return Provenance(1, shown)


def _turned(rect: pymupdf.Rect, rotation: int, width: float, height: float) -> BoundingBox:
    """Turn a rectangle clockwise with a page of this size: plain geometry, no PDF library."""
    if rotation == 90:
        return BoundingBox(height - rect.y1, rect.x0, height - rect.y0, rect.x1)
    if rotation == 180:
        return BoundingBox(width - rect.x1, height - rect.y1, width - rect.x0, height - rect.y0)
    if rotation == 270:
        return BoundingBox(rect.y0, width - rect.x1, rect.y1, width - rect.x0)
    return BoundingBox(rect.x0, rect.y0, rect.x1, rect.y1)


def write_slow_page(path: Path) -> Path:
    """Write a page that takes long to draw, and a quick one after it."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    lines = [
        f"{i % 595} {(i * 7) % 842} m {(i * 13) % 595} {(i * 3) % 842} l S" for i in range(4_000)
    ]
    page.insert_text((72, 72), "slow")
    stream = page.get_contents()[0]
    document.update_stream(stream, "\n".join(["0.1 w", *lines]).encode())
    document.new_page()
    return finished(document, path)


def write_protected(path: Path, method: str = "PDF_ENCRYPT_AES_256") -> Path:
    """Write a PDF that opens with the passwords "secret" and "owner"."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 100), "The supply voltage is 3.3 V.", fontsize=12)
    keys = {"encryption": getattr(pymupdf, method), "user_pw": "secret", "owner_pw": "owner"}
    return finished(document, path, **keys)
