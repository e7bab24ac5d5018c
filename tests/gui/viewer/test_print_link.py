"""Printing to PDF: what stands on the printed pages, and how it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import QElapsedTimer, QTimer
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.viewer.print_link import PrintLink
from tests.gui.pdf_files import BLUE, show_document

N_PAGES = 5
A4 = (595.0, 842.0)


@pytest.fixture
def printing(
    qtbot: QtBot, panel: PdfPanel, make_parts: Callable[..., QWidget], tmp_path: Path
) -> PrintLink:
    """Pages with a blue bar at a place of their own."""
    path = tmp_path / "bars.pdf"
    with pymupdf.open() as document:
        for number in range(N_PAGES):
            page = document.new_page(width=A4[0], height=A4[1])
            page.draw_rect(bar_of(number), color=None, fill=tuple(c / 255 for c in BLUE))
        document.save(path)
    show_document(qtbot, panel, path)
    return PrintLink(make_parts(pdf_panel=panel))


def bar_of(index: int) -> pymupdf.Rect:
    return pymupdf.Rect(100, 100 + 100 * index, 300, 140 + 100 * index)


def pdf_printer(target: Path) -> QPrinter:
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(target))
    return printer


def bars(target: Path) -> list[int]:
    """Return which bar stands on each printed page."""
    found = []
    with pymupdf.open(target) as document:
        for page in document:
            drawn = page.get_pixmap(dpi=36, colorspace=pymupdf.csRGB, alpha=False)
            rows = [
                y
                for y in range(drawn.height)
                if drawn.pixel(drawn.width // 3, y)[2] - drawn.pixel(drawn.width // 3, y)[0] > 80
            ]
            middle = (rows[0] + rows[-1]) / 2 / drawn.height * A4[1]
            found.append(round((middle - 120) / 100))
    return found


def printed(qtbot: QtBot, printing: PrintLink, printer: QPrinter) -> None:
    printing.print_on(printer)
    qtbot.waitUntil(lambda: printing._job is None)


def test_documents_ranges_and_the_current_page_are_printed_while_the_window_goes_on(
    qtbot: QtBot, printing: PrintLink, panel: PdfPanel, tmp_path: Path
) -> None:
    # The window goes on while pages are printed.
    beats: list[int] = []
    clock = QElapsedTimer()
    heart = QTimer()
    heart.setInterval(5)
    heart.timeout.connect(lambda: beats.append(clock.restart()))
    clock.start()
    heart.start()
    target = tmp_path / "printed.pdf"
    printed(qtbot, printing, pdf_printer(target))
    heart.stop()
    assert len(beats) > 5 * N_PAGES

    # A whole document is printed as it is.
    assert bars(target) == [0, 1, 2, 3, 4]
    with pymupdf.open(target) as document:
        images = document[0].get_image_info()
        dots = sum(image["height"] for image in images)
        inches = (images[-1]["bbox"][3] - images[0]["bbox"][1]) / 72
        assert dots / inches == pytest.approx(300, rel=0.03)

    # A range and the current page are printed.
    some = pdf_printer(tmp_path / "some.pdf")
    some.setPrintRange(QPrinter.PrintRange.PageRange)
    some.setFromTo(2, 3)
    printed(qtbot, printing, some)
    assert bars(tmp_path / "some.pdf") == [1, 2]
    panel.view.go_to(4)
    one = pdf_printer(tmp_path / "one.pdf")
    one.setPrintRange(QPrinter.PrintRange.CurrentPage)
    printed(qtbot, printing, one)
    assert bars(tmp_path / "one.pdf") == [3]
    printing.choose()
    (dialog,) = [w for w in QApplication.topLevelWidgets() if isinstance(w, QPrintDialog)]
    assert (dialog.minPage(), dialog.maxPage()) == (1, N_PAGES)
    dialog.reject()

    # Printing tells how far it is and can be stopped.
    notices = panel.notices
    printing.print_on(pdf_printer(tmp_path / "printed.pdf"))
    # By the signal, not by looking now and then: the second page may pass between two looks.
    with qtbot.waitSignal(printing._job.progressed, check_params_cb=lambda n_done, _: n_done == 1):
        pass
    assert any("Printing page 2 of 5" in b.notice.message for b in notices.banners)
    (button,) = [b for b in notices.findChildren(QPushButton) if b.text() == "Cancel Printing"]
    button.click()
    assert printing._job is None
    assert [b.notice.message for b in notices.banners] == ["Printing was stopped."]
