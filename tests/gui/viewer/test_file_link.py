"""The file behind the pages: passwords, changes, and drives that come back."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest
from PySide6.QtCore import QElapsedTimer, Qt, QTimer
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.catalog import document_id_of
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.viewer.file_link import FileLink, PrintLink
from desktop_qa.gui.viewer.file_reader import FileState
from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.viewer.viewer_message import PasswordPage
from desktop_qa.gui.widgets.boxes import in_row, put
from desktop_qa.gui.widgets.messages import Notice
from tests.gui.fake_service import make_library, make_status
from tests.gui.patient_bot import press
from tests.gui.pdf_files import A5, BLUE, show_document, write_pages, write_protected

N_PAGES = 5
A4 = (595.0, 842.0)


def status_of(path: Path, state: DocumentState = DocumentState.READY) -> DocumentStatus:
    status = make_status(path.name, state, path=str(path), n_segments=9 * state.is_searchable)
    return replace(status, document_id=document_id_of(path))


def know(window: QWidget, *statuses: DocumentStatus) -> None:
    """Let the library hold these documents and no others."""
    session = window.session
    kept = {status.document_id for status in statuses}
    gone = tuple(s.document_id for s in session.statuses if s.document_id not in kept)
    session.take(statuses, gone)


def notices(window: QWidget) -> list[str]:
    return [banner.notice.message for banner in window.files.notices.banners]


@pytest.fixture
def reading(make_parts) -> QWidget:
    """The list of the library beside the viewer."""
    window = make_parts(library_panel=LibraryPanel(), pdf_panel=PdfPanel())
    window.pdf_panel.view.is_animated = False
    window.files = FileLink(window)
    put(in_row(window), window.library_panel, window.pdf_panel)
    window.resize(900, 700)
    window.show()
    window.activateWindow()
    return window


@pytest.fixture
def ten(tmp_path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    return write_pages(folder / "ten.pdf", [A5] * 10)


def test_a_protected_document_is_opened_in_the_panel_and_its_text_offered_once(
    qtbot, reading, service, tmp_path
):
    path = write_protected(tmp_path / "locked.pdf")
    status = status_of(path, DocumentState.FAILED)
    know(reading, status)
    panel, page = reading.pdf_panel, reading.files.password_page
    reading.library_panel.tree.setFocus()
    reading.library_panel.document_activated.emit(status)
    qtbot.waitUntil(page.edit.hasFocus)
    assert page.title.text().replace("\u200b", "") == "locked.pdf is protected by a password."
    assert page.edit.echoMode() is QLineEdit.EchoMode.Password
    assert not page.button.isEnabled()
    qtbot.keyClicks(page.edit, "wrong")
    qtbot.keyClick(page.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(page.wrong.isVisible)
    assert page.edit.selectedText() == "wrong"
    qtbot.keyClicks(page.edit, "secret")
    with qtbot.waitSignal(panel.document_shown):
        qtbot.mouseClick(page.button, Qt.MouseButton.LeftButton)
    assert not page.isVisible()
    assert page.edit.text() == ""
    assert panel.view.n_pages == 1
    assert notices(reading) == ["May the text of this document be searched and cited?"]
    press(reading.files.notices, "Index Its Text")
    assert service.arguments_of("unlock") == [(status.document_id, "secret")]
    service.answer("unlock", make_library())
    qtbot.waitUntil(lambda: bool(service.arguments_of("sync")))

    # A document whose text is known is opened without a question.
    path = write_protected(tmp_path / "known.pdf")
    know(reading, status_of(path))
    reading.pdf_panel.show_document(path)
    page = reading.files.password_page
    qtbot.waitUntil(page.isVisible)
    qtbot.keyClicks(page.edit, "owner")
    with qtbot.waitSignal(reading.pdf_panel.document_shown):
        qtbot.keyClick(page.edit, Qt.Key.Key_Return)
    assert notices(reading) == []


def test_the_letters_of_a_password_are_shown_on_request(qtbot):
    page = PasswordPage()
    qtbot.addWidget(page)
    page.shows.click()
    assert page.edit.echoMode() is QLineEdit.EchoMode.Normal


def test_a_file_written_again_touched_gone_or_moved_is_told_of(
    qtbot, reading, ten, tmp_path, service
):
    # A file written again is told of and shown on request.
    know(reading, status_of(ten))
    show_document(qtbot, reading.pdf_panel, ten)
    view = reading.pdf_panel.view
    view.go_to(4)
    write_pages(ten, [A5] * 12)
    qtbot.waitUntil(lambda: notices(reading) == ["This file has changed since it was opened."])
    assert view.n_pages == 10
    press(reading.files.notices, "Show the New Version")
    qtbot.waitUntil(lambda: view.n_pages == 12)
    assert view.current_page == 4
    assert notices(reading) == ["This file is newer than what was indexed of it."]
    know(reading, status_of(ten))
    assert notices(reading) == []

    # Pages older than what was indexed are not called newer.
    # A followed folder is read again while the earlier pages are still on screen.
    write_pages(ten, [A5] * 9)
    changed = "This file has changed since it was opened."
    qtbot.waitUntil(lambda: notices(reading) == [changed])
    know(reading, status_of(ten))
    assert notices(reading) == [changed]
    press(reading.files.notices, "Show the New Version")
    qtbot.waitUntil(lambda: view.n_pages == 9)
    assert notices(reading) == []

    # A file that is gone is read on and its coming back is noticed.
    ten.rename(tmp_path / "elsewhere.pdf")
    qtbot.waitUntil(lambda: notices(reading) == ["This file was moved, renamed or deleted."])
    view.go_to(9)
    qtbot.waitUntil(lambda: view.is_drawn)
    (tmp_path / "elsewhere.pdf").rename(ten)
    qtbot.waitUntil(lambda: notices(reading) == [])

    # A moved file is found where the library finds it.
    status = status_of(ten)
    know(reading, status)
    new = ten.with_name("new name.pdf")
    ten.rename(new)
    qtbot.waitUntil(lambda: bool(notices(reading)))
    press(reading.files.notices, "Locate …")
    know(reading, replace(status, path=str(new)))
    with qtbot.waitSignal(reading.pdf_panel.document_shown) as blocker:
        reading.session.sync_finished.emit(None)
    assert blocker.args == [new]
    assert notices(reading) == []


def test_a_file_outside_is_watched_when_touched_or_replaced_and_opened_when_it_comes(
    qtbot, reading, ten, tmp_path
):
    # A file only touched is not told of.
    show_document(qtbot, reading.pdf_panel, ten)
    watch = reading.files.watch
    os.utime(ten, (1, 1))
    qtbot.waitUntil(lambda: watch._stamp is not None and watch._stamp.modified_ns == 10**9)
    assert notices(reading) == []

    # A file saved by replacing it is watched on.
    for n_pages in (11, 12):
        other = write_pages(tmp_path / "other.pdf", [A5] * n_pages)
        other.replace(ten)
        qtbot.waitUntil(lambda: watch.state is FileState.CHANGED)
        press(reading.files.notices, "Show the New Version")
        qtbot.waitUntil(lambda n=n_pages: reading.pdf_panel.view.n_pages == n)
        assert notices(reading) == []

    # A file that is missing opens as soon as it is there.
    path = tmp_path / "later.pdf"
    reading.files._retry_timer.setInterval(50)
    with qtbot.waitSignal(reading.pdf_panel.view.document.failed):
        reading.pdf_panel.show_document(path)
    assert "no longer there" in reading.pdf_panel.message
    shutil.copy(ten, path)
    qtbot.waitUntil(lambda: reading.pdf_panel.view.n_pages == 12)
    assert reading.pdf_panel.message == ""
    assert not reading.files._retry_timer.isActive()

    # A damaged file is not tried again and again.
    path = tmp_path / "no.pdf"
    path.write_text("not a PDF")
    with qtbot.waitSignal(reading.pdf_panel.view.document.failed):
        reading.pdf_panel.show_document(path)
    assert not reading.files._retry_timer.isActive()


@pytest.fixture
def printing(qtbot, panel, make_parts, tmp_path) -> PrintLink:
    """Pages with a blue bar at a place of their own."""
    path = tmp_path / "bars.pdf"
    with pymupdf.open() as document:
        for number in range(N_PAGES):
            page = document.new_page(width=A4[0], height=A4[1])
            bar = pymupdf.Rect(100, 100 + 100 * number, 300, 140 + 100 * number)
            page.draw_rect(bar, color=None, fill=tuple(c / 255 for c in BLUE))
        document.save(path)
    show_document(qtbot, panel, path)
    return PrintLink(make_parts(pdf_panel=panel))


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
    qtbot.waitUntil(lambda: printing._drawing is None)


def test_documents_ranges_and_the_current_page_are_printed_while_the_window_goes_on(
    qtbot, printing, panel, tmp_path, monkeypatch
):
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
    show = notices.post

    def post(notice: Notice) -> None:
        # At once, not by looking now and then: the second page may pass between two looks.
        show(notice)
        if "Printing page 2 of 5" in notice.message:
            QTimer.singleShot(0, lambda: press(notices, "Cancel Printing"))

    monkeypatch.setattr(notices, "post", post)
    printing.print_on(pdf_printer(tmp_path / "printed.pdf"))
    qtbot.waitUntil(lambda: printing._drawing is None)
    assert [b.notice.message for b in notices.banners] == ["Printing was stopped."]
