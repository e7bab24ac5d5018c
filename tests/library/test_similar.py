"""More like a piece: other documents first, each place once, and cancelled when it is overtaken."""

from __future__ import annotations

import pytest

from desktop_qa.answer_export.table_csv import write_cells
from desktop_qa.core.errors import Cancelled, NotReadError
from desktop_qa.core.question import Question
from desktop_qa.core.segment import SegmentId
from desktop_qa.library.facade import Library
from tests.helpers.pdf import write_datasheet


@pytest.fixture
def library(library, source_folder) -> Library:
    for part, offset in (("ACM4197", "25"), ("ACM4198", "60"), ("ACM4199", "40")):
        write_datasheet(source_folder / f"{part.lower()}.pdf", part, offset)
    library.add_source(source_folder)
    library.sync()
    return library


def table_of(library: Library, part: str) -> SegmentId:
    found = library.retrieve(Question(f"input offset voltage of the {part}", top_k=5))
    return next(e.segment.id for e in found if e.segment.kind == "table")


def test_the_same_table_of_its_siblings_is_most_like_a_table(library):
    segment_id = table_of(library, "ACM4197")
    found = library.similar_segments(segment_id)
    assert found.segment_id == segment_id
    assert [piece.view.file for piece in found.elsewhere[:2]] in (
        ["acm4198.pdf", "acm4199.pdf"],
        ["acm4199.pdf", "acm4198.pdf"],
    )
    best = found.elsewhere[0]
    assert best.view.section_path[1:] == found.of.section_path[1:]
    assert best.view.table is not None
    assert best.shared
    assert not best.view.is_cited


def test_pieces_are_ordered_and_each_place_stands_once(library):
    segment_id = table_of(library, "ACM4198")
    found = library.similar_segments(segment_id)
    own = found.of.document_id
    for pieces in (found.elsewhere, found.here):
        likeness = [piece.likeness for piece in pieces]
        assert likeness == sorted(likeness, reverse=True)
        assert all(0.0 < one <= 1.0 for one in likeness)
        ids = [piece.segment_id for piece in pieces]
        assert segment_id not in ids
        assert len(set(ids)) == len(ids)
    assert all(piece.view.document_id == own for piece in found.here)
    assert all(piece.view.document_id != own for piece in found.elsewhere)


def test_the_limit_holds_for_each_group(library):
    found = library.similar_segments(table_of(library, "ACM4197"), 1)
    assert len(found.elsewhere) == 1
    assert len(found.here) <= 1


def test_a_piece_that_is_gone_is_said_so(library):
    with pytest.raises(NotReadError, match="not in the library any more"):
        library.similar_segments(SegmentId("0123456789abcdef:00001"))


def test_a_search_is_cancelled(library):
    with pytest.raises(Cancelled):
        library.similar_segments(table_of(library, "ACM4197"), is_cancelled=lambda: True)


def test_cells_are_written_for_excel_or_as_printed(tmp_path):
    rows = [["Parameter", "Typ"], ["Offset, input", "−25 µV"], ["=1+1", '5 "V"']]
    target = tmp_path / "table.csv"
    write_cells(rows, target, for_excel=True)
    written = target.read_bytes()
    assert written.startswith(b"\xef\xbb\xbf")
    assert written.decode("utf-8-sig").splitlines() == [
        "Parameter,Typ",
        '"Offset, input",−25 µV',
        '\'=1+1,"5 ""V"""',
    ]
    write_cells(rows, target, for_excel=False)
    assert target.read_text(encoding="utf-8").splitlines()[2] == '=1+1,"5 ""V"""'


def test_the_command_line_lists_them(library, capsys, monkeypatch):
    import json

    from desktop_qa.cli import command_line as cli

    segment_id = table_of(library, "ACM4197")
    monkeypatch.setattr(Library, "open", lambda *_a, **_k: library)
    monkeypatch.setattr(Library, "close", lambda _self: None)
    folder = str(library.folder)
    assert cli.main(["similar", segment_id, "--library", folder, "--json", "--limit", "2"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["segment"] == segment_id
    assert [row["file"] for row in printed["elsewhere"]]
    assert set(printed["elsewhere"][0]) >= {"likeness", "shared", "page", "section_path", "text"}
    assert cli.main(["similar", segment_id, "--library", folder]) == 0
    assert "In other documents:" in capsys.readouterr().out
    monkeypatch.undo()
