"""The documents of a comparison with their parameters, each read once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from desktop_qa.answer.comparison_table import ComparedDocument
from desktop_qa.answer.parameters import Parameter, document_parameters
from desktop_qa.answer.part_mentions import parts_of
from desktop_qa.answer.reply import LibrarySource
from desktop_qa.augment.codes import CodeMatch, match_codes, normalize_code
from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.retrieve.comparison import is_of_class
from desktop_qa.retrieve.directory import document_codes

_MAX_KEPT = 32
_MAX_FRONT, _FRONT_CHARACTERS, _MAX_OPENING = 8, 4000, 12


_lock = Lock()
_kept: OrderedDict[tuple[str, ...], tuple[Parameter, ...]] = OrderedDict()
"""The parameters of the documents compared last; what they are made of never changes."""


def read_document(
    status: DocumentStatus, codes: Sequence[str], source: LibrarySource
) -> ComparedDocument:
    """Read the parameters of a document.

    Args:
        status: Of the document, which is indexed.
        codes: Part numbers asked for; those of other documents do not matter.
        source: Of its tables and segments.

    Raises:
        NotStoredError: When it is not in the library any more.
    """
    own = document_codes(status.part_numbers, status.files)
    parts = parts_of(codes, own)
    document = source.document(status.document_id)
    segments = source.segments_of(status.document_id)
    stamp = segments[-1].text if segments else ""
    key = (status.document_id, document.parser_version, str(hash(stamp)), *parts.asked)
    with _lock:
        parameters = _kept.pop(key, ())
    parameters = parameters or tuple(document_parameters(document, segments, parts))
    with _lock:
        _kept[key] = parameters
        while len(_kept) > _MAX_KEPT:
            _kept.popitem(last=False)
    return ComparedDocument(status.document_id, _name(status, codes, own), parts, parameters)


def _name(status: DocumentStatus, codes: Sequence[str], own: Sequence[str]) -> str:
    for code in codes:
        if any(match_codes(code, part) is not CodeMatch.NONE for part in own):
            printed = next((p for p in own if normalize_code(p) == normalize_code(code)), None)
            return printed or code
    stem = status.file.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    in_file = [p for p in own if normalize_code(p) in normalize_code(stem)]
    return next(iter((*in_file, *own)), "") or status.title or stem


def documents_of_class(
    device_class: str, scope: Sequence[DocumentId], source: LibrarySource
) -> list[DocumentStatus]:
    """Find the documents of a class of devices by their titles and what stands first in them.

    Args:
        device_class: See `retrieve.comparison.class_in`.
        scope: Documents to choose from; all when empty.
        source: Of the library.
    """
    within = set(scope)
    statuses = [s for s in source.searchable() if not within or s.document_id in within]
    return [
        s
        for s in statuses
        if is_of_class(s.title, device_class) or _opens_as(s, device_class, source)
    ]


def _opens_as(status: DocumentStatus, device_class: str, source: LibrarySource) -> bool:
    """Tell whether the first page calls one of the document's parts so."""
    codes = [normalize_code(c) for c in document_codes(status.part_numbers, status.files)]
    for segment in source.segments_of(status.document_id)[:_MAX_FRONT]:
        for sentence in segment.text[:_FRONT_CHARACTERS].replace("\n", ". ").split(". "):
            words = [normalize_code(w.strip(",.()®™")) for w in sentence.split()[:_MAX_OPENING]]
            is_about = any(w.startswith(c) for w in words for c in codes)
            if 1 in segment.metadata.page_nos and is_about and is_of_class(sentence, device_class):
                return True
    return False
