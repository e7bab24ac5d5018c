from dataclasses import replace

from desktop_qa.augment.segmenter import segment_document
from desktop_qa.core.document import BlockKind
from desktop_qa.evaluate.structure.words import (
    compare_words,
    count_running_left,
    find_running_lines,
)
from desktop_qa.tokens import count_tokens
from tests.augment.builders import block, document, heading
from tests.evaluate.structure.pages import line, page


def test_words_joined_at_line_ends_and_subscripts_are_the_same_words():
    pages = [page(1, [line("The tempera-", 300), line("ture of V OS is low", 312)])]
    read = document([block("The temperature of VOS is low")])
    counts, lost, extra = compare_words(pages, set(), read)
    assert counts.kept_once.share == 1.0
    assert counts.foreign.n_good == 0
    assert not lost
    assert not extra


def test_lost_doubled_and_foreign_words_are_counted():
    pages = [page(1, [line("supply current at room temperature", 300)])]
    read = document([block("supply current current at bogus")])
    counts, lost, extra = compare_words(pages, set(), read)
    assert lost == {"room": 1, "temperature": 1}
    assert extra == {"current": 1, "bogus": 1}
    assert (counts.kept_once.n_good, counts.kept_once.n) == (2, 5)
    assert (counts.foreign.n_good, counts.foreign.n) == (1, 5)


def test_running_lines_repeat_at_one_height_with_other_numbers():
    pages = [
        page(
            n,
            [line(f"Acme ACM4198 Rev. B Page {n}", 20)],
            [line(f"Table {n}. Limits", 60)],
            [line("The same sentence stands on each page", 400)],
            [line("Preliminary", 500, is_slanted=True)],
        )
        for n in range(1, 8)
    ]
    running = find_running_lines(pages)
    assert running == {(n, index) for n in range(1, 8) for index in (0, 3)}


def test_running_lines_left_in_a_segment_are_found():
    header = "Acme ACM4198 Confidential Rev. B"
    pages = [page(n, [line(header, 20)], [line("Body text", 400)]) for n in (1, 2, 3)]
    running = find_running_lines(pages)
    clean = segment_document(document([heading("1 Features"), block("Body text")]), count_tokens)
    assert count_running_left(pages, running, clean)[0].n_good == 0
    dirty = segment_document(
        document([heading("1 Features"), block(f"Body {header} text")]), count_tokens
    )
    count, lines = count_running_left(pages, running, dirty)
    assert (count.n_good, count.n) == (1, 3)
    assert lines == [f"1: {header}"]


def test_furniture_is_no_kept_word():
    pages = [page(1, [line("Body", 400)])]
    header = replace(block("Running header"), kind=BlockKind.PAGE_HEADER)
    counts, _lost, extra = compare_words(pages, set(), document([header, block("Body")]))
    assert not extra
    assert counts.kept_once.share == 1.0
