"""Kinds of files by their names, and the sentences on those that are not read."""

from collections import Counter

import pytest

from desktop_qa.core.file_kinds import (
    FileCount,
    FileKind,
    PassedOver,
    counts_of,
    extension_of,
    kind_of_name,
    not_read_text,
    scans_text,
    with_extensions,
)


@pytest.mark.parametrize(
    ("name", "extension"),
    [
        ("a.PDF", ".pdf"),
        ("folder.v2/README", ""),
        ("x.tar.gz", ".gz"),
        ("Minutes 12. of March", ""),
        (".profile", ""),
        ("a.pdf.crdownload", ".crdownload"),
        ("b\udce9.\udce9", ""),
    ],
)
def test_the_end_of_a_name_is_a_word_behind_its_last_dot(name, extension):
    assert extension_of(name) == extension


def test_kinds_are_told_by_the_ends_of_names():
    kinds = [kind_of_name(name) for name in ("a.HTML", "b.md", "c.docx", "d.xlsx", "e.eml", "f")]
    assert kinds == [
        *(FileKind.PAGE, FileKind.MARKDOWN, FileKind.WORD, FileKind.SHEET, FileKind.MAIL),
        FileKind.OTHER,
    ]


def test_files_are_counted_by_reason_and_kind_the_most_first():
    tally = Counter(
        {
            (PassedOver.HIDDEN, ".json"): 9,
            (PassedOver.KIND, ".htm"): 1,
            (PassedOver.KIND, ".md"): 2,
            (PassedOver.KIND, ".exe"): 7,
            (PassedOver.KIND, ".html"): 4,
            (PassedOver.EXCLUDED, ".pdf"): 3,
        }
    )
    assert counts_of(tally) == (
        FileCount(FileKind.PAGE, (".html", ".htm"), 5, PassedOver.KIND),
        FileCount(FileKind.MARKDOWN, (".md",), 2, PassedOver.KIND),
        FileCount(FileKind.OTHER, (".exe",), 7, PassedOver.KIND),
        FileCount(FileKind.PDF, (".pdf",), 3, PassedOver.EXCLUDED),
        FileCount(FileKind.TEXT, (".json",), 9, PassedOver.HIDDEN),
    )


def test_each_reason_has_a_sentence_and_what_is_read_has_none():
    counts = (
        FileCount(FileKind.PDF, (".pdf",), 74),
        FileCount(FileKind.PAGE, (".html",), 120, PassedOver.KIND),
        FileCount(FileKind.MARKDOWN, (".md",), 90, PassedOver.KIND),
        FileCount(FileKind.PDF, (".pdf",), 1, PassedOver.REMOVED),
        FileCount(FileKind.OTHER, (), 2, PassedOver.HIDDEN),
    )
    assert not_read_text(counts) == (
        "210 files are not read: 120 web pages (.html), 90 Markdown files (.md). Only PDF is read"
        " so far. 1 file is removed from the library. 2 files are hidden or of the system."
    )
    assert not_read_text(counts[:1]) == ""
    assert not_read_text(counts[:3], 1) == (
        "210 files are not read: 120 web pages (.html) and 90 more. Only PDF is read so far."
    )


def test_of_many_ends_of_names_the_most_frequent_are_said():
    images = FileCount(FileKind.IMAGE, (".png", ".jpg", ".gif", ".bmp"), 9, PassedOver.KIND)
    assert with_extensions(images) == "9 images (.png, .jpg, .gif, …)"
    assert with_extensions(FileCount(FileKind.OTHER, (), 1)) == "1 other file"


def test_scans_are_told_with_what_to_do():
    assert scans_text(1) == "1 PDF file is a scan without text. Run OCR on it and add the result."
    assert scans_text(4).startswith("4 PDF files are scans without text. Run OCR on them")
