"""The dialog that tells versions and licences; it does not block the window."""

from __future__ import annotations

import html
import platform
from importlib import metadata

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QWidget

from desktop_qa import __version__
from desktop_qa.gui.widgets.boxes import in_column

_ENGINES = (
    "PySide6",
    "PyMuPDF",
    "chromadb",
    "onnxruntime",
    "sentence-transformers",
    "spacy",
    "rank-bm25",
)


def _version_of(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


class AboutDialog(QDialog):
    """Version, licence and the engines inside, over a Close button."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Desktop QA")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        engines = ", ".join(f"{name} {_version_of(name)}" for name in _ENGINES)
        label = QLabel(
            f"<h3>Desktop QA {__version__}</h3>"
            "<p>Cited answers from a folder of datasheets and manuals, offline.</p>"
            "<p>Free software under the GNU Affero General Public License, version 3 or later, "
            "without any warranty. PyMuPDF, which reads the PDFs, is under the same licence.</p>"
            f"<p>Python {platform.python_version()}, Qt {qVersion()}, {html.escape(engines)}.</p>",
            self,
        )
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        label.setWordWrap(True)
        label.setMinimumWidth(380)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.close)
        layout = in_column(self, margins=(24, 20, 24, 16), spacing=16)
        layout.addWidget(label)
        layout.addWidget(buttons)
