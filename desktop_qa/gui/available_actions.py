"""Which actions of the menus can be done now."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop_qa.gui.main_window import MainWindow

_SCOPE_ACTIONS = ("choose_scope", "ask_everything", "sources")


def update_actions(window: MainWindow) -> None:
    """Enable what the library, the document at hand and the answer on screen allow."""
    session = window.session
    is_open = session.library is not None
    can_write = session.library is not None and not session.library.read_only
    for name in ("add_to_library", "locate_folder", "refresh", "retry_failed"):
        window.action(name).setEnabled(can_write)
    for name in (
        "show_attention",
        "filter",
        "focus_ask",
        "new_conversation",
        "copy_answer",
        "history",
        *_SCOPE_ACTIONS,
    ):
        window.action(name).setEnabled(is_open)
    status = window.documents.status
    window.action("structure").setEnabled(is_open)
    for name in ("markdown", "export"):
        window.action(name).setEnabled(status is not None and status.has_content)
    window.action("read_again").setEnabled(can_write and status is not None)
    window.action("read_stale").setEnabled(can_write and bool(window.stale_offer.stale))
    window.action("pause").setEnabled(session.is_syncing)
    window.action("pause").setText("&Resume Indexing" if session.is_paused else "&Pause Indexing")
    window.action("cancel").setEnabled(session.is_syncing)
    window.action("stop").setEnabled(session.is_asking)
    window.action("previous_answer").setEnabled(window.answer_panel.can_go_back)
    window.action("why").setEnabled(is_open and window.answer_panel.view is not None)
    window.action("export_answer").setEnabled(is_open and window.answer_panel.view is not None)
    window.action("export_conversation").setEnabled(is_open and bool(window.history.conversation))
    window.action("next_answer").setEnabled(window.answer_panel.can_go_forward)
