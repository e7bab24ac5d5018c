from __future__ import annotations

from desktop_qa.answer_export.clipboard import copied_answer
from tests.answer_export.samples import rich_question


def test_an_answer_is_copied_with_its_sources() -> None:
    copied = copied_answer(rich_question(None))
    assert copied.text.startswith("**What is the offset of the OPA\\_4197 at ≤ 85 °C?**\n")
    assert "**±25 µV**[1]" in copied.text
    assert "\n[2] OPA2.pdf, page 2, OPA4197 › 6 Specifications" in copied.text
    assert "not in the library" not in copied.text
    assert "[^" not in copied.text
    assert "<strong>±25 µV</strong> [1]" in copied.html
    assert "<p>[2] OPA2.pdf, page 2" in copied.html
    assert "href" not in copied.html
