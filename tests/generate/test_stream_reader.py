"""What a model writes becomes blocks, however the stream is cut, and nothing in it is alive."""

from __future__ import annotations

import time

import pytest

from desktop_qa.core.answer_blocks import AnswerBlock, Line, Listing, Run, Steps, as_text
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.generate.stream_reader import MAX_CHARACTERS, StreamReader
from tests.generate.reading import read_stream

WRITTEN = """# Supply

The supply is **5 V** [1][2]. It is <b>fixed</b> [9]. See [the site](http://x.example/?a=1) \
and ![a plot](http://x.example/p.png).

Steps:
1. Open the *Data* tab [1, 2].
   - A `code` thing
2. Click `Save` 【3†source】.

| Parameter | A | B |
|:---|---:|---|
| Supply | **5 V** [1] | 3 V [2] |
| Gain | 10 |

- 2*3*4 = 24 [3] **bold** tail
- V<sub>IN</sub> < 5 and a > 3

```python
x = [1]
```
The end [^2]."""


def read(text: str, markers: tuple[int, ...] = (1, 2, 3)) -> tuple[AnswerBlock, ...]:
    return list(read_stream([text], markers))[-1]


def runs_of(text: str) -> tuple[Run, ...]:
    (block,) = read(text)
    assert isinstance(block, Line)
    return block.runs


def test_all_forms_are_read():
    head, supply, steps, table, items, code, end = read(WRITTEN)
    assert head == Line((Run("Supply", is_strong=True),))
    assert isinstance(supply, Line)
    assert supply.runs[:2] == (
        Run("The supply is "),
        Run("5 V", is_strong=True, markers=(1, 2)),
    )
    assert supply.runs[2].text == ". It is fixed. See the site and a plot."
    assert isinstance(steps, Steps)
    assert steps.lead == Line((Run("Steps:"),))
    assert [item.number for item in steps.items] == [1, 2]
    assert steps.items[0].runs[0] == Run("Open the Data tab", markers=(1, 2))
    assert steps.items[0].below == (Line((Run("A code thing"),)),)
    assert steps.items[1].runs[0] == Run("Click Save", markers=(3,))
    assert isinstance(table, AnswerTable)
    assert table.headers == ("Parameter", "A", "B")
    assert [(c.text, c.marker, c.is_stated) for c in table.rows[0]] == [
        ("Supply", 0, False), ("5 V", 1, True), ("3 V", 2, False),
    ]  # fmt: skip
    assert [c.text for c in table.rows[1]] == ["Gain", "10", ""]
    assert isinstance(items, Listing)
    assert as_text([items], strong="") == "- 2*3*4 = 24 [3] bold tail\n- VIN < 5 and a > 3"
    assert code == Line((Run("x = [1]"),)), "code is text"
    assert end == Line((Run("The end", markers=(2,)), Run(".")))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 11, 50])
def test_the_blocks_do_not_depend_on_the_cuts_and_no_half_sign_shows(size):
    pieces = [WRITTEN[i : i + size] for i in range(0, len(WRITTEN), size)]
    *before, last = read_stream(pieces, (1, 2, 3))
    assert last == read(WRITTEN)
    for blocks in before:
        shown = as_text(blocks, strong="", with_markers=False)
        for half in ("**", "](", "![", "http", "<b", "`", "【", "[9"):
            assert half not in shown


def test_what_is_shown_only_grows_word_by_word():
    reader = StreamReader((1,))
    assert reader.hear("The value is **5") == (Line((Run("The value is"),)),)
    assert reader.hear(" V** [1") == (Line((Run("The value is "), Run("5 V", is_strong=True))),)
    shown = reader.hear("].")
    assert shown == (
        Line((Run("The value is "), Run("5 V", is_strong=True, markers=(1,)), Run("."))),
    )


@pytest.mark.parametrize(
    ("written", "markers"),
    [
        ("It is 5 V [1].", (1,)),
        ("It is 5 V[1, 2].", (1, 2)),
        ("It is 5 V [1] [2].", (1, 2)),
        ("It is 5 V [2][2][1].", (2, 1)),
        ("It is 5 V 【1】.", (1,)),
        ("It is 5 V [1](http://x.example).", (1,)),
        ("It is 5 V [7].", ()),
        ("It is 5 V [1, 7].", (1,)),
    ],
)
def test_markers_are_those_of_the_passages(written, markers):
    runs = runs_of(written)
    assert tuple(m for run in runs for m in run.markers) == markers
    assert "".join(run.text for run in runs) == "It is 5 V."


def test_a_marker_before_all_words_is_that_of_the_first():
    assert runs_of("[2] It is 5 V.") == (Run("It is 5 V.", markers=(2,)),)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('<script>alert("x")</script>', 'alert("x")'),
        ('<img src="http://x.example/?q=secret" onerror="go()">Done', "Done"),
        ("<a href='javascript:go()'>here</a>", "here"),
        ("<!-- hidden -->Text", "Text"),
        ("[here](javascript:go())", "here"),
        ("Set R<n> and IN<IO", "Set R<n> and IN<IO"),
        ("5\u200b V\u202e", "5 V"),
    ],
)
def test_html_links_and_images_leave_their_words(written, shown):
    assert "".join(run.text for run in runs_of(written)) == shown


def test_signs_that_are_never_closed_stand_as_they_are():
    assert runs_of("The gain [dB is 3 * 4 and 2*3") == (Run("The gain [dB is 3 * 4 and 2*3"),)


def test_a_row_without_a_rule_below_is_no_table():
    assert runs_of("| just | words |") == (Run("just | words"),)


def test_a_model_that_runs_on_is_cut():
    def endless() -> object:
        while True:
            yield "word " * 100

    *_, last = read_stream(endless(), ())  # type: ignore[arg-type]
    assert len(as_text(last)) <= MAX_CHARACTERS


@pytest.mark.parametrize("piece", ["**a ", "`a ", "[a ", "<a ", "a b c\n", "| a | b |\n"])
def test_a_stream_of_open_signs_is_read_in_time(piece):
    text = piece * (12_000 // len(piece))
    started = time.process_time()
    for _blocks in read_stream([text[i : i + 4] for i in range(0, len(text), 4)], ()):
        pass
    assert time.process_time() - started < 5, "a square of the length takes minutes"
