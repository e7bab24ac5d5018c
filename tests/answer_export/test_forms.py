"""Each form is read back by a program of others."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import docx
import pymupdf
import pytest

from desktop_qa.answer_export.content import (
    ExportedAnswers,
    ExportedCell,
    ExportedTable,
    Sentence,
    SentenceKind,
)
from desktop_qa.answer_export.docx_form import as_docx
from desktop_qa.answer_export.gathering import gather
from desktop_qa.answer_export.html_form import as_html
from desktop_qa.answer_export.markdown_form import as_markdown
from desktop_qa.answer_export.pdf_form import as_pdf
from desktop_qa.core.answer_blocks import AnswerBlock, Figure, Run, markers_in, words_of
from desktop_qa.core.answer_table import AnswerCell
from desktop_qa.core.view import PastQuestion
from tests.answer.own_datasheet import BRACKETED, bracketed_answer
from tests.answer_export.samples import OFFSET, STEPS, conversation, png, rich_question
from tests.helpers.said import said

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@pytest.fixture
def image(tmp_path) -> Path:
    return png(tmp_path / "figure.png")


# What is exported


def blocks_of(answers: ExportedAnswers) -> list[AnswerBlock]:
    return [part for part in answers.turns[0].parts if isinstance(part, AnswerBlock)]


def test_footnotes_are_numbered_through_a_conversation_as_they_are_met(image):
    answers = gather(conversation(image), "lib")
    assert [note.number for note in answers.footnotes] == [1, 2, 3, 4, 5]
    assert [note.file for note in answers.footnotes] == [
        *("OPA1.pdf", "OPA2.pdf", "OPA3.pdf"),
        *("OPA2.pdf", "OPA1.pdf"),
    ]
    assert [note.is_lost for note in answers.footnotes] == [False, False, False, False, True]
    remark = "1 of the 2 documents it cites has changed since."
    assert answers.turns[1].parts[-1] == Sentence(remark, SentenceKind.REMARK)


def test_a_bracketed_number_that_cites_nothing_stays_as_it_is(image):
    answers = gather((rich_question(image),), "lib")
    assert words_of(blocks_of(answers)[:1]).endswith("more [7].")


def test_brackets_of_a_document_are_no_footnotes_in_any_form(image):
    question = rich_question(image)
    assert question.view is not None
    view = replace(question.view, answer=bracketed_answer())
    answers = gather((replace(question, view=view),), "lib")
    assert markers_in(blocks_of(answers)) == (1,)
    assert BRACKETED in as_markdown(answers, "x_files")[0].replace("\\", "")
    assert BRACKETED in as_html(answers)
    word = docx.Document(io.BytesIO(as_docx(answers)))
    assert BRACKETED in "\n".join(paragraph.text for paragraph in word.paragraphs)
    pdf = pymupdf.open(stream=as_pdf(answers), filetype="pdf")
    assert BRACKETED in " ".join(" ".join(page.get_text() for page in pdf).split())


def test_a_table_too_wide_for_a_page_is_cut_into_strips_that_keep_their_first_column():
    rows = tuple(
        tuple(ExportedCell(Run(f"{row}.{column}")) for column in range(12)) for row in range(2)
    )
    headers = tuple(f"h{column}" for column in range(12))
    table = ExportedTable((Run("Wide"),), headers, rows)
    first, second = table.strips(7)
    assert first.headers == ("h0", *headers[1:7])
    assert second.headers == ("h0", *headers[7:])
    assert [one.words.text for one in second.rows[1]] == [
        "1.0",
        *(f"1.{n}" for n in range(7, 12)),
    ]
    assert table.strips(12) == (table,)


def test_a_file_is_named_by_what_it_holds():
    questions = conversation(None)
    assert gather(questions[:1], "lib").title == OFFSET
    assert gather(questions, "lib").title == f"Conversation: {OFFSET}"
    assert gather(questions[2:], "lib").title == "2 questions"


# Markdown


def test_markdown_has_a_footnote_for_each_source(image):
    text, images = as_markdown(gather((rich_question(image),), "lib"), "x_files")
    assert text.startswith("# What is the offset of the OPA\\_4197 at ≤ 85 °C?\n")
    assert "*Read as: What is the offset of the OPA4197?*" in text
    assert "The offset is **±25 µV**[^1], within 5 \\* 3 \\< 20 & more \\[7\\]." in text
    assert "1. Set V\\_CM to 1 kΩ → ground.[^2]\n2. 测量电压.[^2][^1]\n\n- Last\\_one.[^1]" in text
    assert "**Offset**[^1]\n\n| Parameter | TYP | MAX |\n| --- | --- | --- |\n" in text
    assert "| V\\_OS \\| in | **±25** | ±100 |" in text
    assert "| Drift |  | ±2.5 (at 25 °C) |" in text
    assert "| Supply | 36 V[^1] | 5.5 V[^2] |" in text
    assert "> The packages could not be compared." in text
    assert (
        "[^2]: OPA2.pdf, page 2, OPA4197 › 6 Specifications › 6.7 Electrical "
        "\\<Characteristics\\>: “quote \\*2\\* \\| of a\\_page”" in text
    )
    assert re.findall(r"^\[\^(\d+)\]:", text, re.MULTILINE) == ["1", "2", "3"]
    assert list(images) == ["figure-1.png"]
    assert "(x_files/figure-1.png)" in text


def test_answers_that_were_not_found_or_failed_say_so(image):
    text, _ = as_markdown(gather(conversation(image), "lib"), "x_files")
    assert "\nNot found in this library.\n" in text
    assert "- OPA7.pdf, page 7, OPA4197 › 6 Specifications" in text
    assert "**No answer**\n\nNo folder. Add one." in text
    assert f"## {STEPS}" in text
    assert "(changed or gone since)" in text


def test_an_image_that_is_gone_leaves_its_caption(tmp_path):
    damaged = tmp_path / "damaged.png"
    damaged.write_bytes(b"\x89PNG\r\n\x1a\n")
    for path in (None, tmp_path / "none.png", damaged):
        answers = gather((rich_question(path),), "lib")
        assert answers.missing_images == ("Figure 6-1. Offset → temperature",)
        text, images = as_markdown(answers, "x_files")
        assert not images
        assert "(the image is not in the library any more)" in text
        for written in (as_html(answers).encode(), as_docx(answers), as_pdf(answers)):
            assert written


# HTML


class Page(HTMLParser):
    """Collects what stands in a page and checks that every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.images: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if tag == "a" else []
        self.images += [given["src"] or ""] if tag == "img" else []
        assert tag not in ("script", "link", "iframe")
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text += data


