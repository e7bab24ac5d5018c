"""Questions asked in the window: each highlight lies on the cited words on the screen."""

from __future__ import annotations

from pathlib import Path

import pymupdf
import pytest
from pytestqt.qtbot import QtBot

from desktop_qa.core.answer import AnswerStatus
from desktop_qa.core.question import Question
from desktop_qa.core.view import AnswerView
from desktop_qa.evaluate.bank import read_bank
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.viewer.page_layout import PageArrangement, PageMode, Zoom, ZoomMode
from tests.helpers.highlight_oracle import check_on_screen
from tests.helpers.pdf import finished
from tests.helpers.ten_files import TEN_FILES

pytestmark = [pytest.mark.real, pytest.mark.timeout(600)]

ZOOMS = (
    Zoom(ZoomMode.FIT_WIDTH),
    Zoom(ZoomMode.FACTOR, 1.25),
    Zoom(ZoomMode.FACTOR, 2.5),
)
_N_QUESTIONS = 10
_MIN_COVERED = 0.97
_MIN_PRINTED = 0.85
_MAX_AREA_RATIO = 1.7
"""The room between words and in the cells of a table counts in, and of words of seven pixels each
that is rounded outwards; where most words are out of view, what is seen is mostly that."""


def ask(qtbot: QtBot, window: MainWindow, question: str) -> AnswerView:
    with qtbot.waitSignal(window.session.turn_ended, timeout=120_000) as blocker:
        window.session.ask(Question(question))
    assert blocker.args is not None
    view = blocker.args[1].view
    assert isinstance(view, AnswerView)
    return view


def problems_of(qtbot: QtBot, window: MainWindow, answer: AnswerView) -> tuple[int, list[str]]:
    """Show each citation at each size; returns how many words were judged, and what is wrong."""
    view, n_judged, wrong = window.pdf_panel.view, 0, []
    for piece in (piece for piece in answer.evidence if piece.is_cited and piece.path):
        n_of_piece = 0
        for zoom in ZOOMS:
            window.citations.show_citation(piece.marker)
            stamp = Path(piece.path)
            qtbot.waitUntil(
                lambda stamp=stamp: (
                    view.document.stamp is not None and Path(view.document.stamp.path) == stamp
                ),
                timeout=30_000,
            )
            view.set_zoom(zoom)
            view.go_to(piece.places)
            qtbot.waitUntil(lambda: view.is_drawn)
            seen = check_on_screen(view, stamp, piece.marker, piece.places, piece.quotes)
            n_of_piece += seen.n_judged
            is_right = (
                seen.words_are_quote
                and seen.least_covered >= _MIN_COVERED
                and seen.least_printed >= _MIN_PRINTED
                and (seen.area_ratio <= _MAX_AREA_RATIO or 2 * seen.n_judged < len(seen.words))
            )
            if not is_right:
                wrong.append(f"[{piece.marker}] {stamp.name} at {view.factor:.2f}: {seen}")
        if not n_of_piece:
            wrong.append(f"[{piece.marker}] {stamp.name}: nothing of it was seen")
        n_judged += n_of_piece
    return n_judged, wrong


def test_highlights_cover_the_cited_words_at_three_sizes(qtbot, shared, ten_library, window):
    # This process has the library open to write: the window's opens it for reading.
    window.session.open_library(ten_library.folder)
    qtbot.waitUntil(lambda: bool(window.session.statuses), timeout=120_000)
    questions = [
        question
        for question in read_bank(shared / "eval/dev.jsonl")
        if question.evidence and all(item.file in TEN_FILES for item in question.evidence)
    ]
    n_asked, n_judged, wrong = 0, 0, []
    for question in questions:
        answer = ask(qtbot, window, question.question)
        if not any(piece.is_cited for piece in answer.evidence):
            continue
        n_of_answer, of_answer = problems_of(qtbot, window, answer)
        n_judged += n_of_answer
        wrong += [f"{question.id} {problem}" for problem in of_answer]
        n_asked += 1
        if n_asked == _N_QUESTIONS:
            break
    assert n_asked == _N_QUESTIONS
    assert n_judged > 10 * _N_QUESTIONS
    assert not wrong, "\n".join(wrong)


def write_turned(path: Path, part: str, value: str, turn: int, *, is_cropped: bool) -> None:
    """Write a datasheet whose page is turned, and shown in part only."""
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    lines = (
        (90, 18, f"{part} Precision Amplifier"),
        (140, 13, "1 Electrical characteristics"),
        (165, 10, f"The typical input offset voltage of the {part} is {value} at 25 °C."),
        (200, 13, "2 Power supply"),
        (225, 10, f"The supply voltage of the {part} is from 2.7 V to 36 V."),
    )
    if turn:
        page.set_rotation(turn)
    for y, size, text in lines:
        # Written so that it stands upright on the page as it is displayed.
        at = pymupdf.Point(110, y + 60) * page.derotation_matrix
        page.insert_text(at, text, fontsize=size, rotate=turn)
    if is_cropped:
        page.set_cropbox(pymupdf.Rect(60, 80, 560, 800))
    finished(document, path)


def test_highlights_cover_the_words_on_turned_and_cropped_pages(qtbot, window, tmp_path):
    folder = tmp_path / "made"
    folder.mkdir()
    write_turned(folder / "ACM4197.pdf", "ACM4197", "25 µV", 90, is_cropped=False)
    write_turned(folder / "ACM5203.pdf", "ACM5203", "60 µV", 0, is_cropped=True)
    write_turned(folder / "ACM6301.pdf", "ACM6301", "75 µV", 270, is_cropped=True)
    session, view = window.session, window.pdf_panel.view
    with qtbot.waitSignal(session.sync_finished, timeout=120_000):
        session.open_library(tmp_path / "made-library", folder)
    for part, value in (("ACM4197", "25"), ("ACM5203", "60"), ("ACM6301", "75")):
        answer = ask(qtbot, window, f"What is the typical input offset voltage of the {part}?")
        assert answer.answer.status is AnswerStatus.ANSWERED
        assert value in answer.answer.text
        n_judged, wrong = problems_of(qtbot, window, answer)
        assert n_judged >= 10
        assert not wrong, "\n".join(wrong)
        view.arrange(PageArrangement(PageMode.COVER_AND_PAIRS, view.zoom))
        n_judged, wrong = problems_of(qtbot, window, answer)
        assert n_judged
        assert not wrong, "\n".join(wrong)
        view.arrange(PageArrangement())
