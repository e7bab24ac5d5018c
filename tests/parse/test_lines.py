from pathlib import Path

from desktop_qa.parse.lines import (
    Vocabulary,
    group_fragments,
    group_lines,
    join_scripts,
    joined_text,
)
from desktop_qa.parse.pdf import PdfFile
from tests.parse.sheet import Sheet


def _lines(sheet: Sheet, folder: Path) -> list[str]:
    with PdfFile(sheet.save(folder / "lines.pdf")) as pdf:
        words = join_scripts(pdf.page(1).words)
    return [line.text for line in group_lines(group_fragments(words))]


def test_a_subscript_stays_in_its_line_and_in_its_word(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.text(60, 100, "V")
    sheet.text(66.7, 102.5, "OS", size=6.5)
    sheet.text(80, 100, "is low")
    sheet.text(60, 112, "and stable")

    assert _lines(sheet, tmp_path) == ["VOS is low", "and stable"]


def test_a_superscript_between_two_letters_joins_them(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.text(60, 100, "I")
    sheet.text(62.8, 96.5, "2", size=6.5)
    sheet.text(66.5, 100, "C bus")

    assert _lines(sheet, tmp_path) == ["I²C bus"]


def test_numbers_of_two_cells_are_not_joined(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.text(60, 100, "12")
    sheet.text(90, 100, "34")

    assert _lines(sheet, tmp_path) == ["12 34"]


def test_a_hyphen_at_the_end_of_a_line_goes_when_the_whole_word_stands_elsewhere() -> None:
    vocabulary = Vocabulary(["The", "temperature", "rises"])

    text = joined_text(["The tempera-", "ture rises"], vocabulary)

    assert text == "The temperature rises"


def test_a_hyphen_stays_when_the_document_writes_the_word_with_it() -> None:
    vocabulary = Vocabulary(["low-power", "mode"])

    assert joined_text(["a low-", "power mode"], vocabulary) == "a low-power mode"


def test_a_part_number_at_the_end_of_a_line_keeps_its_hyphen() -> None:
    assert (
        joined_text(["see OPA4197-", "Q1 for more"], Vocabulary([])) == "see OPA4197- Q1 for more"
    )
