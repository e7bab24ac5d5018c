"""What fails inside a step of reading costs that step; its words stay, and it is told."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from desktop_qa.augment import keywords, segmenter
from desktop_qa.core.document import BlockKind, DocumentId
from desktop_qa.core.errors import UnreadableDocumentError
from desktop_qa.core.progress import DocumentState
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.stages import Stage, attempt
from desktop_qa.gui.library.details_dialog import problem_line
from desktop_qa.library.reader import ReadDocument, ReadJob
from desktop_qa.library.reader import read as read_job
from desktop_qa.parse import assemble, headings, tables
from desktop_qa.parse import document as parsing
from tests.helpers.libraries import open_library
from tests.helpers.pdf import PdfWriter

ROWS = [
    ["Parameter", "Typ", "Max", "Unit"],
    ["Supply current", "3", "5", "mA"],
    ["Offset voltage", "10", "25", "mV"],
    ["Settling time", "4", "7", "us"],
]


def write(path: Path, *, outline: bool = True) -> Path:
    writer = PdfWriter(running_header="ACME1234 Rev. B", outline=outline)
    writer.title("ACME1234 Precision Example Amplifier")
    for chapter, name in enumerate(("Currents", "Voltages", "Times"), start=1):
        writer.heading(f"{chapter} Chapter Of {name}")
        writer.paragraph(
            f"{name} matter where the supply current of channel {chapter} is 5 mA at most, and the "
            f"low-dropout regulator (LDR) of {name} keeps the output where it is. " * 2
        )
        writer.list_items([f"Connect pin {chapter}.", "Apply 3.3 V.", "Wait for 7 us."])
        writer.ruled_table(ROWS, caption=f"Table {chapter}. Limits of channel {chapter}")
        writer.paragraph(
            f"How {name} change while the load of the example amplifier changes is drawn below."
        )
        writer.plot(caption=f"Figure {chapter}. Current of channel {chapter} over time")
        writer.new_page()
    writer.paragraph("The end of the document stands here, as its last paragraph.")
    return writer.save(path)


def read(path: Path) -> ReadDocument:
    figures = path.parent / "figures"
    job = ReadJob(path, DocumentId("0123456789abcdef"), (path.name,), figures)
    return read_job(job, lambda *_: None, lambda *_: None)


class ReadingHere:
    """A reading child in the test's own process, so that what the test breaks is broken in it."""

    def __init__(self, _settings: object) -> None: ...

    def read(self, job: ReadJob, on_page: Callable[[int, int], None], **_: object) -> ReadDocument:
        return read_job(job, on_page, lambda *_: None)

    def kill(self) -> None: ...


def words_of(read: ReadDocument) -> set[str]:
    """All words that segments are found by."""
    return {word for s in read.segments for word in s.segment.lexical_text.split()}


def fail(*_arguments: Any, **_options: Any) -> Any:
    return ""[0]


def failing_on(page_no: int, function: Callable[..., Any], page_of: Callable[[Any], int]) -> Any:
    def step(first: Any, *arguments: Any, **options: Any) -> Any:
        return fail() if page_of(first) == page_no else function(first, *arguments, **options)

    return step


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> dict[bool, tuple[Path, ReadDocument]]:
    """A document with an outline and one without, each read before anything fails."""
    folder = tmp_path_factory.mktemp("sound")
    pdfs = {outline: write(folder / f"{outline}.pdf", outline=outline) for outline in (True, False)}
    return {outline: (pdf, read(pdf)) for outline, pdf in pdfs.items()}


@pytest.fixture
def pdf(tmp_path) -> Path:
    return write(tmp_path / "acme.pdf")


