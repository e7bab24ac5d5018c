"""Words of documents that may look like HTML: shown as they are, and nothing is loaded for them."""

from __future__ import annotations

import html
from typing import Any

from PySide6.QtCore import QByteArray, Qt, QUrl
from PySide6.QtGui import QPixmap, QTextDocument


class ClosedDocument(QTextDocument):
    """A rich text that reads no file and no address; it shows what was added as a resource.

    Qt's own document opens local files for images and style sheets by itself, and what draws its
    images opens the file once more when the document has nothing: so it has an empty image.
    """

    def loadResource(self, kind: int, _name: QUrl | str) -> Any:
        """Load nothing."""
        if kind == QTextDocument.ResourceType.ImageResource.value:
            empty = QPixmap(1, 1)
            empty.fill(Qt.GlobalColor.transparent)
            return empty
        return QByteArray()


def plain_tip(text: str) -> str:
    """Return a text for a tool tip; Qt would take one with tags in it for HTML and load images."""
    if "<" not in text:
        return text
    return f"<p>{html.escape(text, quote=False)}</p>".replace("\n", "<br/>")
