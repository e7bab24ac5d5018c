from desktop_qa.answer_export.clipboard import copied_answer
from tests.answer_export.samples import rich_question


def test_an_answer_is_copied_with_its_sources():
    view = rich_question(None).view
    assert view is not None
    markdown, html = copied_answer(view)
    assert markdown.startswith("**What is the offset of the OPA\\_4197 at ≤ 85 °C?**\n")
    assert "**±25 µV**[1]" in markdown
    assert "\n[2] OPA2.pdf, page 2, OPA4197 › 6 Specifications" in markdown
    assert "not in the library" not in markdown
    assert "[^" not in markdown
    assert "<strong>±25 µV</strong> [1]" in html
    assert "<p>[2] OPA2.pdf, page 2" in html
    assert "href" not in html
