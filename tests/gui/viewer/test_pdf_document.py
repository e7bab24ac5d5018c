from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from desktop_qa.catalog import document_id_of
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.gui.viewer.pdf_document import PdfDocument, RenderKey
from tests.gui.pdf_files import (
    A5,
    write_pages,
    write_protected,
    write_rectangle,
    write_slow_page,
)

_owners: list[QObject] = []


@pytest.fixture(autouse=True)
def owner(qapp) -> Iterator[QObject]:
    """What the documents of a test belong to, as to a view in the window.

    A document dies with its owner in the event loop. One that Python's reference count destroys
    in the middle of a call took the interpreter with it (PySide 6.11, once in some runs).
    """
    made = QObject()
    _owners.append(made)
    yield made
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    _owners.clear()


def new_document() -> PdfDocument:
    return PdfDocument(_owners[-1])


def opened(qtbot: QtBot, path: Path) -> PdfDocument:
    document = new_document()
    with qtbot.waitSignal(document.opened):
        document.open(path)
    return document


def drawn(qtbot: QtBot, document: PdfDocument, key: RenderKey) -> QImage:
    with qtbot.waitSignal(document.image_rendered) as blocker:
        document.want([key])
    assert blocker.args[0] == key
    return blocker.args[1]


def failure(qtbot: QtBot, path: Path) -> UnreadableDocumentError:
    document = new_document()
    with qtbot.waitSignal(document.failed) as blocker:
        document.open(path)
    assert document.stamp is None
    assert document.page_sizes == ()
    return blocker.args[0]


def key_of(document: PdfDocument, page_index: int, width: int, height: int) -> RenderKey:
    return RenderKey(document.stamp, page_index, width, height)


def test_an_open_file_tells_the_size_of_each_page_as_displayed(qtbot, tmp_path):
    sizes = [A5, (300.0, 200.0)]
    document = opened(qtbot, write_pages(tmp_path / "a.pdf", sizes))
    assert document.page_sizes == tuple(sizes)
    write_rectangle(tmp_path / "turned.pdf", 90, is_cropped=True)
    with qtbot.waitSignal(document.opened):
        document.open(tmp_path / "turned.pdf")
    assert document.page_sizes == ((330.0, 220.0),)


def test_pages_of_many_sizes_are_all_measured(qtbot, tmp_path):
    sizes = [(200.0 + number, 300.0) for number in range(120)]
    document = opened(qtbot, write_pages(tmp_path / "a.pdf", sizes))
    assert document.page_sizes == tuple(sizes)


def test_a_missing_file_says_where_to_put_it(qtbot, tmp_path):
    problem = failure(qtbot, tmp_path / "gone.pdf")
    assert problem.message == "gone.pdf is no longer there."
    assert str(tmp_path) in problem.hint


@pytest.mark.parametrize(
    ("content", "words"), [("not a PDF", "is damaged or is not a PDF."), ("", "is empty.")]
)
def test_a_file_that_is_no_pdf_says_so(qtbot, tmp_path, content, words):
    path = tmp_path / "no.pdf"
    path.write_text(content)
    assert failure(qtbot, path).message == f"no.pdf {words}"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="this user may read everything")
def test_a_file_that_may_not_be_read_says_so(qtbot, tmp_path):
    path = write_pages(tmp_path / "a.pdf", [A5])
    path.chmod(0)
    assert failure(qtbot, path).message == "a.pdf cannot be opened."


def test_a_file_written_again_is_opened_anew(qtbot, tmp_path):
    document = opened(qtbot, write_pages(tmp_path / "a.pdf", [A5]))
    write_pages(tmp_path / "a.pdf", [A5, A5])
    document.open(tmp_path / "a.pdf")
    assert len(document.page_sizes) == 1
    qtbot.waitUntil(lambda: len(document.page_sizes) == 2)


def test_pages_are_drawn_in_the_wanted_order_and_former_wishes_are_dropped(qtbot, tmp_path):
    document = opened(qtbot, write_pages(tmp_path / "a.pdf", [A5] * 6))
    drawn_pages: list[int] = []
    document.image_rendered.connect(lambda key, _: drawn_pages.append(key.page_index))
    document.want([key_of(document, index, 100, 140) for index in (0, 1, 2)])
    document.want([key_of(document, index, 100, 140) for index in (5, 4)])
    qtbot.waitUntil(lambda: len(drawn_pages) == 3)
    assert drawn_pages == [0, 5, 4]


def test_a_tile_is_the_same_part_of_the_whole_page(qtbot, tmp_path):
    for rotation in (0, 90):
        path = tmp_path / f"{rotation}.pdf"
        write_rectangle(path, rotation, is_cropped=True)
        document = opened(qtbot, path)
        width, height = (int(2 * length) for length in document.page_sizes[0])
        key = key_of(document, 0, width, height)
        whole = drawn(qtbot, document, key)
        tile = (100, 90, 220, 150)
        part = drawn(qtbot, document, RenderKey(key.file, 0, width, height, tile))
        assert part == whole.copy(*tile)


def test_the_window_goes_on_while_a_slow_page_is_drawn(qtbot, tmp_path):
    document = opened(qtbot, write_slow_page(tmp_path / "slow.pdf"))
    beats: list[bool] = []
    heart = QTimer()
    heart.setInterval(2)
    heart.timeout.connect(lambda: beats.append(document.is_drawing))
    heart.start()
    # A machine busy elsewhere may give one drawing no turn at all; it does not do so each time.
    for width in range(1000, 1005):
        drawn(qtbot, document, key_of(document, 0, width, 1415))
        if sum(beats) >= 5:
            break
    heart.stop()
    assert sum(beats) >= 5, "the event loop stood still while the page was drawn"


