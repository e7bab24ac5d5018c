from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_qa.gui.viewer.page_layout import Zoom, ZoomMode
from desktop_qa.gui.viewer.pdf_toolbar import PdfToolbar
from desktop_qa.gui.widgets import theme as themes


@pytest.fixture
def toolbar(qtbot: QtBot, qapp: QApplication, plain_looks: None) -> PdfToolbar:
    keeper = themes.ThemeKeeper(qapp)
    made = PdfToolbar()
    keeper.setParent(made)
    qtbot.addWidget(made)
    made.set_document(Path("/data/ORLUNDA_ORT112_RevB.pdf"), 110)
    made.set_zoom(Zoom(ZoomMode.FIT_WIDTH), 0.54)
    made.show()
    return made


def squeezed(toolbar: PdfToolbar) -> list[str]:
    """Return the groups that are drawn with less room than they need, and those that overlap."""
    groups = toolbar.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    shown = sorted((g for g in groups if g.isVisible() and g.layout()), key=lambda g: g.x())
    narrow = [
        str(g.geometry())
        for g in shown
        if g.width() < g.sizeHint().width() or g.geometry().right() > toolbar.width()
    ]
    pairs = itertools.pairwise(shown)
    return narrow + [str(a.geometry()) for a, b in pairs if a.geometry().right() >= b.x()]


@pytest.mark.parametrize("has_name", [True, False])
def test_nothing_in_the_line_is_cut_or_drawn_over_its_neighbour_and_the_rest_is_in_the_menu(
    toolbar: PdfToolbar, has_name: bool
) -> None:
    toolbar.show_name(has_name)
    toolbar.set_labels([f"A-{n}" if n % 2 else str(n) for n in range(1, 111)])
    found: dict[tuple[int, int], list[str]] = {}
    for width in range(180, 920, 20):
        toolbar.resize(width, toolbar.sizeHint().height())
        for page_no in (4, 101, 102):
            toolbar.set_page(page_no)
            QApplication.processEvents()
            if bad := squeezed(toolbar):
                found[width, page_no] = bad
        menu = toolbar.more_menu()
        texts = {action.text() for action in menu.actions()}
        assert ("Back" in texts) is not toolbar.back.isVisible()
        assert ("Next Page" in texts) is not toolbar.next.isVisible()
        menu.deleteLater()
    assert found == {}


@pytest.mark.parametrize(("family", "points"), [("", 10), ("DejaVu Sans Mono", 11)])
def test_the_name_is_shortened_before_the_page_is_hidden(
    toolbar: PdfToolbar, family: str, points: int
) -> None:
    """A manual of a thousand pages, and large or wide letters, need more room for the page."""
    font = QFont(family or toolbar.font().family(), points)
    for widget in (toolbar, *toolbar.findChildren(QWidget)):
        widget.setFont(font)
    toolbar.set_document(Path("/data") / ("a long name " * 8), 1234)
    kept = [toolbar.groups[name] for name in ("side", "page", "more")]
    needed = sum(group.sizeHint().width() + 8 for group in kept)
    toolbar.resize(needed + toolbar.name.minimumSizeHint().width() + 16, 40)
    QApplication.processEvents()
    assert [group.isVisible() for group in kept] == [True, True, True]
    assert toolbar.name.width() >= toolbar.name.minimumSizeHint().width()
    assert squeezed(toolbar) == []
