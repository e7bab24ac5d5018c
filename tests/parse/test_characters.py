import pytest

from desktop_qa.parse.characters import is_garbled, raised, repair


@pytest.mark.parametrize(
    ("code", "seen"),
    [(0xF057, "Ω"), (0xF06D, "µ"), (0xF0B0, "°"), (0xF0B1, "±"), (0xF0A3, "≤"), (0xF0B7, "•")],
)
def test_private_codes_of_symbol_become_what_the_reader_sees(code, seen):
    assert repair(chr(code), "SymbolMT") == seen


def test_private_codes_of_dingbats_are_no_greek_and_stay_for_who_looks_at_them():
    assert repair("\uf06c", "Wingdings-Regular") == "\uf06c"
    assert repair("\uf06c", "Symbol") == "λ"


def test_pieces_of_tall_brackets_and_signs_of_trade_are_those_of_adobe():
    assert repair("\uf8e8\uf8e9\uf8ea\uf8eb\uf8f8\uf8fe", "Symbol") == "®©™⎛⎠⎭"


def test_what_is_not_broken_stays_as_the_text_layer_has_it():
    for text in ("V(BAT)", "−40°C", "10µF", "ESP32\u00adC3", "Größe", "温度", "½"):
        assert repair(text, "ArialMT") == text


def test_what_makers_set_for_degrees_and_dashes_are_those():
    assert repair("25\u02daC to 85\u00baC", "Arial") == "25°C to 85°C"
    assert repair("\uf8e7", "Symbol") == repair("\u2015", "Arial") == "—"


def test_ligatures_become_letters():
    assert repair("e\ufb03cient \ufb01lter", "Times") == "efficient filter"


def test_control_characters_become_the_sign_for_an_unknown_letter():
    assert repair("a\x13b", "Arial") == "a\ufffdb"


def test_a_text_of_unmapped_glyphs_is_garbled_and_one_with_a_few_is_not():
    assert is_garbled(["\ufffd\ufffdabc"] * 10)
    assert not is_garbled([*(["regulator"] * 20), "\ufffd\ufffd"])
    assert not is_garbled([])


def test_letters_of_text_fonts_that_were_embedded_as_symbols_stay_letters():
    assert repair("\uf043\uf075\uf072\uf072\uf065\uf06e\uf074", "ABCDEF+Arial") == "Current"
    assert repair("\uf043\uf075\uf072", "SymbolMT") == "Χυρ"
    assert repair("\uf06d", "CIDFont+F2") == "µ"


def test_a_text_of_one_letter_is_garbled_and_dots_of_a_contents_page_are_not():
    assert is_garbled(["AAAAAAA", "AA", "A"] * 20)
    assert not is_garbled(["Introduction", "−" * 300, "5", "." * 300])
    assert not is_garbled([f"R{number}" for number in range(300)])
    assert not is_garbled(["R", "x", "W"] * 90)


def test_glyph_numbers_among_letters_are_told_by_the_controls_between_them():
    assert is_garbled(["7KH\ufffdUHJXODWRU\ufffdNHHSV\ufffdLWV"] * 5, share=0.3)
    assert not is_garbled([*["regulator"] * 20, "a\ufffdb"], share=0.3)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("16", "¹⁶"),
        ("-3", "⁻³"),
        ("1)", "¹⁾"),
        ("*4)", "*⁴⁾"),
        ("a", "ᵃ"),
        ("1,", "¹,"),
        ("DD", "DD"),
    ],
)
def test_powers_and_marks_of_notes_are_written_raised_and_words_are_not(text, written):
    assert raised(text) == written
