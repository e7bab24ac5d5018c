"""What a document of the library is called, and what is said of its state."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QDateTime, QLocale

from desktop_qa.core.progress import DocumentState, DocumentStatus
from desktop_qa.gui.widgets.labels import apart, n_of

OTHER_FILES = "Other files"
NOT_READ_YET = "Not read yet"
EARLIER = "earlier"
DOUBTS = "read with doubts"
_MAX_FAILED_PAGES_SHOWN = 12

_TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Marks that turn the direction of what follows them."""

_UNSHOWN = dict.fromkeys((*range(0x20), 0x7F), " ") | dict.fromkeys(_TURNS, "")
"""What a name may hold and a line cannot: breaks, and turns that would reach what is beside it."""


def needs_attention(status: DocumentStatus) -> bool:
    """Tell whether the user should look at a document: it failed or lacks pages."""
    return status.state in (DocumentState.FAILED, DocumentState.PARTIAL)


def needs_password(status: DocumentStatus) -> bool:
    """Tell whether a document could not be read for want of its password."""
    return status.state is DocumentState.FAILED and "password" in status.reason.casefold()


def has_no_text(status: DocumentStatus) -> bool:
    """Tell whether no page of a document could be read, as when all of them are scanned."""
    if status.is_scan:
        return True
    lost = sum(failure.is_page_lost for failure in status.page_failures)
    return status.state is DocumentState.PARTIAL and lost >= status.n_pages > 0


def group_of(status: DocumentStatus) -> str:
    """Return the heading a document stands under."""
    if status.vendor:
        return status.vendor
    return OTHER_FILES if status.state.is_final else NOT_READ_YET


def name_of(status: DocumentStatus) -> str:
    """Return the file's name without its ending and without the vendor that heads its group."""
    # Not by pathlib: a library of thousands is named at once when it is opened.
    file = status.file.rpartition("/")[2]
    if not file.isprintable():
        file = file.translate(_UNSHOWN)
    stem = file.rpartition(".")[0] or file
    prefix, separator, rest = stem.partition("_")
    if separator and rest and status.vendor:
        vendor = status.vendor.casefold()
        initials = "".join(word[0] for word in vendor.split())
        short = prefix.casefold()
        # "TI_" and "ADI_" for Texas Instruments and Analog Devices (Inc.).
        is_initials = len(initials) > 1 and short in (initials, f"{initials}i")
        if vendor.startswith(short) or is_initials:
            return rest
    return stem


def state_text(status: DocumentStatus) -> str:
    """Return the state as a word, with the page that is being read.

    A document that an earlier version read is "earlier", one that nobody could open for want of
    its password "password", one of scanned pages alone "no text", one whose pages tell that it was
    not read well "read with doubts".
    """
    if status.state is DocumentState.READING and status.n_pages_read:
        return f"reading {status.n_pages_read}"
    if status.is_doubtful and status.state is DocumentState.READY:
        return DOUBTS
    if status.stale and status.state is DocumentState.READY:
        return EARLIER
    if needs_password(status):
        return "password"
    if has_no_text(status):
        return "no text"
    if status.state is DocumentState.PARTIAL:
        return "partly"
    return status.state.value


def pages_text(status: DocumentStatus) -> str:
    """Return "49 p", "?" for a document whose pages nobody could count, else nothing yet."""
    if status.n_pages:
        return f"{status.n_pages} p"
    return "?" if status.state is DocumentState.FAILED else ""


def explain(status: DocumentStatus) -> str:
    """Return the sentences on a document's state: reason, pages that lack, what to do."""
    lines = [f"{status.reason} {status.hint}".strip()]
    lost = [failure.page_no for failure in status.page_failures if failure.is_page_lost]
    light = [f.page_no for f in status.page_failures if f.has_text and not f.stage]
    lines += [_pages_line(lost, "not read"), _pages_line(light, "read in part")]
    if status.is_doubtful and status.reading is not None:
        lines.append(
            f"Not all of it fits together (score {status.reading.score:.2f}): compare its pages."
        )
        lines.append(_pages_line(status.reading.doubtful_pages, "in doubt"))
    if len(status.files) > 1:
        lines.append("The same file also stands at " + ", ".join(status.files[1:]) + ".")
    if status.stale:
        lines.append(_read_when(status))
    return "\n".join(line for line in lines if line)


def first_of(things: Sequence[object], n_most: int) -> str:
    """Return "2, 3 and 4 more": the first of many, and how many are left."""
    more = len(things) - n_most
    return ", ".join(map(str, things[:n_most])) + (f" and {more} more" if more > 0 else "")


def _pages_line(page_nos: Sequence[int], what: str) -> str:
    if not page_nos:
        return ""
    noun = "Page" if len(page_nos) == 1 else "Pages"
    return f"{noun} {what}: {first_of(page_nos, _MAX_FAILED_PAGES_SHOWN)}."


def moment(seconds: float) -> str:
    """Return "1 March 2026, 14:05" for seconds since the epoch, "" when they are not known."""
    if not seconds:
        return ""
    at = QDateTime.fromSecsSinceEpoch(int(seconds))
    return QLocale.c().toString(at, "d MMMM yyyy, HH:mm")


def _read_when(status: DocumentStatus) -> str:
    """Return by which version a stale document was read, and when."""
    # The model's name is a long one, and hardly ever what has changed.
    versions = [part.strip() for part in status.read_by.split(";")][:2]
    by = f" ({', '.join(versions)})" if any(versions) else ""
    day = moment(status.read_at).partition(",")[0]
    on = f" on {day}" if day else ""
    return f"Read by an earlier version{by}{on}. It is searched as it is; Read again renews it."


def describe(status: DocumentStatus) -> str:
    """Return the tool tip of a document, as plain text."""
    counts = (
        (status.n_pages, "page"),
        (status.n_tables, "table"),
        (status.n_figures, "figure"),
    )
    numbers = ", ".join(n_of(number, noun) for number, noun in counts if number)
    lines = [
        status.path or status.file,
        status.title,
        numbers,
        state_text(status).capitalize(),
        explain(status),
    ]
    return "\n".join(line for line in lines if line)


def natural_key(text: str) -> str:
    """Return what sorts names as people count: TPS54331 before TPS560200."""
    # Zero-padded numbers sort TPS54331 before TPS560200 as people expect.
    return re.sub(r"\d+", lambda digits: digits.group().zfill(12), text.casefold())


def found_words(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Return where words stand in a text, as (first, one past the last), apart and in order."""
    folded = text.lower()
    if len(folded) != len(text):  # a letter whose small form is two: its places would be off
        return []
    spots: list[tuple[int, int]] = []
    for word in words:
        start = folded.find(word)
        while start >= 0:
            spots.append((start, start + len(word)))
            start = folded.find(word, start + len(word))
    return apart(spots)


def revision_label(status: DocumentStatus) -> str:
    """Return a document's revision and date in few words: "SBAS444D, 2018-01"."""
    revision = re.split(r"\s+[–—-]\s+|\s*[,;(]", status.revision.strip())[0]
    return ", ".join(part for part in (revision, status.date) if part)


def snippet_at(text: str, words: Sequence[str]) -> str:
    """Return a text from the word on in which one of some words stands; "" when none does."""
    found = found_words(text, words)
    if not found:
        return ""
    start = text.rfind(" ", 0, found[0][0]) + 1
    return f"… {text[start:]}" if start else text


def size_text(n_bytes: int) -> str:
    """Return "3.4 MB"; a kB is 1000 bytes."""
    si = QLocale.DataSizeFormat.DataSizeSIFormat
    return QLocale.c().formattedDataSize(n_bytes, 1, si)
