"""Markdown as files that stand for themselves: complete, relative, and never over something."""

from __future__ import annotations

import errno
import re
import shutil
from pathlib import Path

import pytest

from desktop_qa.core.errors import AlreadyThereError, ExportError, NotReadError
from desktop_qa.export import (
    export_markdown,
    file_name,
    markdown_parts,
    with_images,
    with_one_header_row,
)
from tests.helpers import command_line
from tests.helpers.pdf import datasheet

TEXT = """# 1 Features

![A \\[new\\] pinout](figures/abc/0001-001.png)

| A | B |
| --- | --- |
| 1 | 2 |

![Again](figures/abc/0001-001.png) ![](figures/abc/0002-001.png)
"""


@pytest.fixture
def library_folder(tmp_path):
    folder = tmp_path / "library"
    (folder / "figures" / "abc").mkdir(parents=True)
    for name in ("0001-001.png", "0002-001.png"):
        (folder / "figures" / "abc" / name).write_bytes(name.encode())
    return folder


@pytest.fixture
def target(tmp_path):
    folder = tmp_path / "my exports"
    folder.mkdir()
    return folder / "ACM 4197 (draft).md"


def linked(markdown: Path) -> list[Path]:
    from urllib.parse import unquote

    links = re.findall(r"\]\(([^)]*)\)", markdown.read_text(encoding="utf-8"))
    return [markdown.parent / unquote(link) for link in links]


def test_an_export_is_the_text_and_the_images_it_names(library_folder, target):
    report = export_markdown(TEXT, library_folder, target)
    assert (report.n_images, report.missing) == (2, ())
    files = linked(target)
    assert [path.read_bytes() for path in files] == [
        b"0001-001.png",
        b"0001-001.png",
        b"0002-001.png",
    ]
    assert {path.parent for path in files} == {target.with_name("ACM 4197 (draft)_files")}
    assert "![A \\[new\\] pinout](" in target.read_text(encoding="utf-8")
    assert "| 1 | 2 |" in target.read_text(encoding="utf-8")
    assert sorted(path.name for path in target.parent.iterdir()) == [
        "ACM 4197 (draft).md",
        "ACM 4197 (draft)_files",
    ]


def test_drawings_that_are_there_as_svg_come_along(library_folder, target):
    (library_folder / "figures" / "abc" / "0001-001.svg").write_text("<svg/>")
    report = export_markdown(TEXT, library_folder, target)
    names = sorted(path.name for path in Path(report.images_folder).iterdir())
    assert names == ["0001-001.png", "0001-001.svg", "0002-001.png"]
    assert report.n_images == 2


def test_nothing_is_overwritten_unless_that_is_said(library_folder, target):
    export_markdown(TEXT, library_folder, target)
    images = target.with_name(f"{target.stem}_files")
    (images / "notes.txt").write_text("mine")
    with pytest.raises(AlreadyThereError, match=r"draft\)\.md and .*_files are already in"):
        export_markdown("other", library_folder, target)
    assert target.read_text(encoding="utf-8").startswith("# 1 Features")
    target.unlink()
    with pytest.raises(AlreadyThereError, match="_files is already in"):
        export_markdown(TEXT, library_folder, target)
    export_markdown(TEXT, library_folder, target, replace=True)
    assert target.read_text(encoding="utf-8").startswith("# 1 Features")
    assert (images / "notes.txt").read_text() == "mine"


def test_an_image_that_is_gone_leaves_its_caption_and_is_reported(library_folder, target):
    (library_folder / "figures" / "abc" / "0001-001.png").unlink()
    report = export_markdown(TEXT, library_folder, target)
    assert report.missing == ("figures/abc/0001-001.png",)
    assert report.n_images == 1
    assert "*A \\[new\\] pinout (image missing)*" in target.read_text(encoding="utf-8")
    assert all(path.is_file() for path in linked(target))


def test_a_link_out_of_the_library_is_not_followed(library_folder, target, tmp_path):
    (tmp_path / "secret.png").write_bytes(b"secret")
    report = export_markdown("![x](../secret.png)", library_folder, target)
    assert (report.n_images, report.missing) == (0, ("../secret.png",))
    assert not target.with_name(f"{target.stem}_files").exists()


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EACCES, "You may not write to"),
        (errno.EROFS, "You may not write to"),
        (errno.EIO, "could not be exported"),
    ],
)
def test_what_the_disk_says_is_told_in_words_and_nothing_is_left_behind(
    library_folder, target, monkeypatch, code, sentence
):
    def refuse(_source, _target):
        raise OSError(code, "no")

    monkeypatch.setattr(shutil, "copyfile", refuse)
    with pytest.raises(ExportError, match=sentence) as caught:
        export_markdown(TEXT, library_folder, target)
    assert caught.value.hint
    assert list(target.parent.iterdir()) == []


