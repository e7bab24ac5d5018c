"""From documents selected in the library to their comparison in a tab of its own."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from desktop_qa.core.progress import DocumentStatus
from desktop_qa.gui.answers.answer_reasons import listed
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.library.library_words import name_of
from desktop_qa.gui.menu_link import Slot
from desktop_qa.gui.session import LibrarySession
from desktop_qa.gui.widgets.messages import MessageArea, Notice, NoticeLevel

MOST_COMPARED = 12
"""Columns that can still be read side by side; the engine compares no more either."""

_MOST_NAMED = 3
_NOTICE = "compare"


class LibraryCompare(QObject):
    """Asks for the comparison of documents, or says why they cannot be compared.

    Attributes:
        changed: Other documents are selected.
    """

    changed = Signal()

    def __init__(
        self,
        session: LibrarySession,
        panel: LibraryPanel,
        messages: MessageArea,
    ) -> None:
        super().__init__(panel)
        self._session = session
        self._panel = panel
        self._messages = messages
        panel.compare_requested.connect(self.compare)
        panel.selection_changed.connect(lambda _selected: self.changed.emit())

    def actions(self) -> dict[str, Slot]:
        """See `MenuLink`."""
        return {"compare": self.compare_selected}

    def available(self) -> dict[str, bool]:
        """See `MenuLink`."""
        return {"compare": len(self._panel.selected_statuses) > 1}

    def compare_selected(self) -> None:
        """Compare the documents that are selected in the list."""
        self.compare(self._panel.selected_statuses)

    def compare(self, statuses: tuple[DocumentStatus, ...]) -> None:
        """Compare documents; those that have not been read are left out, and that is said."""
        self._messages.withdraw(_NOTICE)
        ready = [status for status in statuses if status.has_content]
        missing = [name_of(status) for status in statuses if not status.has_content]
        if len(ready) > MOST_COMPARED:
            self._say(
                f"At most {MOST_COMPARED} documents can be compared side by side;"
                f" {len(ready)} are selected.",
                "Select fewer of them.",
            )
            return
        if len(ready) < 2:
            hint = f"{_named(missing)} cannot be compared before being read." if missing else ""
            self._say("Select two or more documents that have been read to compare them.", hint)
            return
        if missing:
            self._say(
                f"{_named(missing)} {'is' if len(missing) == 1 else 'are'} left out.",
                "What has not been read cannot be compared.",
            )
        question = f"Compare {_named([name_of(status) for status in ready])}"
        title = "Compare " + " / ".join(name_of(status) for status in ready)
        self._session.compare(tuple(status.document_id for status in ready), question, title)

    def _say(self, message: str, hint: str) -> None:
        notice = Notice(NoticeLevel.INFORMATION, message, hint, key=_NOTICE, passes=True)
        self._messages.post(notice)


def _named(names: list[str]) -> str:
    """Return "A, B, C and 4 more"."""
    if len(names) <= _MOST_NAMED + 1:
        return listed(names)
    return f"{', '.join(names[:_MOST_NAMED])} and {len(names) - _MOST_NAMED} more"