def test_opening_another_file_waits_for_the_page_and_not_the_window(qtbot, tmp_path):
    document = opened(qtbot, write_slow_page(tmp_path / "slow.pdf"))
    other = write_pages(tmp_path / "other.pdf", [A5])
    document.want([key_of(document, 0, 1000, 1415)])
    assert document.is_drawing
    with qtbot.waitSignals([document.image_rendered, document.opened]):
        document.open(other)
        assert document.is_drawing, "open() waited for the page"
    assert document.page_sizes == (A5,)


@pytest.mark.skipif(os.name == "nt", reason="a pipe stands in for the drive")
def test_a_file_on_a_drive_that_does_not_answer_is_told_of_and_opens_when_it_does(qtbot, tmp_path):
    path = tmp_path / "far.pdf"
    os.mkfifo(path)
    document = new_document()
    document._patience.setInterval(50)
    with qtbot.waitSignal(document.failed) as blocker:
        document.open(path)
    assert "does not answer" in str(blocker.args[0])
    near = write_pages(tmp_path / "near.pdf", [A5, A5])
    # The reading thread hangs in opening the pipe until somebody writes into it.
    with qtbot.waitSignal(document.opened), path.open("wb") as pipe:
        pipe.write(near.read_bytes())
    assert len(document.page_sizes) == 2


@pytest.mark.skipif(os.name == "nt", reason="a pipe stands in for the drive")
def test_the_document_before_does_not_come_back_in_place_of_one_that_does_not_answer(
    qtbot, tmp_path
):
    near = write_pages(tmp_path / "near.pdf", [A5, A5])
    document = opened(qtbot, near)
    far = tmp_path / "far.pdf"
    os.mkfifo(far)
    document._patience.setInterval(50)
    with qtbot.waitSignal(document.failed):
        document.open(far)
    shown: list[bool] = []
    document.opened.connect(lambda: shown.append(True))
    document.want([], are_small=True)  # as when the list of small pages is scrolled
    assert shown == []
    assert document.page_sizes == ()
    with qtbot.waitSignal(document.opened), far.open("wb") as pipe:
        pipe.write(near.read_bytes())


def test_pages_have_the_labels_of_the_document(qtbot, tmp_path):
    plain = write_pages(tmp_path / "a.pdf", [A5] * 5)
    assert opened(qtbot, plain).page_labels == ("1", "2", "3", "4", "5")
    labelled = write_pages(tmp_path / "labelled.pdf", [A5] * 5, [(0, "", "r"), (2, "", "D")])
    assert opened(qtbot, labelled).page_labels == ("i", "ii", "1", "2", "3")


@pytest.mark.parametrize("password", ["secret", "owner"])
@pytest.mark.parametrize(
    "method", ["PDF_ENCRYPT_RC4_128", "PDF_ENCRYPT_AES_128", "PDF_ENCRYPT_AES_256"]
)
def test_a_protected_file_opens_with_either_password(qtbot, tmp_path, password, method):
    path = write_protected(tmp_path / "locked.pdf", method)
    document = new_document()
    with qtbot.waitSignal(document.failed) as blocker:
        document.open(path)
    assert blocker.args[0].message == "locked.pdf is protected by a password."
    assert not blocker.args[0].was_wrong
    with qtbot.waitSignal(document.failed) as blocker:
        document.unlock("wrong")
    assert blocker.args[0].was_wrong
    with qtbot.waitSignal(document.opened):
        document.unlock(password)
    assert len(document.page_sizes) == 1
    assert document.password == password
    assert password not in repr(document.passwords)
    assert document.document_id == document_id_of(path)


def test_a_password_is_asked_once_in_a_session(qtbot, tmp_path):
    locked = write_protected(tmp_path / "locked.pdf")
    document = new_document()
    with qtbot.waitSignal(document.failed):
        document.open(locked)
    with qtbot.waitSignal(document.opened):
        document.unlock("secret")
    with qtbot.waitSignal(document.opened):
        document.open(write_pages(tmp_path / "a.pdf", [A5] * 3))
    assert document.password == ""
    with qtbot.waitSignal(document.opened):
        document.open(locked)
    other = new_document()
    other.passwords = document.passwords
    with qtbot.waitSignal(other.opened):
        other.open(locked)


def test_a_document_that_is_open_is_read_on_when_its_file_is_gone(qtbot, tmp_path):
    path = write_pages(tmp_path / "a.pdf", [A5] * 3)
    document = opened(qtbot, path)
    path.unlink()
    with qtbot.assertNotEmitted(document.failed, wait=100):
        document.open(path)
    drawn(qtbot, document, key_of(document, 2, 50, 70))


def test_small_pictures_wait_for_the_pages(qtbot, tmp_path):
    document = opened(qtbot, write_pages(tmp_path / "a.pdf", [A5] * 6))
    seen: list[tuple[str, int]] = []
    document.image_rendered.connect(lambda key, _: seen.append(("page", key.page_index)))
    document.small_image_rendered.connect(lambda key, _: seen.append(("small", key.page_index)))
    document.want([key_of(document, index, 30, 40) for index in (0, 1)], are_small=True)
    document.want([key_of(document, index, 100, 140) for index in (3, 4)])
    qtbot.waitUntil(lambda: len(seen) == 4)
    assert seen == [("small", 0), ("page", 3), ("page", 4), ("small", 1)]
