"""Text of lawyers and lists of offices, told by what they are made of."""

from desktop_qa.parse.boilerplate import is_at_ends, is_boilerplate_page, is_legal_text

_LEGAL = (
    "The supplier makes no warranty of any kind and disclaims all liability for damages, "
    "consequential or otherwise, that arise from the use of the goods described herein. No "
    "license under any patent or other right of intellectual property is granted hereby."
)


def test_disclaimer_is_legal_text_and_a_description_is_not():
    assert is_legal_text(_LEGAL)
    assert not is_legal_text(
        "The regulator protects itself against damage by excessive current. The designer is "
        "responsible for a sufficient heat sink, since no output transistor withstands a "
        "temperature of the junction above 150 °C for long."
    )


def test_page_of_telephone_numbers_is_a_list_of_offices():
    lines = [
        line
        for city, number in enumerate(("Asia", "Japan", "Europe", "France", "Korea", "India"))
        for line in (str(number), f"12{city} Main Street", f"TEL (41) 26-426-555{city}")
    ]
    assert is_boilerplate_page(lines, at_ends=True)
    assert not is_boilerplate_page(
        ["DS2482", "Contact us: TEL (41) 26-426-5555", "3.3 5.0 5.5"], at_ends=True
    )


def test_lawyers_speak_at_the_ends_of_a_sheet_and_in_the_chapters_of_a_report():
    assert is_boilerplate_page([_LEGAL], at_ends=True)
    assert not is_boilerplate_page([_LEGAL], at_ends=False)
    assert [page for page in range(1, 11) if is_at_ends(page, 10)] == [1, 2, 8, 9, 10]
    assert not any(is_at_ends(page, 100) for page in range(3, 81))
