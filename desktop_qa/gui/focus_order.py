"""Tab goes through a window as it is read: pane by pane, line by line.

Qt's own order is that in which the widgets were made, so whatever is made later (a card of
evidence, the table of an answer) would come after everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

Act = Callable[[], object]


def bring_focus(widget: QWidget) -> None:
    """Give a widget the keyboard, and its window too: the key may have come from another one."""
    window = widget.window()
    if not window.isActiveWindow():
        window.activateWindow()
    widget.setFocus()


def focus_order(root: QWidget) -> list[QWidget]:
    """Return the widgets that Tab stops at, in reading order; hidden and disabled ones not."""
    order: list[QWidget] = []
    children = root.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
    shown = [child for child in children if child.isVisible() and not child.isWindow()]
    for widget in _in_lines(shown):
        policy = widget.focusPolicy()
        if widget.isEnabled() and policy & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
            order.append(widget)
        order += focus_order(widget)
    return order


def _in_lines(widgets: list[QWidget]) -> list[QWidget]:
    """Sort by lines from the top, then from the left; what overlaps in height is one line."""
    lines: list[tuple[int, list[QWidget]]] = []
    for widget in sorted(widgets, key=lambda one: one.y()):
        middle = widget.y() + widget.height() // 2
        if lines and widget.y() < lines[-1][0]:
            lines[-1][1].append(widget)
        else:
            lines.append((max(middle, widget.y() + 1), [widget]))
    return [widget for _, line in lines for widget in sorted(line, key=lambda one: one.x())]


def move_focus(window: QWidget, *, forward: bool) -> bool:
    """Give the focus to what comes next in a window, or before; False when there is nothing."""
    order = focus_order(window)
    if not order:
        return False
    here = QApplication.focusWidget()
    while here is not None and here not in order:
        here = here.parentWidget()
    step = 1 if forward else -1
    start = order.index(here) + step if here is not None else (0 if forward else -1)
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    widget = order[start % len(order)]
    widget.setFocus(reason)
    _bring_into_view(widget)
    return True


def _bring_into_view(widget: QWidget) -> None:
    """Scroll what the widget lies in; an area does so by itself only for steps within it."""
    area = widget.parentWidget()
    while area is not None:
        if isinstance(area, QScrollArea) and area.widget() is not None:
            area.ensureWidgetVisible(widget)
        area = area.parentWidget()


class _Keys(QObject):
    def __init__(
        self, widget: QObject, acts: Mapping[str, Act], when: Callable[[], object] | None
    ) -> None:
        super().__init__(widget)
        self._acts = {
            QKeySequence(key): act for keys, act in acts.items() for key in keys.split(", ")
        }
        self._when = when
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Act on the keys, and keep them from the shortcuts of the window."""
        if not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.KeyRelease:
            return False
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        act = self._acts.get(QKeySequence(event.key() | held.value))
        if act is None or (self._when is not None and not self._when()):
            return False
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return act() is not False


def on_keys(
    widget: QObject, acts: Mapping[str, Act], when: Callable[[], object] | None = None
) -> None:
    """Do something at keys of a widget, before it and the shortcuts of its window take them.

    Args:
        widget: What has the keyboard, or something around it that the keys come to.
        acts: By keys as `QKeySequence` reads them, "Return, Enter" for both; a key goes on to the
            widget when its act returns False.
        when: Tells whether the keys mean this now.
    """
    _Keys(widget, acts, when)
