"""What the command line prints as JSON."""

from desktop_qa.cli.output import reading_json, structure_json
from desktop_qa.core.document import Doubt, ReadingScore
from tests.parse.sheet import PROSE, Sheet, read


def test_structure_prints_the_scale_the_sign_and_the_period_of_an_amount():
    sheet = Sheet()
    y = sheet.lines(60, 80, PROSE)
    rows = (
        ("(In millions)", "", ""),
        ("December 31,", "2018", "2017"),
        ("Retained earnings", "55,941", "49,618"),
        ("Treasury stock", "(52,348)", "(43,454)"),
        ("Total equity", "3,593", "6,164"),
    )
    sheet.rows((56, 376, 476), y + 28, rows, height=16, n_bold=0)

    (table,) = structure_json(read(sheet).document, lambda figure: "")["tables"]

    loss = next(cell for cell in table["cells"] if cell["text"] == "(43,454)")
    assert (loss["scale"], loss["sign"], loss["period"]) == (1_000_000, -1, "December 31, 2017")
    assert loss["row_path"] == ["Treasury stock"]
    assert table["scale_note"] == "(In millions)"


def test_doubts_are_told_with_their_pages():
    doubts = (Doubt(0, "2 of 9 headings"), Doubt(4, "Table 1: 9 of 12 cells"))
    assert reading_json(ReadingScore(0.44, doubts)) == {
        "score": 0.44,
        "where": [
            {"page": None, "what": "2 of 9 headings"},
            {"page": 4, "what": "Table 1: 9 of 12 cells"},
        ],
    }
    assert reading_json(None) is None
