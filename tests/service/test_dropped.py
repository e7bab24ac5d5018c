"""What of a drop can be taken, and why the rest cannot."""

import os

import pytest

from desktop_qa.core.file_kinds import FileCount, FileKind, PassedOver, counted_all, kind_of_name
from desktop_qa.service.dropped import sort_dropped
from tests.helpers.libraries import open_library
from tests.helpers.pdf import write_datasheet


def sort(*paths, links=(), known=None):
    return sort_dropped(tuple(map(str, paths)), links, known or {})


@pytest.mark.parametrize(
    ("name", "kind", "advice"),
    [
        ("a.ZIP", FileKind.ARCHIVE, "Unpack"),
        ("a.docx", FileKind.WORD, "Save it as PDF"),
        ("a.Png", FileKind.IMAGE, "recognised text"),
        ("a.html", FileKind.PAGE, "Print it"),
        ("a.md", FileKind.MARKDOWN, "Print it"),
        ("a.epub", FileKind.BOOK, "Convert"),
        ("a.pdf.crdownload", FileKind.UNFINISHED, "downloaded"),
        ("a.exe", FileKind.OTHER, "Only PDF"),
        ("noending", FileKind.OTHER, "Only PDF"),
    ],
)
def test_each_kind_of_file_says_why_and_what_to_do(tmp_path, name, kind, advice):
    (tmp_path / name).write_bytes(b"content")
    (left,) = sort(tmp_path / name).left_out
    assert (left.name, left.kind) == (name, kind)
    assert advice in left.hint
    assert left.reason.startswith("It is a")


def test_pdfs_that_are_none_are_told_before_they_are_added(tmp_path):
    (tmp_path / "empty.pdf").touch()
    (tmp_path / "page.pdf").write_text("<html>sign in</html>")
    write_datasheet(tmp_path / "good.pdf")
    dropped = sort(*(tmp_path / f"{name}.pdf" for name in ("empty", "page", "good", "gone")))
    assert dropped.files == (str(tmp_path / "good.pdf"),)
    reasons = {one.name: one.reason for one in dropped.left_out}
    assert reasons == {
        "empty.pdf": "It is empty.",
        "page.pdf": "It is called a PDF and is none.",
        "gone.pdf": "It is not there any more.",
    }


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="rights do not bind this user")
def test_a_file_that_may_not_be_read_says_so(tmp_path):
    file = write_datasheet(tmp_path / "a.pdf")
    file.chmod(0)
    assert "cannot be read" in sort(file).left_out[0].reason


def test_folders_with_and_without_documents_and_links_are_told_apart(tmp_path):
    for name in ("sheets", "empty"):
        (tmp_path / name).mkdir()
    write_datasheet(tmp_path / "sheets" / "a.pdf")
    dropped = sort(
        *(tmp_path / name for name in ("sheets", "empty", "sheets/a.pdf")),
        links=("https://example.org/a.pdf",),
    )
    assert dropped.folders == (str(tmp_path / "sheets"),)
    assert dropped.files == ()  # it comes with its folder
    assert [one.kind for one in dropped.left_out] == [FileKind.LINK, FileKind.FOLDER]
    assert "nothing is loaded" in dropped.left_out[0].hint


def test_a_folder_says_what_of_it_is_read_and_what_is_not(tmp_path):
    folder = tmp_path / "manuals"
    folder.mkdir()
    write_datasheet(folder / "a.pdf")
    for name in ("b.md", "c.md", "d.html", ".DS_Store"):
        (folder / name).write_text("x")
    dropped = sort(folder)
    assert dropped.n_inside == 1
    assert dropped.not_read == (
        FileCount(FileKind.MARKDOWN, (".md",), 2, PassedOver.KIND),
        FileCount(FileKind.PAGE, (".html",), 1, PassedOver.KIND),
        FileCount(FileKind.OTHER, (), 1, PassedOver.HIDDEN),
    )
    (folder / "a.pdf").unlink()
    (left,) = sort(folder).left_out
    assert "3 files are not read: 2 Markdown files (.md), 1 web page (.html)" in left.reason


def test_what_is_in_the_library_already_is_counted_and_not_added(tmp_path, source_folder):
    write_datasheet(source_folder / "a.pdf")
    (source_folder / "sub").mkdir()
    write_datasheet(source_folder / "sub" / "b.pdf", "ACM4198")
    with open_library(tmp_path / "lib") as library:
        library.add_files([source_folder / "a.pdf"])
        library.sync()
        known = library.taken_files()
    dropped = sort(source_folder / "a.pdf", source_folder / "sub" / "b.pdf", known=known)
    assert (dropped.n_known, dropped.files) == (1, (str(source_folder / "sub" / "b.pdf"),))
    (left,) = sort(tmp_path / "lib").left_out
    assert left.kind is FileKind.LIBRARY


def test_a_mixed_drop_of_two_hundred_takes_what_it_can(tmp_path):
    for index in range(100):
        (tmp_path / f"{index}.pdf").write_bytes(b"%PDF-1.7 content")
        (tmp_path / f"{index}.docx").write_bytes(b"x")
    dropped = sort(*tmp_path.iterdir())
    assert (len(dropped.files), len(dropped.left_out)) == (100, 100)
    assert counted_all(one.kind for one in dropped.left_out) == "100 Word documents"


def test_kinds_are_counted_by_their_names():
    names = ("a.png", "b.zip", "c.jpg")
    assert counted_all(map(kind_of_name, names)) == "2 images, 1 archive"
