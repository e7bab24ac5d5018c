"""Loads the Qt Designer forms of `ui/` into the widgets that own them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtUiTools import QUiLoader
from PySide6.QtWidgets import QWidget

from desktop_qa import paths

ChildT = TypeVar("ChildT", bound=QObject)


class _FormLoader(QUiLoader):
    """Fills an existing widget instead of making a new one, and knows the promoted classes."""

    def __init__(
        self, owner: QWidget, promoted: Mapping[str, Callable[[QWidget], QWidget]]
    ) -> None:
        super().__init__(owner)
        self._owner = owner
        self._promoted = promoted

    def createWidget(
        self, class_name: str, parent: QWidget | None = None, name: str = ""
    ) -> QWidget:
        """Return the owner for the form's outermost widget, else a child."""
        if parent is None:
            return self._owner
        if class_name in self._promoted:
            widget = self._promoted[class_name](parent)
            widget.setObjectName(name)
            return widget
        return super().createWidget(class_name, parent, name)


def load_form(
    form: str, owner: QWidget, promoted: Mapping[str, Callable[[QWidget], QWidget]] | None = None
) -> None:
    """Build the children that `ui/<form>` describes inside a widget of the form's outermost class.

    `promoted` makes our own widgets by the class that the form names, with the parent alone. A
    form that cannot be read raises RuntimeError: a fault of the installation.
    """
    path = paths.asset(f"ui/{form}")
    loader = _FormLoader(owner, promoted or {})
    if loader.load(str(path)) is None:
        msg = f"{path}: {loader.errorString()}"
        raise RuntimeError(msg)
    loader.deleteLater()


def child(owner: QObject, kind: type[ChildT], name: str) -> ChildT:
    """Return a form's child by name; LookupError when the form and its module disagree."""
    found = owner.findChild(kind, name)
    if not isinstance(found, kind):
        msg = f"{type(owner).__name__} has no {kind.__name__} named {name!r}"
        raise LookupError(msg)
    return found
