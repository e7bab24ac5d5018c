"""Lines and columns of widgets, with their margins and gaps said where they are made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Margins = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""

Thing = QWidget | QLayout | int | None
Part = Thing | tuple[Thing, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""What stands in a box, with its stretch and its alignment: so many pixels of room, or what is left
of it (None)."""

BoxT = TypeVar("BoxT", bound=QBoxLayout)


def in_row(
    parent: QWidget | None = None,
    *,
    margins: Margins | None = None,
    spacing: int | None = None,
    inside: QBoxLayout | None = None,
) -> QHBoxLayout:
    """Make a line of widgets; see `in_column`."""
    return _set_up(
        QHBoxLayout() if parent is None else QHBoxLayout(parent), margins, spacing, inside
    )


def in_column(
    parent: QWidget | None = None,
    *,
    margins: Margins | None = None,
    spacing: int | None = None,
    inside: QBoxLayout | None = None,
) -> QVBoxLayout:
    """Make a column, of a widget or inside another box, with the style's gaps unless given."""
    return _set_up(
        QVBoxLayout() if parent is None else QVBoxLayout(parent), margins, spacing, inside
    )


def _set_up(
    box: BoxT, margins: Margins | None, spacing: int | None, inside: QBoxLayout | None
) -> BoxT:
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    if inside is not None:
        inside.addLayout(box)
    return box


def put(box: BoxT, *parts: Part) -> BoxT:
    """Put parts at the end of a box, and return it."""
    for part in parts:
        thing, stretch, *at = part if isinstance(part, tuple) else (part, int(part is None))
        if thing is None:
            box.addStretch(stretch)
        elif isinstance(thing, int):
            box.addSpacing(thing)
        elif isinstance(thing, QLayout):
            box.addLayout(thing, stretch)
        else:
            box.addWidget(thing, stretch, *at)
    return box


def add_row(inside: QBoxLayout, *parts: Part, spacing: int | None = None) -> QHBoxLayout:
    """Put parts side by side at the end of a box."""
    return put(in_row(spacing=spacing, inside=inside), *parts)


def take_away(layout: QLayout, widgets: Iterable[QWidget]) -> None:
    """Remove widgets from sight and their layout now; they are deleted when control returns."""
    for widget in widgets:
        layout.removeWidget(widget)
        widget.hide()
        widget.deleteLater()
