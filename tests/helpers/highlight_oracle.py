"""Does the highlight on the screen cover the cited words? Judged by pixels and by PyMuPDF.

The highlight is what changes in a grab of the view when it is taken away. Where the words are
comes from the file itself, and that their print is really there from a drawing by PyMuPDF.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pymupdf
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from desktop_qa.core.document import Provenance
from desktop_qa.gui.viewer.pdf_highlights import Highlight
from desktop_qa.gui.viewer.pdf_view import PdfView
from tests.helpers.citation_oracle import Box, are_same_words, covered_area, page_words, words_under

_CHANGED = 6
_DARK = 140
_VERY_DARK, _TINTED = 110, 200
"""What one engine draws black is at least grey in the other: thin strokes fade differently."""
_MIN_INK = 4
"""Dark pixels from which on a word is judged: a full stop at a small size is none."""

_MAX_BARE = 2
"""Pixels at the corners of a small word that rounding may leave out."""
_BORDER = 3
"""Pixels around a rectangle that its border takes."""

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class ScreenCheck:
    """What was seen of one citation.

    Attributes:
        words: The words under its places, from the file.
        words_are_quote: True when they are those of the quote.
        n_judged: Words seen whole in the window and judged.
        least_covered: Least share of a word's paper that the highlight covers.
        least_printed: Least share of a word's print, as PyMuPDF draws it, that is on the screen.
        area_ratio: Highlighted area over that of the words' boxes with room for a border.
    """

    words: tuple[str, ...]
    words_are_quote: bool
    n_judged: int
    least_covered: float
    least_printed: float
    area_ratio: float


def check_on_screen(
    view: PdfView, pdf: Path, marker: int, places: Sequence[Provenance], quotes: Iterable[str]
) -> ScreenCheck:
    """Judge the highlight of a citation whose places are in view; the marks stay as they were."""
    marks, active = view.highlights, view.active
    view.set_highlights([Highlight(marker, tuple(places))])
    view.set_active(marker)
    marked = _pixels(view)
    view.set_highlights(())
    plain = _pixels(view)
    view.set_highlights(marks)
    view.set_active(active)
    changed = (np.abs(marked.astype(int) - plain.astype(int)) > _CHANGED).any(axis=2)
    light = plain.min(axis=2)
    dark, tinted = light < _DARK, light < _TINTED
    words: list[str] = []
    covered, printed, n_judged = [1.0], [1.0], 0
    on_screen: list[Box] = []
    with pymupdf.open(pdf) as document:
        for page_no in dict.fromkeys(place.page_no for place in places):
            of_page = [place for place in places if place.page_no == page_no]
            found = words_under(page_words(document[page_no - 1]), of_page)
            words += [text for text, _ in found]
            page = view.page_layout.page_rect(page_no - 1).translated(
                -view.visible_canvas.topLeft()
            )
            reference = _drawn(document[page_no - 1], page)
            for _, box in found:
                rect = _on_screen(box, document[page_no - 1], page)
                window = QRect(0, 0, plain.shape[1], plain.shape[0])
                near = rect.adjusted(-_BORDER, -_BORDER, _BORDER, _BORDER) & window
                if not near.isEmpty():
                    ends = near.left(), near.top(), near.right() + 1, near.bottom() + 1
                    on_screen.append(ends)
                if not window.contains(rect):
                    continue
                part = _slices(rect)
                expected = reference[_slices(rect.translated(-page.topLeft()))] < _VERY_DARK
                if expected.sum() < _MIN_INK or not dark[part].any():
                    continue
                n_judged += 1
                printed.append(_share(expected, _spread(tinted[part])))
                covered.append(_covered(changed[part], dark[part]))
    seen = covered_area(on_screen)
    return ScreenCheck(
        words=tuple(words),
        words_are_quote=are_same_words(words, quotes),
        n_judged=n_judged,
        least_covered=min(covered),
        least_printed=min(printed),
        area_ratio=float(changed.sum()) / seen if seen else float("inf"),
    )


def _on_screen(box: Box, page: pymupdf.Page, rect: QRect) -> QRect:
    x_scale, y_scale = rect.width() / page.rect.width, rect.height() / page.rect.height
    left, top = rect.left() + box[0] * x_scale, rect.top() + box[1] * y_scale
    right, bottom = rect.left() + box[2] * x_scale, rect.top() + box[3] * y_scale
    return QRect(round(left), round(top), round(right - left), round(bottom - top))


def _drawn(page: pymupdf.Page, rect: QRect) -> Pixels:
    matrix = pymupdf.Matrix(rect.width() / page.rect.width, rect.height() / page.rect.height)
    drawn = page.get_pixmap(matrix=matrix, colorspace=pymupdf.csGRAY, alpha=False)
    return np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.stride)


def _pixels(view: PdfView) -> Pixels:
    image = view.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    raw = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    return raw[:, :, :3].copy()


def _slices(rect: QRect) -> tuple[slice, slice]:
    top, left = max(rect.top(), 0), max(rect.left(), 0)
    return slice(top, rect.bottom() + 1), slice(left, rect.right() + 1)


def _covered(changed: npt.NDArray[np.bool_], dark: npt.NDArray[np.bool_]) -> float:
    """Share of the light pixels around a word's print that are highlighted; print stays black."""
    rows, columns = np.where(dark.any(axis=1))[0], np.where(dark.any(axis=0))[0]
    part = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    n_bare = int((~dark[part] & ~changed[part]).sum())
    return 1.0 if n_bare <= _MAX_BARE else _share(~dark[part], changed[part])


def _spread(mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Let each pixel count for its neighbours, too: engines differ by a fraction of one."""
    wide = mask.copy()
    wide[1:] |= mask[:-1]
    wide[:-1] |= mask[1:]
    narrow = wide.copy()
    wide[:, 1:] |= narrow[:, :-1]
    wide[:, :-1] |= narrow[:, 1:]
    return wide


def _share(of: npt.NDArray[np.bool_], within: npt.NDArray[np.bool_]) -> float:
    height, width = min(of.shape[0], within.shape[0]), min(of.shape[1], within.shape[1])
    of, within = of[:height, :width], within[:height, :width]
    return float((of & within).sum() / of.sum()) if of.any() else 1.0
