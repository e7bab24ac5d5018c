"""The views of the tour: how the window gets to each, by what a user would do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from scripted_model import ScriptedModel

if TYPE_CHECKING:
    from pathlib import Path

    from photographer import Photographer

    from desktop_qa.core.view import EvidenceView

_OFFSET = "What is the typical input offset voltage of the ORA217?"
_FIGURE = "Which figure shows the thermal image of the ORM8236 evaluation board?"
_CONFIGURATION = "How do I change the configuration of the ORT112?"
_STEPS = "How do I update the firmware of the ORB-1?"
_HALF_SCREEN = (683, 728)
_WHOLE_SCREEN = (1366, 768)
_TABLES = "Which registers does the ORT112 have?"


class Guide:
    """Leads the window from view to view."""

    def __init__(self, photographer: Photographer, folder: Path) -> None:
        self.photographer = photographer
        self.folder = folder
        self.window = photographer.window
        self.model = ScriptedModel()

    def settle(self, seconds: float = 1.0) -> None:
        """Let things come to rest."""
        self.photographer.settle(seconds)

    def do(self, name: str, seconds: float = 0.8) -> None:
        """Choose an entry of the menus."""
        self.window.action(name).trigger()
        self.settle(seconds)

    def type(self, text: str, seconds: float = 1.0) -> None:
        """Type into what has the focus."""
        self.window.activateWindow()
        self.settle(0.2)
        focus = QApplication.focusWidget()
        if focus is not None:
            QTest.keyClicks(focus, text)
        self.settle(seconds)

    def press(self, key: Qt.Key, seconds: float = 0.8) -> None:
        """Press a key where the focus is."""
        focus = QApplication.focusWidget()
        if focus is not None:
            QTest.keyClick(focus, key)
        self.settle(seconds)

    def ask(self, question: str) -> None:
        """Ask and wait for the answer."""
        self.photographer.ask(question)

    def evidence(self) -> tuple[EvidenceView, ...]:
        """Return the evidence of the answer that is shown."""
        view = self.window.answer_panel.view
        return view.evidence if view is not None else ()

    def tidy(self) -> None:
        """Close what stands over the window."""
        for widget in QApplication.topLevelWidgets():
            if widget is not self.window and widget.isVisible():
                widget.close()
        self.window.activateWindow()
        self.settle(0.3)

    def select(self, name: str) -> None:
        """Select a document of the list by a part of its name."""
        for status in self.photographer.session.statuses:
            if name in status.file:
                self.window.library_panel.select_document(status.document_id)
                return


def views() -> Iterator[tuple[str, Callable[[Guide], None]]]:
    """Yield the views in order: each goes on from the one before."""
    yield "01-first-run", lambda guide: guide.settle(1.0)
    yield "02-reading", _reading
    yield "03-answer", _answer
    yield "04-steps", lambda guide: guide.ask(_STEPS)
    yield "05-why", _why
    yield "06-preview", _preview
    yield "07-figure", _figure
    yield "08-table", _table
    yield "09-more-like-this", _similar
    yield "10-suggestions", _suggestions
    yield "11-conversations", _conversations
    yield "12-comparison", _comparison
    yield "13-search", _search
    yield "14-this-page", _this_page
    yield "15-outline", _outline
    yield "16-pages", lambda guide: _side_tab(guide, "pages")
    yield "17-cited", lambda guide: _side_tab(guide, "cited")
    yield "18-marks", _marks
    yield "19-find", _find
    yield "20-two-pages", _two_pages
    yield "21-own-window", _torn_off
    yield "22-text", _text
    yield "23-library", _library
    yield "24-filter", _filter
    yield "25-details", _details
    yield "26-removed", _removed
    yield "27-structure", _structure
    yield "28-history", _history
    yield "29-folders", lambda guide: guide.do("folders", 1.5)
    yield "30-libraries", lambda guide: guide.do("libraries", 2.0)
    yield "31-log", lambda guide: guide.do("log", 1.0)
    yield "32-keys", lambda guide: guide.do("shortcuts", 0.5)
    yield "33-dark-pages", _dark_pages
    yield "34-narrow", _narrow
    yield "35-models", _models
    yield "36-writing", _writing
    yield "37-model-answer", _model_answer


def _reading(guide: Guide) -> None:
    progress: list[object] = []
    photographer = guide.photographer
    photographer.session.sync_progressed.connect(progress.append)
    guide.window.libraries.open_folder(guide.folder)
    photographer.wait(lambda: any(getattr(p, "n_done", 0) >= 3 for p in progress))
    guide.ask(_OFFSET)


def _answer(guide: Guide) -> None:
    guide.photographer.wait(lambda: not guide.photographer.session.is_syncing)
    guide.ask(_OFFSET)


def _why(guide: Guide) -> None:
    guide.window.answer_panel.why_button.click()
    guide.settle()


def _preview(guide: Guide) -> None:
    guide.window.answer_panel.why_button.click()
    view = guide.window.evidence_panel.view_of(1)
    text = guide.window.answer_panel.answer_text
    if view is not None:
        corner = text.mapToGlobal(QPoint(30, 20))
        rect = text.rect().adjusted(0, 0, -text.width() + 24, -text.height() + 20)
        guide.window.evidence.previews.point(view, rect.translated(corner), at_once=True)


def _figure(guide: Guide) -> None:
    guide.ask(_FIGURE)
    for view in guide.evidence():
        if view.figure_path:
            guide.window.evidence.enlarge(view)
            break
    guide.settle(1.5)


def _table(guide: Guide) -> None:
    guide.ask(_TABLES)
    for view in guide.evidence():
        if view.table is not None:
            guide.window.evidence.enlarge(view)
            break
    guide.settle(1.5)


def _similar(guide: Guide) -> None:
    guide.ask(_OFFSET)
    for card in guide.window.evidence_panel.shown_cards:
        if not card.similar_button.isHidden():
            card.find_similar()
            break
    guide.settle(2.0)


def _suggestions(guide: Guide) -> None:
    guide.ask(_OFFSET)
    guide.do("new_tab")
    guide.window.ask_box.setFocus()
    guide.type("offset v", 1.5)


def _conversations(guide: Guide) -> None:
    guide.window.ask_box.edit.clear()
    guide.ask(_CONFIGURATION)
    guide.ask("and what is its supply voltage?")
    guide.do("new_tab")
    guide.ask(_FIGURE)
    guide.do("previous_tab", 1.5)


def _comparison(guide: Guide) -> None:
    guide.photographer.compare("ORL3305", "ORL3310")


def _search(guide: Guide) -> None:
    guide.do("search_mode")
    guide.window.ask_box.setFocus()
    guide.type('"offset voltage" kind:table')
    guide.press(Qt.Key.Key_Return, 2.0)


def _this_page(guide: Guide) -> None:
    guide.do("search_mode")
    guide.ask(_OFFSET)
    guide.ask("Which maximum values are in this table?")


def _outline(guide: Guide) -> None:
    guide.ask(_OFFSET)
    guide.do("viewer_side_bar")
    _side_tab(guide, "outline")


def _side_tab(guide: Guide, name: str) -> None:
    guide.window.pdf_panel.side_bar.show_tab(name)
    guide.settle(2.0)


def _marks(guide: Guide) -> None:
    view = guide.window.evidence_panel.view_of(1)
    if view is not None:
        guide.window.marks.mark(view.quotes[0], view.places[:1])
        guide.settle()
        _side_tab(guide, "marks")
        for mark in guide.window.pdf_panel.book.marks:
            guide.window.marks.open_note(mark.mark.id)
            guide.settle(0.5)
            guide.type("Compare with the B grade before ordering.")
            break


def _find(guide: Guide) -> None:
    guide.window.pdf_panel.mark_editor.close_sheet()
    guide.do("viewer_side_bar")
    guide.do("find")
    guide.type("voltage", 2.0)


def _two_pages(guide: Guide) -> None:
    guide.press(Qt.Key.Key_Escape)
    guide.do("show_library", 0.3)
    guide.do("page_pairs", 1.5)
    guide.do("fit_width", 1.5)


def _torn_off(guide: Guide) -> None:
    guide.do("page_continuous", 0.5)
    guide.do("show_library", 0.3)
    guide.window.tear_off.set_torn_off(True)
    guide.settle(1.5)


def _text(guide: Guide) -> None:
    guide.window.tear_off.set_torn_off(False)
    guide.settle()
    guide.do("markdown", 2.0)


def _library(guide: Guide) -> None:
    guide.do("markdown")
    guide.window.side_bar.show_tab("documents")
    guide.select("ORT112_RevB")


def _filter(guide: Guide) -> None:
    guide.window.library_panel.filter_bar.filter_button.click()


def _details(guide: Guide) -> None:
    guide.select("ORA217")
    guide.do("details", 1.5)


def _removed(guide: Guide) -> None:
    guide.select("ORC1604")
    guide.window.library_panel.tree.setFocus()
    guide.do("remove", 1.5)


def _structure(guide: Guide) -> None:
    guide.do("undo_remove")
    guide.photographer.show_chapter("ORA217", "7.5")


def _history(guide: Guide) -> None:
    guide.do("history", 1.5)


def _dark_pages(guide: Guide) -> None:
    guide.window.side_bar.show_tab("documents")
    guide.ask(_OFFSET)
    guide.do("page_colours_dark", 2.0)


def _narrow(guide: Guide) -> None:
    guide.do("page_colours_printed", 1.0)
    guide.do("focus_ask", 0.5)
    guide.window.resize(*_HALF_SCREEN)
    guide.settle(2.0)


def _models(guide: Guide) -> None:
    from desktop_qa.gui.models.models_dialog import ModelsDialog
    from desktop_qa.llm.profile import Dialect, Profile

    guide.window.resize(*_WHOLE_SCREEN)
    choice = guide.window.models.choice
    here = Profile("Here", Dialect.CHAT_COMPLETIONS, guide.model.address, guide.model.name)
    cloud = Profile("Cloud", Dialect.CHAT_COMPLETIONS, "https://models.example/v1", "large-model")
    for profile in (replace(here, calls_tools=True), cloud):
        choice.store.save(profile)
    choice.choose("Here")
    dialog = ModelsDialog(guide.photographer.session, choice, guide.window)
    dialog.show()
    guide.settle()
    dialog.test()
    guide.photographer.wait(lambda: dialog.test_button.text() == "Test")


def _writing(guide: Guide) -> None:
    guide.ask(_OFFSET)
    section = guide.window.answer_panel.model_section
    guide.photographer.wait(lambda: section.said is not None and bool(section.said.blocks))


def _model_answer(guide: Guide) -> None:
    section = guide.window.answer_panel.model_section
    guide.photographer.wait(lambda: section.said is not None and section.said.is_over)
    marker = max(piece.marker for piece in guide.evidence())
    section.text.citation_clicked.emit(marker)
    guide.settle(1.5)
