from dataclasses import replace

from desktop_qa.augment.segmenter import segment_document
from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.evaluate.structure.places import WordGrid, compare_places
from desktop_qa.tokens import count_tokens
from tests.augment.builders import block, document, heading
from tests.evaluate.structure.pages import line, page

PAGE = page(1, [line("Supply current", 100), line("Offset voltage", 120)])


def segment_at(*boxes: BoundingBox):
    (segment,) = segment_document(
        document([heading("1 Limits"), block("Supply current")]), count_tokens
    )
    return replace(segment, provenances=tuple(Provenance(1, box) for box in boxes))


def test_words_under_the_rectangles_must_be_the_segments_own():
    tight = segment_at(BoundingBox(60, 100, 130, 110))
    counts, _wrong = compare_places([tight], document([]), WordGrid([PAGE]))
    assert counts.words.share == 1.0
    assert counts.tight.share == 1.0
    wide = segment_at(BoundingBox(60, 100, 130, 135))
    counts, _wrong = compare_places([wide], document([]), WordGrid([PAGE]))
    assert (counts.words.n_good, counts.words.n) == (2, 4)


def test_white_around_the_words_is_counted():
    loose = segment_at(BoundingBox(60, 90, 130, 112))
    counts, _wrong = compare_places([loose], document([]), WordGrid([PAGE]))
    assert counts.tight.share == 0.0
    assert counts.area.n_good > 2 * counts.area.n
