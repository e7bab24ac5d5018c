from __future__ import annotations

from desktop_qa.answer_export.clipboard import copied_answer, table_as_markdown, table_as_tsv
from desktop_qa.core.document import BoundingBox, Provenance, Table, TableCell
from tests.answer_export.samples import rich_question


def test_an_answer_is_copied_with_its_sources() -> None:
    copied = copied_answer(rich_question(None))
    assert copied.text.startswith("**What is the offset of the OPA\\_4197 at ≤ 85 °C?**\n")
    assert "**±25 µV**[1]" in copied.text
    assert "\n[2] OPA2.pdf, page 2, OPA4197 › 6 Specifications" in copied.text
    assert "not in the library" not in copied.text
    assert "[^" not in copied.text
    assert "<strong>±25 µV</strong> [1]" in copied.html
    assert "<p>[2] OPA2.pdf, page 2" in copied.html
    assert "href" not in copied.html


def test_a_table_of_an_answer_is_copied_as_tsv_and_as_markdown() -> None:
    view = rich_question(None).view
    assert view is not None
    table = view.answer.tables[0]
    assert table_as_tsv(table) == "Parameter\tTYP\tMAX\nV_OS | in\t±25\t±100\nDrift\t\t±2.5\n"
    assert table_as_markdown(table) == (
        "**Offset**\n\n| Parameter | TYP | MAX |\n| --- | --- | --- |\n"
        "| V\\_OS \\| in | ±25 | ±100 |\n| Drift |  | ±2.5 |\n"
    )


def test_a_table_of_a_document_has_its_spans_filled_and_its_headers_joined() -> None:
    place = (Provenance(1, BoundingBox(0, 0, 1, 1)),)
    cells = (
        TableCell(0, 0, 2, 1, "Parameter", True, place),
        TableCell(0, 1, 1, 2, "Limits", True, place),
        TableCell(1, 1, 1, 1, "MIN", True, place),
        TableCell(1, 2, 1, 1, "MAX", True, place),
        TableCell(2, 0, 2, 1, "Supply\nvoltage", False, place),
        TableCell(2, 1, 1, 1, "1.8", False, place),
        TableCell(2, 2, 1, 1, "5.5", False, place),
        TableCell(3, 1, 1, 1, "2\t0", False, place),
    )
    table = Table("Table 1", "Ratings", "", 4, 3, cells, (), place)
    assert table_as_tsv(table) == (
        "Parameter\tLimits / MIN\tLimits / MAX\nSupply voltage\t1.8\t5.5\nSupply voltage\t2 0\t\n"
    )
    assert table_as_markdown(table).startswith("**Table 1 Ratings**\n\n| Parameter |")
