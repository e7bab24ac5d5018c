"""Nothing of Python holds the items of a layout: Qt frees them with their widget, untold.

PySide keeps each item that it was shown, as those of a layout that is filled before it is added
to another, and takes the next widget at the address of a freed one for the item. One window in
some 700 could not be built for it.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QRect
from PySide6.QtWidgets import QSpacerItem, QWidgetItem
from pytestqt.qtbot import QtBot

from desktop_qa.core.drops import LeftOut
from desktop_qa.core.file_kinds import FileKind
from desktop_qa.gui.asking.scope_link import SourcesDialog
from desktop_qa.gui.evidence.figure_window import FigureWindow
from desktop_qa.gui.help.help_windows import LogWindow
from desktop_qa.gui.libraries.folders_link import FoldersWindow
from desktop_qa.gui.libraries.libraries_link import LibrariesWindow
from desktop_qa.gui.library.details_dialog import DetailsDialog
from desktop_qa.gui.library.drops import LeftOutWindow
from desktop_qa.gui.library.library_care import RemovedDialog
from desktop_qa.gui.main_window import MainWindow
from desktop_qa.gui.widgets.messages import Notice, NoticeAction, NoticeLevel
from tests.gui.fake_service import FakeService, show_answer
from tests.gui.library.test_library_panel import DETAILS, PARTLY
from tests.gui.sample_answers import every_answer


def held_items() -> list[object]:
    gc.collect()
    return [one for one in gc.get_objects() if issubclass(type(one), QWidgetItem | QSpacerItem)]


def show_passages_and_pop_ups(window: MainWindow) -> None:
    view = window.answer_panel.view
    assert view is not None
    previews = window.evidence.previews
    previews._show(view.evidence[0], QRect(10, 10, 20, 20))
    previews.hide()
    window.ask_box.scope_bar.open_list()
    window.ask_box.scope_bar.popup.close()
    bar = window.library_panel.filter_bar
    bar.open_popup()
    bar.popup.close()


def show_dialogs(qtbot: QtBot, window: MainWindow, service: FakeService) -> None:
    window.care.show_details(PARTLY)
    service.answer("details", DETAILS)
    dialog = window.findChild(DetailsDialog)
    assert isinstance(dialog, DetailsDialog)
    qtbot.waitUntil(lambda: dialog.problems.count() == 2)
    for name in ("removed", "libraries", "folders", "log", "sources"):
        window.action(name).trigger()
    left_out = LeftOutWindow((LeftOut("x.txt", FileKind.OTHER, "No PDF.", "Convert."),), window)
    figure = FigureWindow("Figure 1. Noise", "noise.png", "", window)
    left_out.show()
    figure.show()
    kinds = (RemovedDialog, LibrariesWindow, FoldersWindow, LogWindow, SourcesDialog)
    for made in (dialog, left_out, figure, *(window.findChild(kind) for kind in kinds)):
        assert made.isVisible()
        made.close()


def test_python_holds_no_item_of_a_layout(
    qtbot: QtBot, open_window: MainWindow, service: FakeService
) -> None:
    n_cards = 0
    for view in every_answer().values():
        show_answer(open_window, service, view)
        n_cards += len(open_window.evidence_panel.shown_cards)
    assert n_cards > 15
    show_passages_and_pop_ups(open_window)
    show_dialogs(qtbot, open_window, service)
    undo = NoticeAction("Undo", lambda: None)
    open_window.message_area.post(Notice(NoticeLevel.WARNING, "gone", "Bring it.", (undo,)))
    assert open_window.message_area.banners
    assert held_items() == []
