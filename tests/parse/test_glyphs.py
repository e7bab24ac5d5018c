"""Characters that fonts do not name, or name wrongly, as a reader sees them."""

import pytest

from desktop_qa.core.page_text import TextQuery
from desktop_qa.parse.page_text import TextFile
from tests.parse.sheet import PROSE
from tests.parse.signs import Signs


@pytest.fixture
def signs() -> Signs:
    return Signs()


def test_a_font_without_a_map_of_its_characters_is_read(signs):
    for row, text in enumerate(PROSE):
        signs.put(60, 120 + 12 * row, text, size=10)
    signs.name(None)

    assert signs.words() == " ".join(PROSE)


def test_its_text_is_copied_from_the_page_as_it_is_seen(signs, tmp_path):
    signs.put(60, 120, PROSE[0])
    signs.name(None)
    signs.save(tmp_path / "signs.pdf")

    assert TextFile(tmp_path / "signs.pdf").page(1).text.strip() == PROSE[0]


@pytest.mark.parametrize("turns", [0, 90, 180, 270])
def test_signs_that_a_font_names_as_letters_are_read(signs, turns):
    signs.text(60, 100, "From 10 to 20")
    end = signs.put(120, 100, "\u00b5")
    signs.text(end, 100, "A at 25 ")
    signs.put(160, 100, "\u00b0\u2264\u03a9\u00b1")
    signs.name({"\u00b5": "m", "\u00b0": "C", "\u2264": "p", "\u03a9": "X", "\u00b1": "g"})
    signs.page.set_rotation(turns)

    text = signs.words()

    assert "\u00b5A" in text
    assert "\u00b0\u2264\u03a9\u00b1" in text


def test_a_font_that_names_its_characters_rightly_is_believed(signs):
    signs.put(60, 100, "Il1|O0o\u03a9S5s8B")

    assert signs.words() == "Il1|O0o\u03a9S5s8B"


def test_text_under_a_picture_tells_nothing_of_its_font(signs):
    signs.put(60, 120, PROSE[0])
    blocks = signs.page.get_text("rawdict")["blocks"]
    chars = [c for b in blocks for line in b["lines"] for s in line["spans"] for c in s["chars"]]
    signs.page.draw_rect(signs.page.rect, color=None, fill=(1, 1, 1))
    for char in chars:
        if char["c"] == "t":
            x, y = char["origin"]
            signs.page.draw_circle((x + 1.5, y - 0.6), 0.6, fill=(0, 0, 0))

    assert signs.words() == PROSE[0]


def test_pale_text_on_black_rules_is_believed(signs):
    for row, text in enumerate(PROSE):
        end = signs.put(60, 120 + 12 * row, text, grey=0.55)
        signs.page.draw_line((60, 121 + 12 * row), (end, 121 + 12 * row), width=0.6)

    assert signs.words() == " ".join(PROSE)


def test_signs_in_white_on_a_dark_head_are_read(signs):
    signs.page.draw_rect((50, 85, 300, 110), color=None, fill=(0.2, 0.2, 0.3))
    signs.put(60, 100, "\u03a9\u00b5\u00b1\u2264", grey=1)
    signs.name({"\u03a9": "X", "\u00b5": "m", "\u00b1": "g", "\u2264": "p"})

    assert signs.words() == "\u03a9\u00b5\u00b1\u2264"


@pytest.mark.parametrize(
    ("shown", "called"), [("pro\ufb01t, cash \ufb02ow", "\u00de\u00fe"), ("Það er því", "")]
)
def test_ligatures_are_read_whatever_letter_their_font_calls_them(signs, shown, called):
    for row, text in enumerate((*PROSE, shown)):
        signs.put(60, 120 + 12 * row, text)
    same = {char: char for char in "".join((*PROSE, shown))}
    signs.name(same | dict(zip("\ufb01\ufb02", called, strict=False)))

    assert signs.words().endswith(shown.replace("\ufb01", "fi").replace("\ufb02", "fl"))


def test_zeros_and_letters_are_told_apart_by_what_stands_beside_them(signs):
    signs.put(60, 100, "OUTPUTS 1000 pull collector")
    signs.name(None)

    assert signs.words() == "OUTPUTS 1000 pull collector"


def test_codes_that_count_as_spaces_are_signs_where_something_is_seen(signs):
    signs.text(60, 100, "Height")
    signs.put(120, 100, "1.35")
    signs.name({"1": "\x1d", ".": "\x02", "3": "\x1e", "5": "\x85"})

    assert "1.35" in signs.words()


def test_a_sign_unlike_any_other_keeps_its_code(signs):
    signs.text(60, 100, "Symbol:")
    signs.put(110, 100, "\u2603")
    signs.name({"\u2603": "\ue001"})

    assert "Symbol:" in signs.words()


def test_signs_between_close_lines_are_seen_alone(signs):
    for row in range(5):
        signs.text(60, 100 + 8 * row, "gjpqy|gjpqy|", size=8)
        signs.put(120, 100 + 8 * row, "\u03a9\u00b5", size=8)
    signs.name({"\u03a9": "W", "\u00b5": "m"})

    assert signs.words().count("\u03a9\u00b5") == 5


def test_a_search_finds_a_sign_that_its_font_names_as_a_letter(signs, tmp_path):
    signs.text(60, 100, "Resistance 10 k")
    signs.put(140, 100, "\u03a9\u00b5\u00b1")
    signs.name({"\u03a9": "X", "\u00b5": "m", "\u00b1": "g"})
    signs.save(tmp_path / "signs.pdf")

    found = TextFile(tmp_path / "signs.pdf").find(TextQuery("\u03a9"), 1)

    assert len(found.hits) == 1
