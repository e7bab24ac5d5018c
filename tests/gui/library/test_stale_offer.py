from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget

from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.core.view import LibraryView
from desktop_qa.gui.library.library_words import describe
from desktop_qa.gui.library.reading_link import StaleOffer
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets.messages import Banner, NoticeLevel
from tests.gui.fake_service import FakeService, make_library, make_status

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
    view = make_library((*STALE, FRESH), folder="/libraries/aged", read_only=read_only)
    return replace(view, version=version)


@pytest.fixture
def make_offer(
    make_parts: Callable[..., QWidget], session: LibrarySession, service: FakeService
) -> Callable[[LibraryView], StaleOffer]:
    """Make an offer, and open a library."""

    def make(view: LibraryView) -> StaleOffer:
        offer = StaleOffer(make_parts())
        service.open(session, view)
        return offer

    return make


@pytest.fixture
def offer(make_offer: Callable[[LibraryView], StaleOffer]) -> StaleOffer:
    return make_offer(make_aged())


def banners(offer: StaleOffer) -> list[Banner]:
    return [b for b in offer.parent().message_area.banners if b.notice.key == "stale"]


def press(offer: StaleOffer, text: str) -> None:
    (banner,) = banners(offer)
    next(b for b in banner.action_buttons if b.text() == text).click()


def test_what_an_earlier_version_read_is_offered_and_nothing_is_read_before(
    offer: StaleOffer, session: LibrarySession, service: FakeService
) -> None:
    (banner,) = banners(offer)
    assert banner.notice.message == "2 documents were read by an earlier version."
    assert offer.available() == {"read_stale": True}
    assert service.arguments_of("read_again") == []
    press(offer, "Read again")
    assert service.arguments_of("read_again") == [(tuple(s.document_id for s in STALE),)]
    assert banners(offer) == []
    waiting = tuple(
        make_status(s.file, DocumentState.WAITING, n_segments=9, read_by=s.read_by) for s in STALE
    )
    service.answer("read_again", make_library((*waiting, FRESH)), until=session.library_opened)
    assert banners(offer) == []


def test_vectors_of_another_model_are_a_warning_that_says_what_is_lost(
    make_offer: Callable[[LibraryView], StaleOffer], service: FakeService
) -> None:
    other = replace(STALE[0], other_model=True, read_by="parser 15; segmenter 5; model y")
    offer = make_offer(replace(make_aged(), statuses=(other, STALE[1], FRESH)))
    (banner,) = banners(offer)
    assert banner.notice.message == "1 document was embedded with another model."
    assert banner.notice.level is NoticeLevel.WARNING
    assert "found by words and codes only" in banner.notice.hint
    assert "For 9 segments that takes about 1 min." in banner.notice.hint
    press(offer, "Embed again")
    assert service.arguments_of("read_again") == [((other.document_id, STALE[1].document_id),)]


def test_a_library_open_for_reading_offers_nothing(
    make_offer: Callable[[LibraryView], StaleOffer],
) -> None:
    offer = make_offer(make_aged(read_only=True))
    assert banners(offer) == []
    assert offer.available() == {"read_stale": False}


def test_later_is_remembered_for_this_version_only(
    offer: StaleOffer, make_offer: Callable[[LibraryView], StaleOffer]
) -> None:
    press(offer, "Later")
    assert banners(offer) == []
    for version, n_offers in ((NOW, 0), ("parser 16; segmenter 5; model x", 1)):
        assert len(banners(make_offer(make_aged(version)))) == n_offers


def test_closing_the_offer_is_no_answer_for_ever(
    offer: StaleOffer, session: LibrarySession, service: FakeService
) -> None:
    banners(offer)[0].dismiss()
    service.finish(session)
    assert banners(offer) == []
    offer.read_again()
    assert len(service.arguments_of("read_again")) == 1


def test_it_is_said_by_which_version_and_when() -> None:
    words = "Read by an earlier version (parser 12, segmenter 5) on 3 May 2026."
    assert words in describe(STALE[0])
