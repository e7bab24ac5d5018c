"""The dialog that tells versions and licences; it does not block the window."""

from __future__ import annotations

import html
import platform
from importlib import metadata

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from desktop_qa import __version__

_ENGINES = (
    "PySide6",
    "PyMuPDF",
    "chromadb",
    "onnxruntime",
    "sentence-transformers",
    "spacy",
    "rank-bm25",
)


class _TextDialog(QDialog):
    """A title, some rich text and a Close button."""

    def __init__(self, title: str, body: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.label = QLabel(body, self)
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.label.setWordWrap(True)
        self.label.setMinimumWidth(380)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(16)
        layout.addWidget(self.label)
        layout.addWidget(buttons)


def _version_of(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def about_dialog(parent: QWidget) -> QDialog:
    """Return the dialog with version, licence and the engines inside."""
    engines = ", ".join(f"{name} {_version_of(name)}" for name in _ENGINES)
    body = (
        f"<h3>Desktop QA {__version__}</h3>"
        "<p>Cited answers from a folder of datasheets and manuals, offline.</p>"
        "<p>Free software under the GNU Affero General Public License, version 3 or later, "
        "without any warranty. PyMuPDF, which reads the PDFs, is under the same licence.</p>"
        f"<p>Python {platform.python_version()}, Qt {qVersion()}, {html.escape(engines)}.</p>"
    )
    return _TextDialog("About Desktop QA", body, parent)
