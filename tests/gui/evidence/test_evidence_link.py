from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider, QApplication

from desktop_qa.core.answer_blocks import Figure
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import NotReadError
from desktop_qa.core.segment import SegmentId
from desktop_qa.core.similar import SimilarPiece, SimilarPieces
from desktop_qa.core.structure import same_heading
from desktop_qa.core.view import ChapterEntry, StructureView
from desktop_qa.gui.evidence.figure_window import FigureWindow
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.tables.table_pane import PaneWindow
from tests.gui import sample_answers as samples
from tests.gui.fake_service import make_evidence, place, show_answer
from tests.gui.patient_bot import save_as
from tests.gui.pdf_files import write_picture
from tests.helpers.made_answers import with_answer


def chip_point(window: MainWindow, number: int) -> QPoint:
    """The middle of the number-th chip in the answer, in its viewport."""
    text = window.answer_panel.answer_text
    at = -1
    for _ in range(number):
        at = text.document().toPlainText().index("\ufffc", at + 1)
    left, right = QTextCursor(text.document()), QTextCursor(text.document())
    left.setPosition(at)
    right.setPosition(at + 1)
    return text.cursorRect(left).united(text.cursorRect(right)).center()


def test_passages_are_looked_at_tables_searched_and_exported_and_similar_pieces_listed(
    qtbot, open_window, service, monkeypatch, tmp_path
):
    open_window.resize(1366, 768)
    show_answer(open_window, service, samples.table_answer())
    qtbot.waitUntil(lambda: len(open_window.evidence_panel.cards) == 2)
    # Space on a focused marker shows its passage and takes it away.
    text = open_window.answer_panel.answer_text
    text.setFocus()
    while text.focused_marker() is None:
        qtbot.keyClick(text, Qt.Key.Key_Tab)
    previews = open_window.evidence.previews
    qtbot.keyClick(text, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: previews.preview is not None)
    assert previews.preview.view.marker == 1
    assert text.hasFocus()
    qtbot.keyClick(text, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: previews.preview is None)
    with qtbot.waitSignal(text.citation_clicked) as clicked:
        qtbot.keyClick(text, Qt.Key.Key_Return)
    assert clicked.args == [1]

    # A cell of the answers table shows its passage.
    view = open_window.answer_panel.parts.tables[0].view
    model = view.table_model
    QTest.mouseMove(view.viewport(), view.visualRect(model.index(0, 0)).center())
    QTest.mouseMove(view.viewport(), view.visualRect(model.index(1, 3)).center())
    qtbot.waitUntil(lambda: previews.preview is not None)
    assert previews.preview.view.marker == 1
    previews.hide()

    # Tab to a chip shows its passage and leaves with the focus.
    chip = open_window.answer_panel.parts.tables[0].chip_buttons[0]
    chip.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: previews.preview is not None)
    assert chip.hasFocus()
    open_window.ask_box.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: previews.preview is None)

    # A passage stands above its marker where there is no room below.
    screen = open_window.screen().availableGeometry()
    anchor = QRect(200, screen.bottom() - 30, 14, 14)
    previews.point(open_window.answer_panel.view.evidence[0], anchor, at_once=True)
    assert previews.preview.geometry().bottom() < anchor.top()
    previews.hide()

    # Hovering a marker shows its passage after a moment and leaves with the pointer.
    open_window.ask_box.setFocus()
    focused = QApplication.focusWidget()
    # A moment long enough that it has not passed before the next line on a busy machine.
    previews._show_timer.setInterval(1000)
    QTest.mouseMove(text.viewport(), QPoint(3, 3))
    QTest.mouseMove(text.viewport(), chip_point(open_window, 2))
    assert previews.preview is None
    qtbot.waitUntil(lambda: previews.preview is not None)
    preview = previews.preview
    assert preview.view.marker == 2
    chip = text.viewport().mapToGlobal(chip_point(open_window, 2))
    assert not preview.geometry().contains(chip)
    assert QApplication.focusWidget() is focused
    QTest.mouseMove(text.viewport(), QPoint(3, 3))
    qtbot.waitUntil(lambda: previews.preview is None)

    # A heading of the path opens its place.
    card = open_window.evidence_panel.shown_cards[0]
    card.path_button.part_chosen.emit(2)
    assert service.arguments_of("structure") == [("ORLUNDA_ORA217.pdf",)]
    told = StructureView(DocumentId("ORLUNDA_ORA217.pdf"), "ORA217", 11, CHAPTERS, (), ())
    service.answer("structure", told, until=open_window.citations.place_shown)

    # The key for searching searches the table that has the focus.
    pane = open_window.answer_panel.parts.tables[0]
    pane.view.setFocus()
    qtbot.keyClick(pane.view, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert pane.find_edit.hasFocus()

    # A table is enlarged and exported.
    card.unfold()
    card.body.pane.enlarge_button.click()
    (shown,) = open_window.findChildren(PaneWindow)
    assert "Electrical Characteristics" in shown.windowTitle()
    save_as(monkeypatch, tmp_path / "t.csv", "CSV as printed, UTF-8 (*.csv)")
    shown.pane.export_button.click()
    ((rows, target, for_excel),) = service.arguments_of("export_cells")
    assert rows[0] == ["Parameter", "Test conditions", "Min", "Typ", "Max", "Unit"]
    assert (target, for_excel) == (str(tmp_path / "t.csv"), False)
    shown.close()
    assert not shown.isVisible()
    # More like a piece is listed with a way back.
    panel = open_window.evidence_panel
    panel.shown_cards[0].similar_button.click()
    assert service.arguments_of("similar_segments") == [("ORLUNDA_ORA217.pdf:00001",)]
    assert not panel.tabs.isVisible()
    service.answer("similar_segments", similar())
    qtbot.waitUntil(lambda: len(panel.similar.cards) == 2)
    assert [label.text() for label in panel.similar.headings] == [
        "In other documents · 1",
        "In this document · 1",
    ]
    first = panel.similar.cards[0]
    assert first.source_label.text() == "Shares offset, VOS"
    with qtbot.waitSignal(open_window.citations.place_shown):
        panel.wishes.place_clicked.emit(first.view, first.view.places)
    first.similar_button.click()
    service.answer("similar_segments", similar())
    qtbot.waitUntil(lambda: service.arguments_of("similar_segments")[-1] == ("y:00001",))
    qtbot.waitUntil(lambda: len(panel.similar.cards) == 2)
    qtbot.keyClick(panel.similar.back_button, Qt.Key.Key_Escape)
    assert panel.shows_similar
    panel.similar.back_button.click()
    # What was sought twice before it was found is one step back.
    for _ in range(2):
        panel.show_similar(similar())
        panel.show_similar_searching(panel.shown_cards[0].view)
        panel.show_similar_searching(panel.shown_cards[0].view)
    panel.close_similar()
    panel.close_similar()
    assert panel.shows_similar
    panel.close_similar()
    assert panel.tabs.isVisible()

    # The list of similar pieces comes to the top and leaves a reader alone.
    open_window.resize(1100, 480)
    area = open_window.answer_scroll
    # The answer is still on its way to the place where it was left, further down than there is.
    open_window.thread_view.go_to(100_000)
    panel.shown_cards[0].similar_button.click()
    found = similar()
    service.answer("similar_segments", replace(found, elsewhere=found.elsewhere * 12))
    bar, content = area.verticalScrollBar(), area.widget()
    head = panel.similar.back_button
    qtbot.waitUntil(lambda: len(panel.similar.cards) == 13)
    qtbot.waitUntil(lambda: 0 <= head.mapTo(content, QPoint(0, 0)).y() - bar.value() < 40)
    bar.triggerAction(QAbstractSlider.SliderAction.SliderToMaximum)
    place = bar.value()
    bar.setRange(0, bar.maximum() + 10)  # a card is laid out later
    assert bar.value() == place

    # A piece that is gone says so.
    panel.similar.back_button.click()
    panel.shown_cards[0].similar_button.click()
    service.fail("similar_segments", NotReadError("This piece is gone.", "Ask once more."))
    qtbot.waitUntil(lambda: "gone" in panel.similar.note_label.text())
    show_answer(open_window, service, samples.calculation_answer())
    assert not panel.shows_similar


CHAPTERS = (
    ChapterEntry("6", "Specifications", 1, -1, place(3), False),
    ChapterEntry("6.5", "Electrical Characteristics", 2, 0, place(4), False),
    ChapterEntry("7", "Specifications", 1, -1, place(9), False),
)


def test_a_heading_is_found_by_its_path():
    assert same_heading(CHAPTERS, ("6 Specifications",)) is CHAPTERS[0]
    path = ("6 Specifications", "6.5 Electrical  Characteristics")
    assert same_heading(CHAPTERS, path) is CHAPTERS[1]
    assert same_heading(CHAPTERS, ("8 Layout",)) is None
    assert same_heading(CHAPTERS, ()) is None


def similar() -> SimilarPieces:
    of = make_evidence(1, is_cited=False)
    there = make_evidence(
        1, is_cited=False, section_path=("MCP6241", "1 Features"), path="/documents/MCP6241.pdf"
    )
    here = make_evidence(1, is_cited=False, section_path=("OPA4197", "2 Applications"))
    return SimilarPieces(
        SegmentId("x:00001"),
        of,
        (SimilarPiece(SegmentId("y:00001"), there, 0.8, ("offset", "VOS")),),
        (SimilarPiece(SegmentId("x:00002"), here, 0.6, ()),),
    )


def test_a_figure_is_enlarged_and_saved(service, qtbot, open_window, monkeypatch, tmp_path):
    file = write_picture(tmp_path / "figure.png", 300)
    view = samples.procedure_answer(figure=str(file))
    words = tuple(block for block in view.answer.blocks if not isinstance(block, Figure))
    show_answer(open_window, service, with_answer(view, blocks=words))
    panel = open_window.evidence_panel
    qtbot.waitUntil(lambda: len(panel.cards) == 2)
    card = panel.cards[1]
    qtbot.keyClick(card.body.figure, Qt.Key.Key_Space)
    (shown,) = open_window.findChildren(FigureWindow)
    shown.close()
    target = tmp_path / "saved.png"
    save_as(monkeypatch, target, "PNG image (*.png)")
    card.save_button.click()
    assert target.read_bytes() == file.read_bytes()
    card.copy_button.click()
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().image().width() == 300)