def test_html_stands_for_itself_and_its_links_lead_somewhere(image):
    page = Page()
    page.feed(as_html(gather(conversation(image), "lib")))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert page.links
    assert all(link.removeprefix("#") in page.ids for link in page.links)
    assert [source[:22] for source in page.images] == ["data:image/png;base64,"]
    for words in (
        OFFSET,
        STEPS,
        "±25 µV",
        "5 * 3 < 20 & more [7]",
        "测量电压",
        "No folder. Add one.",
    ):
        assert words in page.text
    assert "6.7 Electrical <Characteristics>" in page.text


# PDF


def test_pdf_shows_text_tables_sources_and_the_image(image):
    with pymupdf.open(stream=as_pdf(gather(conversation(image), "lib"))) as pdf:
        text = " ".join(" ".join(page.get_text() for page in pdf).split())
        assert sum(len(page.get_images()) for page in pdf) == 1
        links = [link for page in pdf for link in page.get_links()]
        assert pdf.metadata["title"] == f"Conversation: {OFFSET}"
    for words in (
        *("±25 µV", "1 kΩ → ground", "测量电压", "at ≤ 85 °C", "V_OS | in", "±100"),
        *("(at 25 °C)", "Offset → temperature", "OPA2.pdf, page 2", "“quote *2* | of a_page”"),
        *("Not found in this library", "No folder. Add one.", "Read as: What is the offset"),
    ):
        assert words in text, words
    assert len(links) >= 10
    assert all(link["kind"] == pymupdf.LINK_GOTO for link in links)


