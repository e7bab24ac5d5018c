"""A view of pages and a panel of documents, for all that is tried on them."""

from __future__ import annotations

import pytest

from desktop_qa.gui.viewer.pdf_panel import PdfPanel
from desktop_qa.gui.viewer.pdf_view import PdfView
from tests.gui.patient_bot import on_screen
from tests.gui.pdf_files import A5, show_pages, write_pages


@pytest.fixture
def view(qtbot) -> PdfView:
    view = on_screen(qtbot, PdfView(), 500, 600)
    view.is_animated = False
    return view


@pytest.fixture
def ten_pages(qtbot, view, tmp_path) -> PdfView:
    show_pages(qtbot, view, write_pages(tmp_path / "ten.pdf", [A5] * 10))
    return view


@pytest.fixture
def panel(qtbot) -> PdfPanel:
    panel = on_screen(qtbot, PdfPanel(), 640, 700)
    panel.view.is_animated = False
    return panel
