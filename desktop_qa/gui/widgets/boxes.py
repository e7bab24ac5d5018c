"""Lines and columns of widgets, with their margins and gaps said where they are made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Margins = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""

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


def take_away(layout: QLayout, widgets: Iterable[QWidget]) -> None:
    """Remove widgets from sight and their layout now; they are deleted when control returns."""
    for widget in widgets:
        layout.removeWidget(widget)
        widget.hide()
        widget.deleteLater()