@pytest.mark.parametrize(
    ("step", "stage"),
    [
        ("parse.document.join_scripts", Stage.FRACTIONS),
        ("parse.document.join_fractions", Stage.FRACTIONS),
        ("parse.document.is_contents_page", Stage.LAYOUT),
        ("parse.document.chapters_of", Stage.OUTLINE),
        ("parse.document.find_numbered", Stage.HEADINGS),
        ("parse.document.find_by_typography", Stage.HEADINGS),
        ("parse.document.find_tables", Stage.TABLES),
        ("parse.document.is_drawing", Stage.TABLES),
        ("parse.document.find_captions", Stage.FIGURES),
        ("parse.document.captions_stand_above", Stage.FIGURES),
        ("parse.document.without_decoration", Stage.FIGURES),
        ("parse.document.find_figures", Stage.FIGURES),
        ("parse.document.lay_out", Stage.LAYOUT),
        ("parse.document.set_aside_continued", Stage.LAYOUT),
        ("parse.document.adopt_titles", Stage.LAYOUT),
        ("parse.document.build_runs", Stage.LAYOUT),
        ("parse.document.page_words", Stage.LAYOUT),
        ("parse.outline._candidates", Stage.OUTLINE),
        ("parse.outline._match_score", Stage.OUTLINE),
        ("parse.headings.may_be_heading", Stage.HEADINGS),
        ("parse.tables.build_lattice", Stage.TABLES),
        ("parse.tables.find_unruled", Stage.TABLES),
        ("parse.tables.find_notes", Stage.TABLES),
        ("parse.tables.find_titles", Stage.TABLES),
        ("parse.tables.count_header_rows", Stage.TABLES),
        ("parse.tables._goes_on", Stage.TABLES),
        ("parse.figures.with_labels", Stage.FIGURES),
        ("parse.paragraphs._start", Stage.PARAGRAPHS),
        ("parse.paragraphs._continues", Stage.PARAGRAPHS),
        ("parse.assemble._cut_draft", Stage.PARAGRAPHS),
        ("parse.assemble.draft_text", Stage.PARAGRAPHS),
        ("parse.assemble.is_contents_line", Stage.PARAGRAPHS),
        ("parse.assemble.is_boilerplate_section", Stage.HEADINGS),
        ("parse.assemble.read_table", Stage.TABLES),
        ("parse.assemble.describe_table", Stage.TABLES),
        ("parse.assemble.mentions_of", Stage.FIGURES),
        ("parse.assemble.surrounding_paragraph", Stage.FIGURES),
        ("parse.assemble._by_number", Stage.FIGURES),
        ("parse.assemble.referring_sentences", Stage.FIGURES),
        ("parse.assemble._image_area", Stage.IMAGES),
        ("parse.markdown._block", Stage.MARKDOWN),
        ("parse.metadata._runs", Stage.METADATA),
        ("parse.metadata.find_part_numbers", Stage.METADATA),
        ("parse.metadata.find_vendor", Stage.METADATA),
        ("parse.metadata.find_revision", Stage.METADATA),
        ("parse.metadata.find_date", Stage.METADATA),
        ("augment.segmenter.walk_sections", Stage.SEGMENTS),
        ("augment.segmenter.find_lead_ins", Stage.SEGMENTS),
        ("augment.segmenter.split_blocks", Stage.SEGMENTS),
        ("augment.segmenter.read_table", Stage.SEGMENTS),
        ("augment.segmenter.table_title", Stage.SEGMENTS),
        ("augment.segmenter.pack_sentences", Stage.SEGMENTS),
        ("augment.keywords._names_of", Stage.KEYWORDS),
    ],
)
def test_whatever_step_fails_everywhere_its_words_are_found(
    sound, warned, monkeypatch, step, stage
):
    pdf, before = sound[stage is Stage.OUTLINE]
    module, _, name = step.rpartition(".")
    monkeypatch.setattr(importlib.import_module(f"desktop_qa.{module}"), name, fail)

    after = read(pdf)

    failures = after.result.document.page_failures
    assert {failure.stage for failure in failures} == {stage.value}
    assert all(failure.has_text for failure in failures)
    assert all("IndexError in " in failure.error for failure in failures)
    on_pages = {word.text for page in before.result.page_words for word in page.words}
    assert words_of(after) >= on_pages & words_of(before)


def test_a_failing_heading_rule_leaves_a_text_block_and_the_other_headings(
    tmp_path, warned, monkeypatch
):
    pdf = write(tmp_path / "acme.pdf", outline=False)
    rule = headings.may_be_heading

    def broken(lines: Any) -> bool:
        return fail() if "Voltages" in lines[0].text else rule(lines)

    monkeypatch.setattr(headings, "may_be_heading", broken)

    document = read(pdf).result.document

    kinds = {b.text: b.kind for b in document.blocks if "Chapter Of" in b.text}
    assert kinds == {
        "1 Chapter Of Currents": BlockKind.SECTION_HEADER,
        "2 Chapter Of Voltages": BlockKind.TEXT,
        "3 Chapter Of Times": BlockKind.SECTION_HEADER,
    }
    assert {(f.page_no, f.stage) for f in document.page_failures} == {(2, "headings")}
    assert "acme.pdf, page 2, headings: IndexError" in warned.text


