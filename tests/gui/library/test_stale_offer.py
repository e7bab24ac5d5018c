from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.application import Application
from desktop_qa.gui.library.library_words import describe
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.widgets.messages import NoticeLevel
from tests.gui.fake_service import FakeService, make_library, make_report, make_status

NOW = "parser 15; segmenter 5; model x"


def stale(file: str) -> DocumentStatus:
    return make_status(
        file,
        n_segments=9,
        stale=True,
        read_by="parser 12; segmenter 5; model x",
        read_at=time.mktime((2026, 5, 3, 12, 0, 0, 0, 0, -1)),
    )


STALE = (stale("TI_OPA4197.pdf"), stale("TI_ADS1115.pdf"))
FRESH = make_status("TI_LM317.pdf", n_segments=9, read_by=NOW)


def make_aged(version: str = NOW, *, read_only: bool = False) -> LibraryView:
    view = make_library((*STALE, FRESH), read_only=read_only)
    return LibraryView(view.folder, view.sources, view.statuses, view.read_only, version=version)


def open_with(window: MainWindow, service: FakeService, view: LibraryView) -> None:
    service.open(window.session, view)


def offers(window: MainWindow) -> list[str]:
    return [b.notice.message for b in window.message_area.banners if b.notice.key == "stale"]


def button(window: MainWindow, text: str) -> QPushButton:
    (banner,) = (b for b in window.message_area.banners if b.notice.key == "stale")
    return next(b for b in banner.action_buttons if b.text() == text)


def test_what_an_earlier_version_or_another_model_read_is_offered_where_it_can_be_written(
    window: MainWindow, service: FakeService
) -> None:
    # What an earlier version read is offered and nothing else is read.
    open_with(window, service, make_aged())
    assert offers(window) == ["2 documents were read by an earlier version."]
    assert service.arguments_of("sync") == [()]
    assert service.arguments_of("read_again") == []
    assert window.action("read_stale").isEnabled()
    again = next(a for a in window.care.menu_of(FRESH).actions() if a.objectName() == "retry")
    assert again.text() == "Read again"
    again.trigger()
    assert service.arguments_of("read_again") == [((FRESH.document_id,),)]

    # Vectors of another model are a warning that says what is lost.
    other = replace(STALE[0], other_model=True, read_by="parser 15; segmenter 5; model y")
    aged = replace(make_aged(), statuses=(other, STALE[1], FRESH))
    view = replace(aged, folder="/libraries/second")
    open_with(window, service, view)
    assert offers(window) == ["1 document was embedded with another model."]
    (banner,) = (b for b in window.message_area.banners if b.notice.key == "stale")
    assert banner.notice.level is NoticeLevel.WARNING
    assert "found by words and codes only" in banner.notice.hint
    assert "For 9 segments that takes about 1 min." in banner.notice.hint
    button(window, "Embed again").click()
    ids = tuple(status.document_id for status in (other, STALE[1]))
    assert service.arguments_of("read_again")[1:] == [(ids,)]

    # A library open for reading offers nothing.
    open_with(window, service, replace(make_aged(read_only=True), folder="/libraries/third"))
    assert offers(window) == []
    assert not window.action("read_stale").isEnabled()
    menu = window.care.menu_of(STALE[0])
    assert not next(a for a in menu.actions() if a.objectName() == "retry").isEnabled()


def test_accepting_reads_them_again(qtbot: QtBot, window: MainWindow, service: FakeService) -> None:
    open_with(window, service, make_aged())
    button(window, "Read again").click()
    assert service.arguments_of("read_again") == [(tuple(s.document_id for s in STALE),)]
    assert offers(window) == []
    service.answer("sync", make_report())
    waiting = tuple(
        make_status(s.file, DocumentState.WAITING, n_segments=9, read_by=s.read_by) for s in STALE
    )
    service.answer(
        "read_again", make_library((*waiting, FRESH)), until=window.session.library_opened
    )
    qtbot.waitUntil(lambda: len(service.arguments_of("sync")) == 2)
    assert offers(window) == []


def test_later_is_remembered_for_this_version_only(
    qtbot: QtBot,
    window: MainWindow,
    service: FakeService,
    make_application: Callable[..., Application],
) -> None:
    open_with(window, service, make_aged())
    button(window, "Later").click()
    assert offers(window) == []
    window.close()
    for version, expected in ((NOW, 0), ("parser 16; segmenter 5; model x", 1)):
        other = FakeService()
        again = make_application(other).window
        qtbot.waitUntil(lambda other=other: other.n_starts == 1)  # type: ignore[misc]
        with qtbot.waitSignal(again.session.library_opened):
            again.session.open_library(Path("/libraries/datasheets"))
            other.answer("open_library", make_aged(version))
        assert len(offers(again)) == expected
        again.close()


def test_closing_the_offer_is_no_answer_for_ever(window: MainWindow, service: FakeService) -> None:
    open_with(window, service, make_aged())
    window.message_area.banners[0].dismiss()
    service.finish(window.session)
    assert offers(window) == []
    window.action("read_stale").trigger()
    assert len(service.arguments_of("read_again")) == 1


def test_it_is_said_by_which_version_and_when() -> None:
    words = "Read by an earlier version (parser 12, segmenter 5) on 3 May 2026."
    assert words in describe(STALE[0])
