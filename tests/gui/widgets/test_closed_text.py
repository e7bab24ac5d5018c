"""Texts of documents that try to load something: they are shown as words, and nothing is loaded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRect, Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel, QWidget

from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.view import AnswerView, EvidenceView
from desktop_qa.gui.evidence.figure_view import clean_svg
from desktop_qa.gui.structure.markdown_panel import MarkdownView
from desktop_qa.gui.widgets import labels
from desktop_qa.gui.widgets.flow_text import FlowText
from desktop_qa.gui.widgets.labels import ClosedDocument, plain_tip
from tests.gui.fake_service import make_evidence, make_table, show_answer
from tests.gui.patient_bot import on_screen
from tests.gui.pdf_files import write_picture
from tests.gui.sample_answers import answer_view

HOSTILE = (
    '<img src="file:///etc/passwd"><img src=http://evil.example/x.png>'
    '<a href="javascript:alert(1)">here</a><link rel=stylesheet href="file:///etc/hosts">'
    "![x](file:///etc/passwd) [y](javascript:alert(1))"
)
OWN = ("chip:", "figure:")


@pytest.fixture
def asked_for(monkeypatch) -> list[str]:
    """What texts wanted to load."""
    names: list[str] = []

    def record(_document: object, _kind: int, name: QUrl | str) -> Any:
        names.append(name.toString() if isinstance(name, QUrl) else name)

    monkeypatch.setattr(labels.ClosedDocument, "loadResource", record)
    return names


def hostile_view(tmp_path: Path) -> AnswerView:
    figure = str(write_picture(tmp_path / "f.png", 40, 30))
    table = make_table(4)
    cells = tuple(replace(cell, text=HOSTILE) for cell in table.cells)
    table = replace(table, label=HOSTILE, caption=HOSTILE, cells=cells)
    fields: dict[str, Any] = {
        "section_path": (HOSTILE, HOSTILE, HOSTILE),
        "file": f"{HOSTILE}.pdf",
        "text": HOSTILE,
        "caption": HOSTILE,
        "quotes": (HOSTILE,),
    }
    pieces: tuple[EvidenceView, ...] = (
        make_evidence(1, **fields),
        make_evidence(
            2, SegmentKind.TABLE, table=table, rows=(1, 4), cited_cells=((1, 2),), **fields
        ),
        make_evidence(3, SegmentKind.FIGURE, figure_path=figure, **fields),
    )
    return answer_view(
        HOSTILE, f"{HOSTILE} [1][2]\n\n- {HOSTILE} [3]", pieces, notes=(HOSTILE,), figures=(3,)
    )


def tips_of(widget: QWidget) -> list[str]:
    return [w.toolTip() for w in (widget, *widget.findChildren(QWidget))]


def rich_labels(widget: QWidget) -> list[str]:
    plain = Qt.TextFormat.PlainText
    labels = widget.findChildren(QLabel)
    return [label.text() for label in labels if label.textFormat() != plain]


def loads_something(text: str) -> bool:
    return any(f"<{tag}" in text for tag in ('img src="file', "img src=http", "link", 'a href="j'))


def test_an_answer_and_its_evidence_load_nothing(qtbot, service, open_window, asked_for, tmp_path):
    window = open_window
    view = hostile_view(tmp_path)
    show_answer(window, service, view)
    for card in window.evidence_panel.shown_cards:
        card.unfold()
        card.why_button.setChecked(True)
    window.answer_panel.why_button.setChecked(True)
    previews = window.evidence.previews
    for piece in view.evidence:
        previews.point(piece, QRect(300, 300, 10, 10), at_once=True)
        previews.preview.grab()
        assert not any(map(loads_something, rich_labels(previews.preview)))
    window.grab()
    qtbot.wait(50)
    assert [name for name in asked_for if not name.startswith(OWN)] == []
    panes = (window.answer_panel, window.evidence_panel)
    for pane in panes:
        assert not any(map(loads_something, tips_of(pane)))
        assert not any(map(loads_something, rich_labels(pane)))
    assert "<img" in window.answer_panel.answer_text.toPlainText()
    previews.hide()


def test_a_rich_text_reads_no_file_and_no_address(qtbot, tmp_path):
    picture = write_picture(tmp_path / "x.png", 30, 30)
    text = on_screen(qtbot, FlowText(), 200, 100)
    text.show_html(f'<p>a <img src="{picture.as_uri()}"/></p>', 20)
    shown = text.grab().toImage()
    colours = {shown.pixelColor(x, y).name() for x in range(100) for y in range(shown.height())}
    assert "#ff0000" not in colours
    assert isinstance(text.document(), ClosedDocument)


def test_a_tool_tip_of_words_stays_words():
    assert "OPA4197 › 1 Features" in plain_tip("OPA4197 › 1 Features")
    assert "<img" not in plain_tip(HOSTILE)


@pytest.mark.parametrize(
    "body",
    [
        '<image xlink:href="file:///etc/passwd" width="5" height="5"/>',
        '<image href = "other.png" width="5" height="5"/>',
        '<image xlink:href="&#102;ile:///etc/passwd"/>',
        '<use href="http://evil.example/x.svg#a"/>',
        "<style>@import url(http://evil.example/x.css);</style>",
        '<rect fill="url(http://evil.example/p.svg#a)"/>',
        "<script>alert(1)</script>",
        "<foreignObject/>",
    ],
)
def test_a_drawing_that_names_something_else_is_not_drawn(tmp_path, body):
    file = tmp_path / "x.svg"
    file.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{body}</svg>')
    assert clean_svg(str(file)) == b""


def test_a_drawing_with_entities_is_not_drawn(tmp_path):
    file = tmp_path / "x.svg"
    file.write_text('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>')
    assert clean_svg(str(file)) == b""


def test_a_drawing_with_its_own_parts_is_drawn(tmp_path):
    file = tmp_path / "x.svg"
    text = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        ' width="9" height="9"><defs><path id="a" d="M0 0H9"/></defs><use xlink:href="#a"/>'
        '<image href="data:image/png;base64,AAAA"/><rect fill="url(#a)"/></svg>'
    )
    file.write_text(text)
    assert clean_svg(str(file)) == text.encode()


def test_the_markdown_of_a_document_reads_images_of_the_library_only(qtbot, tmp_path):
    inside, outside = tmp_path / "library", tmp_path / "secret.png"
    inside.mkdir()
    for file in (outside, inside / "own.png"):
        write_picture(file, 30, 30)
    view = MarkdownView()
    qtbot.addWidget(view)
    view.show_parts((), str(inside))
    kind = QTextDocument.ResourceType.ImageResource.value
    assert view.loadResource(kind, "own.png").width() > 1
    for name in (str(outside), "../secret.png", outside.as_uri(), "http://evil.example/x.png"):
        assert view.loadResource(kind, name).width() == 1
    sheet = QTextDocument.ResourceType.StyleSheetResource.value
    assert view.loadResource(sheet, outside.as_uri()).isEmpty()
