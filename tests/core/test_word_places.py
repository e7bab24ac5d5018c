from desktop_qa.core.document import BoundingBox, PageWords, Provenance, Word
from desktop_qa.core.word_places import QuoteLocator, quote_of, rectangles, words_within


def line(text: str, top: float, left: float = 50.0) -> list[Word]:
    words = []
    for token in text.split():
        width = 6.0 * len(token)
        words.append(Word(token, BoundingBox(left, top, left + width, top + 10)))
        left += width + 3
    return words


def placed(*lines: list[Word]):
    return [(1, word) for words in lines for word in words]


def test_a_quote_is_found_over_two_lines_and_has_a_rectangle_for_each():
    words = placed(line("The supply current is", 100), line("five milliamperes at most.", 114))
    run = QuoteLocator(words).find("current is five milliamperes")
    assert quote_of(run) == "current is five milliamperes"
    boxes = [place.bbox for place in rectangles(run)]
    assert [(box.top, box.bottom) for box in boxes] == [(100, 110), (114, 124)]
    assert boxes[0].left == words[2][1].bbox.left


def test_a_quote_whose_hyphenation_was_undone_is_found():
    words = placed(line("measure the tempera-", 100), line("ture of the die", 114))
    run = QuoteLocator(words).find("the temperature of")
    assert quote_of(run) == "the tempera- ture of"


def test_a_quote_must_start_and_end_at_word_bounds():
    locator = QuoteLocator(placed(line("overcurrent current limit", 100)))
    assert quote_of(locator.find("current limit")) == "current limit"
    assert locator.find("rent limit") == []
    assert locator.find("current lim") == []


def test_a_quote_that_is_not_there_has_no_place():
    assert QuoteLocator(placed(line("supply current", 100))).find("offset voltage") == []
    assert rectangles([]) == ()


def test_words_far_apart_on_a_line_get_rectangles_of_their_own():
    words = placed(line("left", 100), line("right", 100, left=400))
    assert len(rectangles(words)) == 2


def test_only_words_inside_the_places_count():
    page = PageWords(3, (*line("inside here", 100), *line("outside", 300)))
    place = Provenance(3, BoundingBox(40, 90, 300, 120))
    assert [word.text for _no, word in words_within([page], [place])] == ["inside", "here"]
