"""Documents read again with a model: told before, shown while it reads, seen beside the other."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import Mock

import pytest
from pytestqt.qtbot import QtBot

from desktop_qa.core.errors import Cancelled
from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.readings import ModelReading, ReadBy, ReadingEstimate, ReadingProgress
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.answers.answer_panel import AnswerPanel
from desktop_qa.gui.library.library_care import DocumentMenu
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.library.library_words import describe
from desktop_qa.gui.library.reading_link import ReadingLink, StaleOffer
from desktop_qa.gui.models.models_feature import ModelsFeature
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.status_line import StatusLine
from desktop_qa.gui.widgets.messages import Banner, NoticeLevel
from desktop_qa.llm.errors import ModelError, ModelErrorKind
from desktop_qa.llm.profile import Dialect, Profile, ProfileStore
from tests.gui.fake_service import STATUSES, FakeService, make_library, make_status
from tests.gui.patient_bot import answer_box, press, told
from tests.gui.structures import make_structure

HERE = Profile("Here", Dialect.OLLAMA, "http://127.0.0.1:11434", "qwen3:8b")
STATUS = STATUSES[0]
ESTIMATE = ReadingEstimate(1, 49, 12, 30000, 12000, None, 240.0)
NOTE = ModelReading("qwen3:8b", "127.0.0.1", 1.0, 200.0, 31, 9, 2, 0)
DONE = replace(STATUS, read_at=9.0)
NOW = "parser 15; segmenter 5; model x"


@pytest.fixture
def link(make_parts, tmp_path) -> ReadingLink:
    """What has documents read, without the rest of the window; a model is chosen."""
    store = ProfileStore(tmp_path / "models.toml")
    store.save(HERE)
    panels = {"library_panel": LibraryPanel(), "status_line": StatusLine()}
    window = make_parts(answer_panel=AnswerPanel(), **panels)
    window.models, window.scopes = ModelsFeature(window), Mock()
    window.models.choice.store = store
    window.models.choose("Here")
    return ReadingLink(window)


def begin(qtbot: QtBot, link: ReadingLink, session: LibrarySession, service: FakeService) -> str:
    """Have a document read, and return what was asked before."""
    finish_sync(qtbot, session, service)
    n_before = len(service.arguments_of("read_by_model"))
    link.offer((STATUS,))
    qtbot.waitUntil(lambda: len(service.arguments_of("estimate_reading")) > n_before)
    said = answer_box("Read")
    service.answer("estimate_reading", ((STATUS.document_id,), ESTIMATE))
    qtbot.waitUntil(lambda: len(service.arguments_of("read_by_model")) > n_before)
    return said[0]


def finish_sync(qtbot: QtBot, session: LibrarySession, service: FakeService) -> None:
    if session.is_syncing:
        service.fail("sync", Cancelled())
        qtbot.waitUntil(lambda: not session.is_syncing)


def notice(link: ReadingLink) -> str:
    """What is said of readings by models."""
    return "".join(told(link.parent(), "read by a model"))


def test_a_reading_is_told_before_followed_stopped_and_its_fault_said(
    qtbot, link, session, service
):
    line = link.parent().status_line
    # A fault is told in one line.
    begin(qtbot, link, session, service)
    error = ModelError(ModelErrorKind.STALLED, "127.0.0.1 sent nothing.", "Look at the server.")
    service.fail("read_by_model", error)
    expected = "127.0.0.1 sent nothing. Look at the server. The offline reading stays."
    qtbot.waitUntil(lambda: notice(link) == expected)

    # What it takes is told before and progress while it reads.
    menu = DocumentMenu(link.parent())
    menu.fill_for_document(STATUS)
    assert any(action.objectName() == "read_by_model" for action in menu.actions())
    menu.deleteLater()
    text = begin(qtbot, link, session, service)
    assert "Shall qwen3:8b on this machine read OPA4197" in text
    assert "49 pages in 12 requests; about 30,000 tokens read" in text
    assert "about 4 min" in text
    service.report("read_by_model", ReadingProgress("TI_OPA4197.pdf", 7, 49, 900, 30.0, 180.0))
    qtbot.waitUntil(lambda: "qwen3:8b reads TI_OPA4197.pdf" in line.activity_label.text())
    assert "page 7 of 49" in line.activity_label.text()
    assert line.pause_button.isHidden()
    assert line.cancel_button.toolTip() == "Cancel reading"
    service.answer("read_by_model", (DONE, NOTE))
    qtbot.waitUntil(lambda: "was read by qwen3:8b" in notice(link))
    assert "31 headings and 9 tables placed, 2 not found" in notice(link)
    assert session.status(STATUS.document_id) == DONE
    assert line.cancel_button.isHidden()

    # Stop leaves all as it was.
    begin(qtbot, link, session, service)
    line.cancel_button.click()
    assert service.cancelled[-1] == service.last_id("read_by_model")
    service.fail("read_by_model", Cancelled())
    qtbot.waitUntil(lambda: line.cancel_button.isHidden())
    assert session.status(STATUS.document_id) == DONE


def test_without_a_model_it_says_where_to_choose_one(link, service):
    link.parent().models.choose("")
    link.offer((STATUS,))
    assert "No language model is chosen." in notice(link)
    assert not service.arguments_of("estimate_reading")


def test_both_readings_are_seen_and_either_is_used(qtbot, open_window, service):
    finish_sync(qtbot, open_window.session, service)
    open_window.resize(1366, 768)
    open_window.library_panel.select_document(STATUS.document_id)
    open_window.action("structure").trigger()
    panel = open_window.side_bar.structure_panel
    came = panel.tree.model().modelReset
    service.answer("structure", make_structure(), until=came)
    program, model = panel.reading_buttons.values()
    assert not program.isVisibleTo(panel)
    of_model = replace(make_structure(), read_by=ReadBy.MODEL, model_reading=NOTE)
    open_window.session.take((DONE,), ())
    service.answer("structure", of_model, until=came)
    assert [program.text(), model.text()] == ["Offline", "qwen3:8b"]
    assert model.isChecked()
    assert panel.use_button.isHidden()
    program.click()
    qtbot.waitUntil(
        lambda: service.arguments_of("structure")[-1] == (STATUS.document_id, ReadBy.PROGRAM)
    )
    service.answer("structure", replace(of_model, read_by=ReadBy.PROGRAM), until=came)
    assert program.isChecked()
    assert not model.isChecked()
    panel.use_button.click()
    assert service.arguments_of("use_reading") == [(STATUS.document_id, ReadBy.PROGRAM)]


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
    view = make_library((*STALE, FRESH), folder="/libraries/aged", read_only=read_only)
    return replace(view, version=version)


@pytest.fixture
def make_offer(make_parts, session, service) -> Callable[[LibraryView], StaleOffer]:
    """Make an offer, and open a library."""

    def make(view: LibraryView) -> StaleOffer:
        offer = StaleOffer(make_parts())
        service.open(session, view)
        return offer

    return make


@pytest.fixture
def offer(make_offer) -> StaleOffer:
    return make_offer(make_aged())


def banners(offer: StaleOffer) -> list[Banner]:
    return [b for b in offer.parent().message_area.banners if b.notice.key == "stale"]


def test_what_an_earlier_version_read_is_offered_and_nothing_is_read_before(
    offer, session, service
):
    (banner,) = banners(offer)
    assert banner.notice.message == "2 documents were read by an earlier version."
    assert offer.actions() == {"read_stale": (offer.read_again, True)}
    assert service.arguments_of("read_again") == []
    press(offer.parent().message_area, "Read again")
    assert service.arguments_of("read_again") == [(tuple(s.document_id for s in STALE),)]
    assert banners(offer) == []
    waiting = tuple(
        make_status(s.file, DocumentState.WAITING, n_segments=9, read_by=s.read_by) for s in STALE
    )
    service.answer("read_again", make_library((*waiting, FRESH)), until=session.library_opened)
    assert banners(offer) == []


def test_vectors_of_another_model_are_a_warning_that_says_what_is_lost(make_offer, service):
    other = replace(STALE[0], other_model=True, read_by="parser 15; segmenter 5; model y")
    offer = make_offer(replace(make_aged(), statuses=(other, STALE[1], FRESH)))
    (banner,) = banners(offer)
    assert banner.notice.message == "1 document was embedded with another model."
    assert banner.notice.level is NoticeLevel.WARNING
    assert "found by words and codes only" in banner.notice.hint
    assert "For 9 segments that takes about 1 min." in banner.notice.hint
    press(offer.parent().message_area, "Embed again")
    assert service.arguments_of("read_again") == [((other.document_id, STALE[1].document_id),)]


def test_a_library_open_for_reading_offers_nothing(make_offer):
    offer = make_offer(make_aged(read_only=True))
    assert banners(offer) == []
    assert offer.actions() == {"read_stale": (offer.read_again, False)}


def test_later_is_remembered_for_this_version_only(offer, make_offer):
    press(offer.parent().message_area, "Later")
    assert banners(offer) == []
    for version, n_offers in ((NOW, 0), ("parser 16; segmenter 5; model x", 1)):
        assert len(banners(make_offer(make_aged(version)))) == n_offers


def test_closing_the_offer_is_no_answer_for_ever(offer, session, service):
    banners(offer)[0].dismiss()
    service.finish(session)
    assert banners(offer) == []
    offer.read_again()
    assert len(service.arguments_of("read_again")) == 1


def test_it_is_said_by_which_version_and_when():
    words = "Read by an earlier version (parser 12, segmenter 5) on 3 May 2026."
    assert words in describe(STALE[0])
