"""Words of documents that may look like HTML: shown as they are, and nothing is loaded for them."""

from __future__ import annotations

import html
from typing import Any

from PySide6.QtCore import QByteArray, Qt, QUrl
from PySide6.QtGui import QPixmap, QTextDocument

_MAX_TIP_CHARACTERS = 600


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
    """Return a tool tip that shows a text as it is, in lines of a readable length, not endless."""
    if len(text) > _MAX_TIP_CHARACTERS:
        text = f"{text[:_MAX_TIP_CHARACTERS].rstrip()} …"
    # Only rich text is wrapped by Qt.
    return f"<qt>{html.escape(text).replace(chr(10), '<br>')}</qt>"
