from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_qa.core.segment import SegmentKind
from desktop_qa.gui.evidence.evidence_card import EvidenceCard, TableBody
from desktop_qa.gui.evidence.evidence_panel import EvidencePanel
from tests.gui.fake_service import make_answer_view, make_evidence, make_table, place
from tests.gui.patient_bot import ask_for_menu, on_screen
from tests.gui.pdf_files import tab_texts, write_picture
from tests.gui.sample_answers import table_answer


@pytest.fixture
def panel(qtbot) -> EvidencePanel:
    return on_screen(qtbot, EvidencePanel(), 520, 700)


def card_of(
    panel: EvidencePanel, kind: SegmentKind = SegmentKind.TEXT, **changes: Any
) -> EvidenceCard:
    """Show one piece of evidence and return its card."""
    panel.show_evidence((make_evidence(1, kind, **changes),))
    return panel.shown_cards[0]


def test_tabs_count_the_kinds_and_leave_out_empty_ones(panel):
    panel.show_evidence(make_answer_view().evidence)
    assert tab_texts(panel) == ["Cited 2", "Tables 1", "Sections 2"]
    assert [card.view.marker for card in panel.shown_cards] == [1, 2]
    panel.tabs.setCurrentIndex(2)
    assert [card.view.marker for card in panel.shown_cards] == [2, 3]


def test_evidence_that_is_not_cited_is_called_nearest(panel):
    assert card_of(panel, is_cited=False, quotes=()).is_folded
    assert panel.heading_label.isVisible()
    assert not panel.tabs.isVisible()


def test_a_click_on_the_path_shows_the_place(qtbot, panel):
    card = card_of(panel)
    with qtbot.waitSignal(panel.wishes.place_clicked) as clicked:
        qtbot.mouseClick(card.path_button, Qt.MouseButton.LeftButton)
    assert clicked.args == [card.view, card.view.places]


def test_the_path_is_whole_in_the_tool_tip_and_for_screen_readers(panel):
    button = card_of(panel).path_button
    assert "OPA4197 › 1 Features · page 1" in button.toolTip()
    assert button.accessibleName() == "Citation 1: OPA4197 › 1 Features · page 1"


def test_a_section_shows_its_text_without_the_heading_and_its_quote_in_amber(panel):
    text = card_of(panel).body.text
    assert text.toPlainText() == "Low offset voltage: ±100 µV (maximum)"
    cursor = text.document().find("±100")
    colour = cursor.charFormat().background().color()
    assert colour == QColor("#ffe794")


def test_a_long_section_is_shown_whole_on_demand(panel):
    card = card_of(panel, text="word " * 300, quotes=())
    short = len(card.body.text.toPlainText())
    card.more_button.click()
    assert len(card.body.text.toPlainText()) > short
    assert card.more_button.text() == "Show less"


def test_a_table_shows_header_and_cited_rows_all_on_demand_and_a_cell_opens_its_own_place(
    qtbot, panel
):
    rows = {"rows": (1, 30), "cited_cells": ((2, 2),)}
    card = card_of(panel, SegmentKind.TABLE, table=make_table(30), **rows)
    model = card.body.pane.model
    assert model.rows == (0, 1, 2, 3)
    assert model.is_cited(2, 2)
    assert not model.is_cited(1, 2)
    with qtbot.waitSignal(panel.wishes.place_clicked) as clicked:
        card.body.pane.view.clicked.emit(model.index(2, 2))
    assert clicked.args == [card.view, place(7, 124.0)]
    assert card.more_button.text() == "Show all 29 rows"
    card.more_button.click()
    assert model.rowCount() == 30


def test_a_table_is_copied_for_a_spreadsheet(panel):
    card_of(panel, SegmentKind.TABLE, table=make_table(3), rows=(1, 3)).copy_button.click()
    assert QGuiApplication.clipboard().text() == (
        "PARAMETER\tCONDITIONS\tTYP\nOffset\tVS = 18 V\t±25\n\tVCM = 1.5 V\t±10"
    )


def test_a_figure_is_as_wide_as_its_place_and_opens_by_key(qtbot, panel, tmp_path):
    file = write_picture(tmp_path / "figure.png", 1000, 400)
    card = card_of(panel, SegmentKind.FIGURE, figure_path=str(file), caption="Figure 1. Noise")
    figure = card.body.figure
    assert figure.accessibleName() == "Figure: Figure 1. Noise"

    def middle() -> QColor:
        drawn = figure.grab().toImage()
        return drawn.pixelColor(drawn.rect().center())

    qtbot.waitUntil(lambda: figure.width() > 400 and middle() == QColor("red"))
    with qtbot.waitSignal(panel.wishes.place_clicked):
        qtbot.keyClick(figure, Qt.Key.Key_Return)


def test_a_figure_whose_image_is_gone_shows_its_words(panel):
    card = card_of(panel, SegmentKind.FIGURE, figure_path="/gone.png", text="Noise over time")
    assert card.body.figure.is_missing
    assert card.body.text.toPlainText() == "Noise over time"


def test_the_active_citation_opens_the_tab_that_holds_it(panel):
    panel.show_evidence(make_answer_view().evidence)
    panel.tabs.setCurrentIndex(1)
    panel.set_active_marker(2)
    assert panel.current_key == "text"
    assert [c.view.marker for c in panel.shown_cards if c.path_button.is_active] == [2]


