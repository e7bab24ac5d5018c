from __future__ import annotations

from itertools import pairwise

from desktop_qa.core.document import BoundingBox, DocumentId, PageWords, Word
from desktop_qa.core.folding import fold
from desktop_qa.evaluate.chunks import (
    character_spans,
    chunk_document,
    page_spans,
    plain_text,
    word_spans,
)
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS, count_tokens

_DOCUMENT = DocumentId("d" * 16)


def _page(page_no: int, *lines: str) -> PageWords:
    """Set lines below each other, a word every 50 points."""
    words = []
    for row, line in enumerate(lines):
        for column, text in enumerate(line.split()):
            left, top = 50.0 * column, 20.0 * row
            words.append(Word(text, BoundingBox(left, top, left + 40, top + 10)))
    return PageWords(page_no, tuple(words))


def _sentences(n: int) -> str:
    return " ".join(f"Sentence number {i} has some seven words." for i in range(n))


def test_text_keeps_every_word_and_the_line_ends_of_the_page():
    text = plain_text([_page(1, "The conver-", "ter runs"), _page(2, "at 5 V.")])
    assert text.text == "The conver-\nter runs\nat 5 V."
    assert fold(text.text) == fold("The converter runs at 5 V.")
    assert [page_no for page_no, _ in text.words] == [1, 1, 1, 1, 2, 2, 2]
    assert text.slice((2, 5)) == "ter runs\nat"


def test_pages_are_cut_at_their_ends_and_an_empty_one_has_no_chunk():
    text = plain_text([_page(1, "one two"), _page(2), _page(3, "three")])
    assert page_spans(text) == [(0, 2), (2, 3)]


def test_chunks_of_words_run_on_over_the_end_of_a_page():
    text = plain_text([_page(1, "a b c"), _page(2, "d e")])
    assert word_spans(text, 2) == [(0, 2), (2, 4), (4, 5)]


def test_chunk_of_characters_ends_at_a_sentence_and_repeats_at_most_the_overlap():
    text = plain_text([_page(1, _sentences(60))])
    spans = character_spans(text, 300, 50)
    chunks = [text.slice(span) for span in spans]
    assert all(len(chunk) <= 300 for chunk in chunks)
    assert all(chunk.endswith("words.") for chunk in chunks)
    for (_, end), (start, _) in pairwise(spans):
        assert 0 <= len(text.slice((start, end))) <= 50
    covered = {word for span in spans for word in range(*span)}
    assert covered == set(range(len(text)))


def test_without_a_sentence_end_a_chunk_ends_between_words():
    text = plain_text([_page(1, " ".join(["value"] * 100), "x" * 500)])
    spans = character_spans(text, 100, 20)
    chunks = [text.slice(span) for span in spans]
    assert chunks[0] == " ".join(["value"] * 16)
    assert chunks[-1] == "x" * 500
    assert spans[-1][1] == len(text)


def test_chunk_is_a_segment_with_pages_places_and_tokens():
    pages = [_page(1, "Supply current"), _page(2, "5 mA")]
    (segment,) = chunk_document(_DOCUMENT, pages, word_spans)
    assert segment.text == "Supply current\n5 mA"
    assert segment.metadata.page_nos == (1, 2)
    assert [place.bbox for place in segment.provenances] == [
        BoundingBox(0, 0, 90, 10),
        BoundingBox(0, 0, 90, 10),
    ]
    assert segment.n_tokens == count_tokens(segment.text)
    assert segment.metadata.context_line() == ""


def test_long_page_keeps_its_text_and_is_embedded_as_far_as_the_model_reads():
    (segment,) = chunk_document(_DOCUMENT, [_page(1, _sentences(100))], page_spans)
    assert segment.n_tokens > 400
    assert count_tokens(segment.embedded_text) <= MAX_EMBEDDED_TOKENS
    assert segment.text.startswith(segment.embedded_text)


def test_document_without_words_has_no_chunks():
    for cut in (page_spans, word_spans, character_spans):
        assert chunk_document(_DOCUMENT, [PageWords(1, ())], cut) == ()
