from desktop_qa.parse.table_description import describe_table
from tests.augment.builders import table

ROWS = [
    ["PARAMETER", "CONDITIONS", "MAX", "UNIT"],
    ["Supply current", "VS = 5 V", "2.4", "mA"],
    ["Offset voltage", "VS = 5 V", "3", "mV"],
]


def test_title_chapter_headers_rows_and_units_are_named():
    described = describe_table(
        table(ROWS, label="Table 1", caption="Limits"), "6.5 Electrical Characteristics"
    )
    assert described == (
        'Limits; in chapter "6.5 Electrical Characteristics"; by PARAMETER, CONDITIONS, MAX, UNIT;'
        " with rows such as Supply current, Offset voltage; in mA, mV."
    )


def test_units_in_headers_count_and_names_of_packages_do_not():
    rows = [["Supply (V)", "Current [mA]", "Size (TSSOP)"], ["Low", "1", "2"]]
    assert describe_table(table(rows, caption="Power"), "").endswith("in V, mA.")


def test_an_untitled_table_is_named_by_its_chapter():
    assert describe_table(table(ROWS, label="", caption=""), "9 Layout").startswith("Layout; by")
