"""The reader's marks: kept, listed, found again in a newer version, deleted, exported."""

from __future__ import annotations

import csv
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_qa.cli.command_line import main
from desktop_qa.core.document import BoundingBox, DocumentId, PageWords, Word
from desktop_qa.core.errors import AlreadyThereError, ExportError, LibraryError, MarkError
from desktop_qa.core.mark import Mark, MarkColour, MarkStanding, WrongCell, report_on
from desktop_qa.core.mark_places import find_again, occurrences
from desktop_qa.library.facade import Library
from tests.helpers.libraries import open_library
from tests.helpers.pdf import write_datasheet

FILE = "acm4197.pdf"


@pytest.fixture
def library(library, source_folder):
    write_datasheet(source_folder / FILE)
    library.add_source(source_folder)
    library.sync()
    return library


def quote_in(library: Library) -> tuple[int, str]:
    """Return words that stand once in the document, with their page."""
    status = library.statuses()[0]
    for page_no in range(1, status.n_pages + 1):
        page = library._store.page_words(status.document_id, page_no)
        for start in range(len(page.words) - 2):
            quote = " ".join(word.text for word in page.words[start : start + 3])
            if len(quote) > 12 and len(occurrences(page, quote)) == 1:
                return page_no, quote
    raise AssertionError("no words")


def make_mark(library: Library, **changes) -> Mark:
    page_no, quote = quote_in(library)
    status = library.statuses()[0]
    page = library._store.page_words(status.document_id, page_no)
    fields = {
        "id": "one",
        "document_id": status.document_id,
        "file": FILE,
        "page_no": page_no,
        "colour": MarkColour.BLUE,
        "made_at": 1000.0,
        "changed_at": 1000.0,
        "places": occurrences(page, quote)[0],
        "quote": quote,
        "note": "",
    }
    return Mark(**(fields | changes))


def test_a_mark_is_kept_and_listed_where_it_was_made(library):
    mark = make_mark(library, note="mind the sign")
    library.save_mark(mark)
    (placed,) = library.marks()
    assert placed.mark == mark
    assert placed.standing is MarkStanding.HERE
    assert placed.places == mark.places
    assert Path(placed.path).name == FILE


def test_what_is_saved_again_replaces_what_was_kept(library):
    mark = make_mark(library)
    library.save_mark(mark)
    library.save_mark(make_mark(library, note="typed later", colour=MarkColour.ROSE))
    (placed,) = library.marks()
    assert (placed.mark.note, placed.mark.colour) == ("typed later", MarkColour.ROSE)


CELL = WrongCell("Table 6-5", "Offset voltage", "Max", "52")


def test_a_report_of_a_cell_survives_a_restart_and_is_listed_and_exported(library, tmp_path):
    mark = make_mark(library, cell=CELL, note="a factor of ten")
    library.save_mark(mark)
    folder = library.folder
    library.close()
    with open_library(folder) as again:
        (placed,) = again.reports()
        assert placed.mark.cell == CELL
        assert report_on(again.reports(), mark.document_id, mark.places) == placed
        assert report_on(again.reports(), DocumentId("other"), mark.places) is None
        assert [one.mark.id for one in again.marks("reported wrong")] == ["one"]
        again.export_marks(None, tmp_path / "marks.csv")
        again.export_marks(None, tmp_path / "marks.md")
        again.delete_marks(["one"])
        assert again.reports() == ()
        again.restore_marks(["one"])
        assert len(again.reports()) == 1
    rows = list(csv.DictReader((tmp_path / "marks.csv").read_text("utf-8-sig").splitlines()))
    assert rows[0]["Kind"] == "Cell read wrongly"
    assert (rows[0]["Table"], rows[0]["Row"], rows[0]["Column"]) == (
        *("Table 6-5", "Offset voltage", "Max"),
    )
    assert rows[0]["Says instead"] == "52"
    text = (tmp_path / "marks.md").read_text("utf-8")
    assert "Reported wrong: says “52” instead (Table 6-5 › Offset voltage › Max)." in text