def test_cards_come_one_by_one_and_keep_their_order(qtbot, panel):
    panel.show_evidence(tuple(make_evidence(marker) for marker in (1, 2, 3, 4)))
    assert len(panel.cards) == 1
    qtbot.waitUntil(lambda: len(panel.cards) == 4)
    tops = [card.y() for card in panel.shown_cards]
    assert tops == sorted(tops)


def test_the_nearest_places_are_rows_of_all_kinds_best_first_that_unfold(qtbot, panel):
    table = make_evidence(2, SegmentKind.TABLE, table=make_table(), is_cited=False)
    panel.show_evidence((make_evidence(1, is_cited=False), table))
    section, found = panel.shown_cards
    assert (section.view.marker, found.view.marker) == (1, 2)
    assert found.is_folded
    assert found.more_button.text() == "Show the table"
    with qtbot.waitSignal(panel.wishes.place_clicked) as clicked:
        qtbot.mouseClick(found, Qt.MouseButton.LeftButton)
    assert clicked.args == [table, table.places]
    found.more_button.click()
    assert isinstance(found.body, TableBody)
    assert not found.is_folded


def test_rows_of_one_table_are_one_of_the_nearest_places_named_by_its_rows(panel):
    pieces = tuple(
        make_evidence(
            marker,
            SegmentKind.TABLE,
            table=replace(make_table(12), label="", caption=""),
            rows=(1 + 4 * (marker - 1), 5 + 4 * (marker - 1)),
            is_cited=False,
            quotes=(),
        )
        for marker in (1, 2)
    )
    panel.show_evidence(pieces)
    (card,) = panel.shown_cards
    assert card.row_label.text() == "Offset, Row 3, Row 4"


def test_a_piece_that_the_answer_shows_itself_is_a_line_at_first(panel):
    view = make_answer_view()
    panel.show_evidence(view.evidence, compact=(1,))
    table, section = panel.shown_cards
    assert table.is_folded
    assert table.row_label.text() == "Table 6-\u200b7 Offset"
    assert not section.is_folded


def test_why_tells_how_a_piece_was_found(qtbot, panel):
    view = table_answer()
    panel.show_evidence(view.evidence, view.answer.evidence)
    card = panel.shown_cards[0]
    assert card.why is None
    qtbot.mouseClick(card.why_button, Qt.MouseButton.LeftButton)
    assert card.why.isVisible()
    # Beside its button: under a long table nobody would see that anything happened.
    qtbot.waitUntil(lambda: card.why.geometry().bottom() < card.body.geometry().top())
    text = card.why.label.text()
    assert "1st by part numbers and names" in text
    assert "ORA217" in text
    assert "column Typ" in text
    qtbot.mouseClick(card.why_button, Qt.MouseButton.LeftButton)
    assert not card.why.isVisible()


def test_without_a_word_on_how_it_was_found_there_is_nothing_to_fold_out(panel):
    assert not card_of(panel).why_button.isVisible()


def test_steps_quoted_one_after_the_other_are_all_shown(panel):
    steps = [f"{n}. {'Do this with much care. ' * 8}" for n in range(1, 6)]
    text = "Lead. " * 40 + "\n" + "\n".join(steps)
    card = card_of(panel, text=text, quotes=tuple(steps))
    assert "5. Do this" in card.body.text.toPlainText()


def test_the_menu_of_a_piece_opens_on_its_words_and_on_its_figure(panel, tmp_path):
    path = str(write_picture(tmp_path / "figure.png", 100, 40))
    panel.show_evidence((make_evidence(1), make_evidence(2, SegmentKind.FIGURE, figure_path=path)))
    section, figure = panel.shown_cards
    for part in (section.body.text.viewport(), figure.body.figure):
        ask_for_menu(part, part.rect().center())
        menu = QApplication.activePopupWidget()
        assert "Copy with Citation" in [action.text() for action in menu.actions()]
        menu.close()


def test_the_parts_of_a_path_are_reached_by_mouse_and_key(qtbot, panel):
    button = card_of(panel).path_button
    button.grab()
    first = button.rect_of(1).center().toPoint()
    with qtbot.waitSignal(button.part_chosen) as chosen:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=first)
    assert chosen.args == [1]
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Left)
    with qtbot.waitSignal(button.part_chosen) as chosen:
        qtbot.keyClick(button, Qt.Key.Key_Return)
    assert chosen.args == [1]
    qtbot.keyClick(button, Qt.Key.Key_Right)
    with qtbot.waitSignal(button.clicked):
        qtbot.keyClick(button, Qt.Key.Key_Return)


def test_a_section_is_copied_with_its_citation(panel):
    card_of(panel).copy_button.click()
    copied = "“±100 µV (maximum)”\n— TI_OPA4197.pdf, page 1, OPA4197 › 1 Features"
    assert QGuiApplication.clipboard().text() == copied


def test_headings_have_the_subscripts_of_their_page(panel):
    seen = []
    for symbols in ((), (("VS", "V"),)):
        button = card_of(panel, symbols=symbols, section_path=("VS = 5 V",)).path_button
        button.resize(300, 24)  # whatever the layout of the card is at by now
        seen.append(button.grab().toImage())
    assert seen[0] != seen[1]


def test_a_folded_figure_names_its_kind(panel):
    card = card_of(panel, SegmentKind.FIGURE, is_cited=False, quotes=())
    assert card.more_button.text() == "Show the figure"
