"""A view of pages and a panel of documents, for all that is tried on them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.viewer.pdf_view import PdfView
from tests.gui.patient_bot import on_screen
from tests.gui.pdf_files import A5, show_pages, write_pages


@pytest.fixture
def view(qtbot: QtBot) -> PdfView:
    view = on_screen(qtbot, PdfView(), 500, 600)
    view.is_animated = False
    return view


@pytest.fixture
def ten_pages(qtbot: QtBot, view: PdfView, tmp_path: Path) -> PdfView:
    show_pages(qtbot, view, write_pages(tmp_path / "ten.pdf", [A5] * 10))
    return view


@pytest.fixture
def panel(qtbot: QtBot) -> PdfPanel:
    panel = on_screen(qtbot, PdfPanel(), 640, 700)
    panel.view.is_animated = False
    return panel