def test_an_older_library_that_is_only_read_has_marks_without_reports(library):
    library.save_mark(make_mark(library))
    folder = library.folder
    library.close()
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        connection.execute("ALTER TABLE marks DROP COLUMN cell")
        connection.execute("PRAGMA user_version = 5")
    connection.close()
    with open_library(folder, read_only=True) as older:
        assert [placed.mark.cell for placed in older.marks()] == [None]


def test_marks_are_found_by_words_colour_and_file(library):
    library.save_mark(make_mark(library, id="a", note="Thermal pad"))
    library.save_mark(make_mark(library, id="b", colour=MarkColour.GREEN))
    ids = [
        [placed.mark.id for placed in found]
        for found in (
            library.marks("pad THERMAL"),
            library.marks(colours=[MarkColour.GREEN]),
            library.marks(file=FILE),
            library.marks(file="other.pdf"),
        )
    ]
    assert ids == [["a"], ["b"], ["a", "b"], []]


def test_a_deleted_mark_comes_back_until_the_library_is_closed(library, tmp_path):
    library.save_mark(make_mark(library))
    assert library.delete_marks(["one"]) == 1
    assert library.marks() == ()
    assert library.restore_marks(["one"]) == 1
    assert len(library.marks()) == 1
    library.delete_marks(["one"])
    folder = library.folder
    library.close()
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        assert connection.execute("SELECT count(*) FROM marks").fetchone() == (0,)
    connection.close()


def test_a_late_note_does_not_bring_a_deleted_mark_back(library):
    library.save_mark(make_mark(library))
    library.delete_marks(["one"])
    library.save_mark(make_mark(library, note="typed before it was deleted"))
    assert library.marks() == ()
    library.restore_marks(["one"])
    assert library.marks()[0].mark.note == "typed before it was deleted"


def test_a_mark_of_an_earlier_version_is_found_again_by_its_words(library, source_folder):
    mark = make_mark(library)
    library.save_mark(mark)
    lost = make_mark(library, id="lost", quote="words that stand nowhere in the new version")
    library.save_mark(lost)
    write_datasheet(source_folder / FILE, offset="60")
    library.sync()
    placed = {one.mark.id: one for one in library.marks()}
    status = library.statuses()[0]
    assert status.document_id != mark.document_id
    assert placed["one"].standing is MarkStanding.FOUND_AGAIN
    assert placed["one"].document_id == status.document_id
    assert placed["one"].places
    page = library._store.page_words(status.document_id, placed["one"].page_no)
    assert placed["one"].places == occurrences(page, mark.quote)[0]
    assert placed["lost"].standing is MarkStanding.EARLIER
    assert placed["lost"].places == ()


def test_marks_of_a_document_that_left_wait_for_it(library, source_folder, tmp_path):
    library.save_mark(make_mark(library))
    (source_folder / FILE).rename(tmp_path / "elsewhere.pdf")
    write_datasheet(source_folder / "other.pdf", "ACM9")
    library.sync()
    assert library.marks()[0].standing is MarkStanding.GONE
    (tmp_path / "elsewhere.pdf").rename(source_folder / "renamed.pdf")
    library.sync()
    (placed,) = library.marks()
    assert placed.standing is MarkStanding.HERE
    assert placed.mark.file == "renamed.pdf"


def test_a_library_open_for_reading_says_that_marks_cannot_be_kept(library, tmp_path):
    mark = make_mark(library)
    library.save_mark(mark)
    with open_library(library.folder, read_only=True) as reader:
        assert len(reader.marks()) == 1
        for change in (lambda: reader.save_mark(mark), lambda: reader.delete_marks(["one"])):
            with pytest.raises(LibraryError, match="reading only"):
                change()


