"""What a model wrote, read narrowly."""

import time

import pytest

from desktop_qa.formatting.markdown_reader import SaidHeading, SaidTable, read_markdown

TEXT = """Here is the structure:

```markdown
# 1 Scope #
##2 No heading
### **1.1** `Pins`
Some text.
**Table 1. Limits**

| A | B \\| C |
|:--|--:|
| 1 | 2<br>3 |
| 4 |
```
####### Seven
a | b
no | rule
"""


def test_headings_and_tables_are_read_and_nothing_else():
    assert read_markdown(TEXT) == (
        SaidHeading(1, "1 Scope"),
        SaidHeading(3, "1.1 Pins"),
        SaidTable((("A", "B | C"), ("1", "2 3"), ("4", "")), "Table 1. Limits"),
    )


@pytest.mark.parametrize("text", ["", "NONE", "|", "|-|", "#", "# ", "| a |\n|---|"])
def test_what_is_none_of_them_is_passed_over(text):
    assert read_markdown(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "#" + " " * 40000 + "a" + " " * 40000 + "x",
        "# a" + " #" * 40000 + "x",
        "|" * 40000 + "x",
        "- -|" * 20000 + "x",
        "\\" * 40000 + "|",
    ],
)
def test_lines_that_never_end_take_no_time(text):
    began = time.monotonic()
    read_markdown(text)
    assert time.monotonic() - began < 2.0
