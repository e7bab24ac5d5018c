"""Files and folders dropped on the window: what it promises, what it takes, what it says."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDragLeaveEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.gui.library.drops import Dragged, DropLink, promise_of
from desktop_qa.gui.widgets.messages import Banner
from desktop_qa.service.dropped import sort_dropped
from tests.gui.fake_service import FakeService, make_library
from tests.gui.patient_bot import drag_over, files, let_go, on_screen, press


def drag(window: QWidget, *things: Path | str) -> QMimeData:
    data = files(*things)
    assert drag_over(window, data).isAccepted()
    return data


def drop(qtbot: QtBot, window: QWidget, service: FakeService, *things: Path | str) -> None:
    """Drop, and answer with what the library's process would find."""
    data = drag(window, *things)
    n_before = len(service.arguments_of("sort_dropped"))
    let_go(window, data)
    qtbot.waitUntil(lambda: len(service.arguments_of("sort_dropped")) > n_before)
    paths, links = service.arguments_of("sort_dropped")[-1]
    service.answer("sort_dropped", sort_dropped(paths, links, {}))
    qtbot.waitUntil(lambda: service.last_id("sort_dropped") not in window.session._runner._jobs)


def banner(window: QWidget, key: str = "drop") -> Banner:
    return next(b for b in window.message_area.banners if b.notice.key == key)


@pytest.fixture
def window(qtbot, host) -> QWidget:
    """Takes what is dropped; without a library."""
    host.care, host.drops = Mock(), DropLink(host)
    return on_screen(qtbot, host)


@pytest.fixture
def sheets(tmp_path) -> Path:
    folder = tmp_path / "sheets"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.pdf").write_bytes(b"%PDF-1.7 content")
    (tmp_path / "report.docx").write_bytes(b"x")
    (tmp_path / "photo.png").write_bytes(b"x")
    return folder


def test_what_is_dropped_on_an_open_library_is_promised_asked_about_added_and_listed(
    window, sheets, tmp_path, qtbot, service
):
    service.open(window.session)
    # The veil says what letting go will do.
    overlay = window.drops.overlay
    drag(window, sheets / "a.pdf", sheets / "b.pdf", tmp_path / "report.docx")
    assert overlay.isVisible()
    assert overlay.title == "Drop to add 2 PDF files to “datasheets”"
    assert overlay.hint == "Left out: 1 Word document."
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not overlay.isVisible()
    drag(window, sheets)
    assert overlay.title == "Drop to add the folder “sheets” to “datasheets” or open it by itself"
    drag(window, tmp_path / "photo.png", "https://example.org/a.pdf")
    assert overlay.title == "This cannot be read"
    assert "1 image, 1 link to the network" in overlay.hint

    # An address of the network is not loaded.
    drop(qtbot, window, service, "https://example.org/a.pdf")
    assert "nothing is loaded from the network" in banner(window).notice.hint

    # A folder on an open library asks where it shall go.
    for name in ("c.html", "d.html", "e.md", ".DS_Store"):
        (sheets / name).write_text("x")
    drop(qtbot, window, service, sheets)
    asked = banner(window, "where")
    assert sheets.name in asked.notice.message
    assert asked.notice.hint == (
        "2 PDF files are read. 3 files are not read: 2 web pages (.html), 1 Markdown file (.md)."
        " Only PDF is read so far."
    )
    asked.action_buttons[0].click()
    assert service.arguments_of("add_source") == [(str(sheets),)]
    assert not [b for b in window.message_area.banners if b.notice.key == "where"]

    # Single files are added and their folder is offered.
    drop(qtbot, window, service, sheets / "a.pdf")
    assert service.arguments_of("add_files") == [((str(sheets / "a.pdf"),),)]
    told = banner(window)
    assert told.notice.message == "Added 1 PDF file to “datasheets”."
    press(window.message_area, "Add All of “sheets”")
    assert service.arguments_of("add_source")[1:] == [(str(sheets),)]

    # A mixed drop takes what it can and lists the rest.
    mixed = tmp_path / "mixed"
    mixed.mkdir()
    for index in range(100):
        (mixed / f"{index}.pdf").write_bytes(b"%PDF-1.7 content")
        (mixed / f"{index}.docx").write_bytes(b"x")
    drop(qtbot, window, service, *sorted(mixed.iterdir()))
    (added,) = service.arguments_of("add_files")[-1]
    assert len(added) == 100
    told = banner(window)
    assert told.notice.message == "Added 100 PDF files to “datasheets”."
    assert "Left out: 100 Word documents. Save it as PDF" in told.notice.hint
    press(window.message_area, "Show Which")
    listed = window.drops.left_out_window
    assert listed.tree.topLevelItemCount() == 100
    qtbot.mouseClick(listed.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text().count("\n") == 99
    listed.close()


def test_without_a_library_the_veil_promises_to_make_one(sheets):
    title, text = promise_of(Dragged((str(sheets),), ()), "")
    assert title == "Drop to make a library of the folder “sheets”"
    assert "never copied" in text


def test_a_folder_opens_its_library_and_begins_to_index(qtbot, window, service, sheets):
    drop(qtbot, window, service, sheets)
    library, source = service.arguments_of("open_library")[0][:2]
    assert source == str(sheets)
    assert sheets.name in library
    service.answer("open_library", make_library(), until=window.session.sync_started)


def test_what_a_new_library_does_not_read_of_its_folder_is_listed_by_kind(
    qtbot, window, service, sheets
):
    for name in ("c.html", "d.html", "e.md"):
        (sheets / name).write_text("x")
    drop(qtbot, window, service, sheets)
    told = banner(window)
    assert "3 files are not read" in told.notice.hint
    press(window.message_area, "Show Which")
    listed = window.drops.left_out_window
    rows = [listed.tree.topLevelItem(row) for row in range(2)]
    assert [row.text(0) for row in rows] == ["2 web pages (.html)", "1 Markdown file (.md)"]
    assert rows[0].text(1) == "Only PDF is read so far."
    assert "Add PDFs" in rows[0].text(2)
    listed.close()


def test_single_files_without_a_library_open_one_with_them_alone_and_none_that_is_only_read(
    qtbot, window, service, sheets
):
    drop(qtbot, window, service, sheets / "a.pdf")
    library, source, _name, more = service.arguments_of("open_library")[0]
    assert "sheets" in library
    assert (source, more) == (None, (str(sheets / "a.pdf"),))

    # A library that is only read takes nothing and says so.
    service.open(window.session, make_library(read_only=True))
    drop(qtbot, window, service, sheets / "a.pdf")
    assert "reading only" in banner(window).notice.message
    assert not service.arguments_of("add_files")