def test_a_failing_table_keeps_its_words_as_text_and_the_other_tables(pdf, warned, monkeypatch):
    step = failing_on(2, tables._make_table, lambda page: page.page_no)
    monkeypatch.setattr(tables, "_make_table", step)

    read_document = read(pdf)

    document = read_document.result.document
    assert [table.provenances[0].page_no for table in document.tables] == [1, 3]
    text = " ".join(b.text for b in document.blocks if b.provenances[0].page_no == 2)
    assert all(cell in text for row in ROWS for cell in row)
    assert {(f.page_no, f.stage) for f in document.page_failures} == {(2, "tables")}


def test_a_figure_that_cannot_be_drawn_keeps_its_caption(pdf, warned, monkeypatch):
    area = assemble._image_area
    monkeypatch.setattr(
        assemble, "_image_area", failing_on(2, area, lambda page: page.content.page_no)
    )

    document = read(pdf).result.document

    assert [bool(figure.image_path) for figure in document.figures] == [True, False, True]
    assert document.figures[1].caption == "Figure 2. Current of channel 2 over time"
    assert {(f.page_no, f.stage) for f in document.page_failures} == {(2, "images")}


def test_a_page_that_cannot_be_laid_out_is_read_line_by_line_and_the_others_as_before(
    pdf, warned, monkeypatch
):
    before = read(pdf).result.document
    step = failing_on(2, parsing.lay_out, lambda page: page.content.page_no)
    monkeypatch.setattr(parsing, "lay_out", step)

    after = read(pdf).result.document

    def elsewhere(document: Any) -> list[str]:
        return [b.text for b in document.blocks if b.provenances[0].page_no != 2]

    assert elsewhere(after) == elsewhere(before)
    text = " ".join(b.text for b in after.blocks if b.provenances[0].page_no == 2)
    assert "the supply current of channel 2 is 5 mA at most" in text
    assert {(f.page_no, f.stage) for f in after.page_failures} == {(2, "layout")}


def test_values_that_cannot_be_read_leave_a_segment_without_them(pdf, warned, monkeypatch):
    find = keywords.find_keywords

    def broken(text: str) -> tuple[str, ...]:
        return fail() if "channel 2" in text else find(text)

    monkeypatch.setattr(keywords, "find_keywords", broken)

    segments = read(pdf).segments

    for one in segments:
        if one.segment.kind is SegmentKind.TEXT and "supply current" in one.segment.text:
            assert ("acme1234" in one.keywords) == ("channel 2" not in one.segment.lexical_text)


@pytest.mark.parametrize(
    ("step", "state", "problem"),
    [
        ("desktop_qa.index.lexical.count_terms", DocumentState.PARTIAL, "terms"),
        ("desktop_qa.parse.document.find_tables", DocumentState.READY, "tables"),
    ],
)
def test_a_failed_step_shows_in_the_details_and_in_the_mark_where_text_was_lost(
    pdf, source_folder, tmp_path, warned, monkeypatch, step, state, problem
):
    monkeypatch.setattr(step, fail)
    monkeypatch.setattr("desktop_qa.library.ingest.ReadingChild", ReadingHere)
    (source_folder / pdf.name).write_bytes(pdf.read_bytes())
    with open_library(tmp_path / "library", source_folder) as library:
        (status,) = library.statuses()
        details = library.details(status.document_id)
    assert status.state is state
    assert bool(status.reason) == (state is DocumentState.PARTIAL)
    assert {one.stage for one in details.problems} == {problem}
    assert f"{problem}: IndexError in " in problem_line(details.problems[0])


def test_errors_of_the_users_world_and_of_the_disk_are_not_caught(pdf, monkeypatch):
    for error in (UnreadableDocumentError("No.", "Hint."), OSError("disk full"), MemoryError()):

        def refuse(*_arguments: Any, error: BaseException = error, **_options: Any) -> None:
            raise error

        monkeypatch.setattr(segmenter, "walk_sections", refuse)
        with pytest.raises(type(error)):
            read(pdf)


def test_outside_of_reading_a_step_raises_what_it_raises():
    with pytest.raises(IndexError):
        attempt(Stage.TABLES, 1, None, partial(fail, 1))
