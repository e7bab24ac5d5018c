"""The window by keyboard alone, and as a screen reader finds it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

from desktop_qa.core.question import Question
from tests.gui.fake_service import make_library
from tests.gui.patient_bot import tab_stops
from tests.gui.sample_answers import table_answer

_CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
)


def controls(window: QWidget) -> Iterator[QWidget]:
    """Yield what a user can operate and see now; not the inner parts of compound controls."""
    for widget in window.findChildren(QWidget):
        parent = widget.parentWidget()
        is_inner = isinstance(parent, QAbstractSpinBox | QComboBox | QTabBar | QLineEdit)
        if (
            isinstance(widget, _CONTROLS)
            and not is_inner
            and widget.isVisible()
            and widget.isEnabled()
        ):
            yield widget


def spoken_name(widget: QWidget) -> str:
    """Return what a screen reader says of a control."""
    interface = QAccessible.queryAccessibleInterface(widget)
    if interface is None:
        return ""
    return interface.text(QAccessible.Text.Name).strip()


def describe(widget: QWidget) -> str:
    """Name a widget for a failure message."""
    path = [type(widget).__name__ + ":" + widget.objectName()]
    parent = widget.parentWidget()
    while parent is not None and len(path) < 4:
        path.append(type(parent).__name__)
        parent = parent.parentWidget()
    return " < ".join(path)


def test_every_control_is_named_seen_and_reached_by_tab_from_left_to_right(
    open_window, service, qtbot
):
    window = open_window
    window.resize(1366, 768)
    window.session.ask(Question("What is the offset voltage?"))
    # The file that it cites is not there: what stands in place of its pages comes last.
    service.answer("ask", table_answer(), until=window.pdf_panel.view.document.failed)
    # Every control has a name and its focus can be seen.
    assert [describe(w) for w in controls(window) if not spoken_name(w)] == []

    window.activateWindow()
    unseen: list[str] = []
    for widget in list(controls(window)):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and isinstance(widget, QAbstractButton):
            window.setFocus()
            before = widget.grab().toImage()
            widget.setFocus(Qt.FocusReason.TabFocusReason)
            qtbot.waitUntil(widget.hasFocus)
            if widget.grab().toImage() == before:
                unseen.append(describe(widget))
    assert unseen == []

    # Every button is reached by tab and shift tab goes back the same way.
    window.ask_box.setFocus()
    stops = tab_stops()
    reached = set(stops)
    missed = [
        describe(widget)
        for widget in controls(window)
        if widget not in reached and not _is_reached_otherwise(widget, reached)
    ]
    assert missed == []

    window.ask_box.setFocus()
    first = QApplication.focusWidget()
    QTest.keyClick(first, Qt.Key.Key_Tab)
    second = QApplication.focusWidget()
    assert second is not first
    QTest.keyClick(second, Qt.Key.Key_Backtab)
    assert QApplication.focusWidget() is first

    # Tab goes through the panes from left to right.
    window.side_bar.tabs.setFocus()
    panes = [window.side_bar, window.answer_scroll, window.ask_box, window.document_pane]
    stops = tab_stops()
    firsts = [next(n for n, stop in enumerate(stops) if pane.isAncestorOf(stop)) for pane in panes]
    assert firsts == sorted(firsts)
    below = next(n for n, stop in enumerate(stops) if window.status_line.isAncestorOf(stop))
    assert below > firsts[-1]

    # What gets the focus is scrolled into view.
    window.resize(1366, 480)
    window.activateWindow()
    bar = window.answer_scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 100)
    bar.setValue(bar.maximum())
    window.conversation_tabs.new_button.setFocus()
    QTest.keyClick(window.conversation_tabs.new_button, Qt.Key.Key_Tab)
    focused = QApplication.focusWidget()
    assert window.answer_scroll.isAncestorOf(focused)
    shown = focused.visibleRegion().boundingRect()
    assert shown == focused.rect()


def test_every_control_on_the_start_page_and_in_a_library_for_reading_has_a_name(window, service):
    assert [describe(w) for w in controls(window) if not spoken_name(w)] == []
    service.open(window.session, make_library(read_only=True))
    assert [describe(w) for w in controls(window) if not spoken_name(w)] == []


def _is_reached_otherwise(widget: QWidget, reached: set[QWidget]) -> bool:
    """Tell whether another control has the focus for it, such as a view for its header."""
    parent = widget.parentWidget()
    while parent is not None:
        if parent in reached and isinstance(parent, QAbstractScrollArea | QTabBar | QLineEdit):
            return True
        parent = parent.parentWidget()
    proxy = widget.focusProxy()
    return proxy is not None and proxy in reached
