from desktop_qa.evaluate.structure.headings import (
    HeadingEntry,
    compare_headings,
    outlined_headings,
)
from desktop_qa.parse.page import OutlineEntry


def test_figures_tables_and_contents_of_an_outline_are_no_chapters():
    outline = [
        OutlineEntry(2, "Table of Contents", 1, None),
        OutlineEntry(2, "1 Features", 1, None),
        OutlineEntry(3, "Figure 3. Timing", 2, None),
        OutlineEntry(3, "Table 7-2. Limits", 2, None),
        OutlineEntry(3, "1.1 Figures of Merit", 3, None),
    ]
    found = outlined_headings(outline)
    assert [(e.title, e.level) for e in found] == [("1 Features", 1), ("1.1 Figures of Merit", 2)]


def test_headings_are_paired_once_by_title_and_page():
    wanted = [
        HeadingEntry("6.1 Overview", 2, 4),
        HeadingEntry("7.1 Overview", 2, 4),
        HeadingEntry("8 Layout", 1, 9),
    ]
    found = [
        HeadingEntry("6.1 Overview", 2, 4),
        HeadingEntry("7.1 Overview", 3, 5),
        HeadingEntry("8 Layout", 1, 11),
        HeadingEntry("Note", 1, 9),
    ]
    counts, missed, extra = compare_headings(wanted, found)
    assert (counts.recall.n_good, counts.precision.n_good) == (2, 2)
    assert (counts.level.n_good, counts.level.n) == (1, 2)
    assert [entry.title for entry in missed] == ["8 Layout"]
    assert [entry.title for entry in extra] == ["8 Layout", "Note"]


def test_other_numbers_are_other_headings():
    counts, _missed, _extra = compare_headings(
        [HeadingEntry("7.6.1 Configuration Register (offset = 01h)", 3, 4)],
        [HeadingEntry("7.6.2 Configuration Register (offset = 02h)", 3, 4)],
    )
    assert counts.recall.n_good == 0