def test_places_that_are_none_are_refused(library_folder, tmp_path):
    with pytest.raises(ExportError, match="There is no folder"):
        export_markdown(TEXT, library_folder, tmp_path / "nowhere" / "a.md")
    with pytest.raises(ExportError, match="library itself"):
        export_markdown(TEXT, library_folder, library_folder / "figures" / "a.md")
    (tmp_path / "a.md").mkdir()
    with pytest.raises(ExportError, match="is a folder"):
        export_markdown(TEXT, library_folder, tmp_path / "a.md", replace=True)


def test_parts_are_the_text_cut_between_blocks():
    code = "```\nfirst\n\nsecond\n```"
    text = "\n\n".join([*(f"Paragraph {n} of some length." for n in range(9)), code, "End."]) + "\n"
    parts = list(markdown_parts(text, 60))
    assert "".join(parts) == text
    assert len(parts) > 3
    assert all(part.count("```") in (0, 2) for part in parts)
    assert list(markdown_parts("")) == [""]


def test_names_are_fit_for_any_system():
    assert file_name("A/B:C?.") == "A_B_C_"
    assert file_name(" .. ") == "document"
    assert len(file_name("x" * 500)) <= 120


def test_images_without_a_link_have_a_name():
    assert with_images("![](a.png)", lambda _link: None) == "*Figure (image missing)*"


def test_tables_of_several_header_rows_are_tables_to_every_reader():
    text = "\n".join(
        [
            "| PIN |  | I/O |",
            "| NAME | D \\| DGK | I/O |",
            "| --- | --- | --- |",
            "| +IN | 3 | I |",
            "",
            "| A | B |",
            "| --- | --- |",
            "| 1 | 2 |",
        ]
    )
    assert with_one_header_row(text).split("\n") == [
        "| PIN / NAME | D \\| DGK | I/O |",
        "| --- | --- | --- |",
        "| +IN | 3 | I |",
        "",
        "| A | B |",
        "| --- | --- |",
        "| 1 | 2 |",
    ]


# From a library


@pytest.fixture
def library(library, source_folder):
    datasheet(source_folder / "acme.pdf")
    library.add_source(source_folder)
    library.sync()
    return library


def test_a_document_of_the_library_is_read_and_exported(library, tmp_path):
    (status,) = library.statuses()
    view = library.markdown(status.document_id)
    assert view.name == "acme"
    assert "".join(view.parts) == view.text
    assert "Electrical Characteristics" in view.text
    folder = tmp_path / "out"
    folder.mkdir()
    report = library.export_markdown(status.document_id, folder)
    assert Path(report.file) == folder / "acme.md"
    assert report.n_images == len(library.structure(status.document_id).figures) > 0
    assert all(path.is_file() for path in linked(folder / "acme.md"))


def test_structure_points_at_the_places_of_the_page(library, source_folder):
    import pymupdf

    (status,) = library.statuses()
    view = library.structure(status.document_id)
    chapter = next(c for c in view.chapters if c.title == "Electrical Characteristics")
    place = chapter.places[0]
    box = place.bbox
    with pymupdf.open(source_folder / "acme.pdf") as pdf:
        clip = (box.left, box.top, box.right, box.bottom)
        assert "Electrical Characteristics" in pdf[place.page_no - 1].get_text(clip=clip)
    (table,) = view.tables
    assert (table.label, table.n_rows, table.n_columns) == ("Table 1", 4, 6)
    assert view.chapters[table.chapter].title == "Electrical Characteristics"


def test_a_document_that_is_not_there_says_so(library):
    with pytest.raises(NotReadError, match="not part of the library"):
        library.structure("0" * 16)
    (status,) = library.statuses()
    with library._store._database.write() as connection:
        connection.execute("UPDATE documents SET document = NULL")
    for printed in (library.markdown, library.document):
        with pytest.raises(NotReadError, match=r"acme\.pdf has not been read"):
            printed(status.document_id)


def test_documents_are_found_by_file_name_stem_and_id(library):
    (status,) = library.statuses()
    for name in ("acme.pdf", "acme", status.document_id):
        assert library.named(name) == library.statuses()
    assert library.named("acm") == ()


@pytest.mark.process
def test_the_command_line_prints_and_exports(library, tmp_path):
    folder = library.folder
    library.close()
    printed = command_line.run("markdown", "acme", "--library", folder)
    assert printed.returncode == 0, printed.stderr
    assert "Electrical Characteristics" in printed.stdout
    words = ("markdown", "acme.pdf", "--library", folder, "--to", tmp_path / "new" / "folder")
    (row,) = command_line.run_json(*words)
    assert row["images"] > 0
    assert row["missing"] == []
    assert Path(row["file"]).is_file()
    again = command_line.run(*words)
    assert again.returncode == 1
    assert "already in" in again.stderr
    assert command_line.run(*words, "--replace").returncode == 0
    unknown = command_line.run("markdown", "nothere", "--library", folder)
    assert unknown.returncode == 1
    assert "nothere" in unknown.stderr
