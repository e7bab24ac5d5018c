"""What opens libraries, without the rest of the window."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMenu, QWidget

from desktop_qa.gui.library.empty_state import EmptyState
from desktop_qa.gui.library.library_actions import LibraryActions
from desktop_qa.gui.library.library_panel import LibraryPanel
from desktop_qa.gui.library.recent import RecentLibraries


@pytest.fixture
def host(make_parts, session, service, settings) -> QWidget:
    """Without a library, and nothing was asked for."""
    session.close_library(lambda: None)
    service.requests.clear()
    window = make_parts(library_panel=LibraryPanel(), empty_state=EmptyState())
    QMenu(window).setObjectName("recent_menu")
    window.recent = RecentLibraries(settings)
    window.libraries = LibraryActions(window)
    return window