def test_pdf_breaks_long_tables_and_words_over_pages():
    question = rich_question(None)
    rows = question.view.answer.tables[0]
    long = tuple(
        (AnswerCell(f"row {n}"), AnswerCell("x" * 300), AnswerCell("word " * 900)) for n in range(6)
    )
    answer = replace(question.view.answer, blocks=(replace(rows, rows=rows.rows * 60 + long),))
    view = replace(question.view, answer=answer)
    with pymupdf.open(stream=as_pdf(gather((replace(question, view=view),), "lib"))) as pdf:
        assert len(pdf) > 5
        assert "row 5" in "".join(page.get_text() for page in pdf)


# DOCX


def test_docx_has_footnotes_in_the_order_of_the_text(image):
    content = as_docx(gather(conversation(image), "lib"))
    document = docx.Document(io.BytesIO(content))
    text = "\n".join(paragraph.text for paragraph in document.paragraphs)
    for words in (OFFSET, STEPS, "±25 µV", "1 kΩ → ground", "测量电压", "No folder. Add one."):
        assert words in text
    assert "OPA7.pdf, page 7" in text
    assert document.tables[0].rows[1].cells[1].text == "±25"
    assert document.tables[0].rows[2].cells[2].text == "±2.5 (at 25 °C)"
    assert len(document.inline_shapes) == 1
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        body = ElementTree.fromstring(archive.read("word/document.xml"))
        notes = ElementTree.fromstring(archive.read("word/footnotes.xml"))
        assert b"/word/footnotes.xml" in archive.read("[Content_Types].xml")
    references = [e.get(f"{W}id") for e in body.iter(f"{W}footnoteReference")]
    assert references == ["1", "2", "3", "4", "5"]
    texts = {
        note.get(f"{W}id"): "".join(t.text or "" for t in note.iter(f"{W}t")).strip()
        for note in notes
    }
    assert set(references) < set(texts)
    assert texts["2"].startswith("OPA2.pdf, page 2, OPA4197 › 6 Specifications")
    bookmarks = {e.get(f"{W}name") for e in body.iter(f"{W}bookmarkStart")}
    fields = [e.text or "" for e in body.iter(f"{W}instrText")]
    assert fields
    assert all(field.split()[1] in bookmarks for field in fields)


def test_docx_without_sources_has_no_footnotes():
    content = as_docx(gather(conversation(None)[2:3], "lib"))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert "word/footnotes.xml" not in archive.namelist()


# Texts that try to load something


def hostile_question(image: Path) -> PastQuestion:
    """An answer whose texts hold tags; the file they name is there."""
    words = (
        f'<img src="{image.as_uri()}"/><img src="http://evil.example/x.png"/>'
        '<a href="javascript:alert(1)">here</a><link rel="stylesheet" href="file:///etc/hosts"/>'
    )
    past = rich_question(None)
    view = past.view
    evidence = tuple(
        replace(item, file=words, section_path=(words,), caption=words, text=words)
        for item in view.evidence
    )
    tables = tuple(
        replace(table, title=words, headers=(words, *table.headers[1:]), notes=(words,))
        for table in view.answer.tables
    )
    blocks = (*said(f"{words} [1]\n\n- {words} [2]"), *tables, *map(Figure, view.answer.figures))
    answer = replace(view.answer, question=words, blocks=blocks, notes=(words,))
    return replace(past, question=words, view=replace(view, answer=answer, evidence=evidence))


def test_html_with_hostile_texts_loads_nothing(image):
    page = Page()
    page.feed(as_html(gather([hostile_question(image)], "lib")))
    assert page.open == []
    assert page.images == []
    assert all(link.startswith("#") for link in page.links)
    assert "javascript:alert(1)" in page.text


def test_pdf_with_hostile_texts_loads_nothing(image):
    with pymupdf.open(stream=as_pdf(gather([hostile_question(image)], "lib"))) as pdf:
        assert sum(len(page.get_images()) for page in pdf) == 0
        links = [link for page in pdf for link in page.get_links()]
        assert not any("javascript" in str(link) or "uri" in link for link in links)
