"""Text of lawyers and lists of offices, told by what they are made of."""

from __future__ import annotations

from desktop_qa.parse.boilerplate import is_boilerplate_page, is_legal_text

_LEGAL = (
    "The supplier makes no warranty of any kind and disclaims all liability for damages, "
    "consequential or otherwise, that arise from the use of the goods described herein. No "
    "license under any patent or other right of intellectual property is granted hereby."
)


def test_disclaimer_is_legal_text_and_a_description_is_not() -> None:
    assert is_legal_text(_LEGAL)
    assert not is_legal_text(
        "The regulator protects itself against damage by excessive current. The designer is "
        "responsible for a sufficient heat sink, since no output transistor withstands a "
        "temperature of the junction above 150 °C for long."
    )


def test_page_of_telephone_numbers_is_a_list_of_offices() -> None:
    lines = [
        line
        for city, number in enumerate(("Asia", "Japan", "Europe", "France", "Korea", "India"))
        for line in (str(number), f"12{city} Main Street", f"TEL (41) 26-426-555{city}")
    ]
    assert is_boilerplate_page(lines)
    assert not is_boilerplate_page(["DS2482", "Contact us: TEL (41) 26-426-5555", "3.3 5.0 5.5"])