def test_a_mark_that_cannot_be_read_leaves_the_others(library, caplog):
    library.save_mark(make_mark(library))
    library.save_mark(make_mark(library, id="two"))
    with library._store._database.write() as connection:
        connection.execute("UPDATE marks SET colour = 'ultraviolet' WHERE id = 'two'")
    with caplog.at_level("WARNING"):
        assert [placed.mark.id for placed in library.marks()] == ["one"]
    assert "two cannot be shown" in caplog.text


def page_of(page_no: int, text: str) -> PageWords:
    words = []
    for index, word in enumerate(text.split()):
        left = 10.0 + 50 * index
        words.append(Word(word, BoundingBox(left, 100, left + 40, 110)))
    return PageWords(page_no, tuple(words))


def test_words_that_begin_or_end_within_a_word_take_it_whole():
    (places,) = occurrences(page_of(1, "the maximum offset voltage is low"), "set volt")
    assert [(p.bbox.left, p.bbox.right) for p in places] == [(110.0, 200.0)]


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ({4: "input offset voltage"}, 4),
        ({4: "offset voltage and offset voltage"}, None),
        ({4: "something else", 5: "the offset voltage"}, 5),
        ({3: "the offset voltage", 5: "the offset voltage"}, None),
        ({9: "the offset voltage"}, None),
    ],
)
def test_only_words_that_stand_once_and_near_are_found_again(pages, expected):
    found = find_again(
        "offset voltage", 4, 9, lambda page_no: page_of(page_no, pages.get(page_no, "other words"))
    )
    assert (found[0].page_no if found else None) == expected


def test_marks_are_exported_as_markdown_and_csv(library, tmp_path):
    library.save_mark(make_mark(library, note="=1+1 *sic*"))
    assert library.export_marks(None, tmp_path / "marks.md") == 1
    text = (tmp_path / "marks.md").read_text()
    assert f"## {FILE}" in text
    assert "=1+1 \\*sic\\*" in text
    assert "page 1" in text
    library.export_marks(None, tmp_path / "marks.csv")
    with (tmp_path / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["Document"] == FILE
    assert rows[0]["Note"] == "'=1+1 *sic*"
    assert rows[0]["Quote"] == quote_in(library)[1]


def test_an_export_never_writes_over_a_file_or_into_the_library_unasked(library, tmp_path):
    with pytest.raises(MarkError):
        library.export_marks(None, tmp_path / "marks.md")
    library.save_mark(make_mark(library))
    (tmp_path / "marks.md").write_text("mine")
    with pytest.raises(AlreadyThereError):
        library.export_marks(None, tmp_path / "marks.md")
    with pytest.raises(ExportError):
        library.export_marks(None, library.folder / "marks.md")
    with pytest.raises(ExportError):
        library.export_marks(None, tmp_path / "marks.doc")
    library.export_marks(None, tmp_path / "marks.md", replace=True)
    assert "mine" not in (tmp_path / "marks.md").read_text()


def test_the_command_line_lists_and_exports_marks(library, tmp_path, capsys):
    library.save_mark(make_mark(library, note="mind the sign"))
    folder = str(library.folder)
    library.close()
    assert main(["marks", "--library", folder, "--json"]) == 0
    (listed,) = json.loads(capsys.readouterr().out)["marks"]
    assert (listed["id"], listed["note"], listed["state"]) == ("one", "mind the sign", "here")
    assert main(["marks", "--library", folder]) == 0
    assert f"{FILE}, page 1: " in capsys.readouterr().out
    assert main(["marks", "--library", folder, "--colour", "green"]) == 0
    assert "Nothing was marked" in capsys.readouterr().err
    target = tmp_path / "out.csv"
    assert main(["marks", "--library", folder, "--export", str(target)]) == 0
    assert target.is_file()


@pytest.mark.process
def test_the_service_keeps_what_was_typed_last_before_it_ends(library, client):
    mark = make_mark(library)
    folder = library.folder
    library.close()
    client.ask("open_library", str(folder))
    for number in range(20):
        client.request("save_mark", replace(mark, note=f"note {number}"))
    client.close()
    with open_library(folder) as again:
        assert [placed.mark.note for placed in again.marks()] == ["note 19"]
