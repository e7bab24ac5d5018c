"""A PDF into a `Document`: the stages of reading, in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePath

from desktop_qa.core.document import (
    BlockKind,
    Document,
    DocumentId,
    PageFailure,
    PageWords,
    ParseResult,
    Provenance,
    Word,
)
from desktop_qa.core.folding import Vocabulary
from desktop_qa.core.stages import Stage, attempt, completes
from desktop_qa.parse.assemble import (
    Draft,
    ElementBuilder,
    element_runs,
    join_runs,
    page_words,
    to_blocks,
)
from desktop_qa.parse.boilerplate import is_at_ends, is_boilerplate_page, is_contents_page
from desktop_qa.parse.captions import find_captions
from desktop_qa.parse.figures import find_figures
from desktop_qa.parse.flow import (
    PageFlow,
    adopt_titles,
    captions_stand_above,
    flow_lines,
    insert_headings,
    is_drawing,
    lay_out,
    name_tables,
    set_aside_continued,
    titles_of_plots,
)
from desktop_qa.parse.furniture import find_furniture, printed_numbers, without_decoration
from desktop_qa.parse.heading_style import Heading, is_contents_title, levels_of
from desktop_qa.parse.headings import find_by_typography, find_numbered, find_standing
from desktop_qa.parse.layout import Column
from desktop_qa.parse.lines import (
    Line,
    group_fragments,
    group_lines,
    join_fractions,
    join_scripts,
)
from desktop_qa.parse.markdown import render_markdown
from desktop_qa.parse.metadata import Metadata, read_metadata
from desktop_qa.parse.outline import chapters_of, match_outline, sub_headings
from desktop_qa.parse.page import OutlineEntry, PageContent
from desktop_qa.parse.paragraphs import BodyMetrics, Run, box_of, build_runs, measure_body
from desktop_qa.parse.pdf import PAGE_ERRORS, PdfFile
from desktop_qa.parse.readable import (
    GARBLED,
    OUTLINED,
    WITHOUT_DRAWINGS,
    check_readable,
    outlined_pages,
    page_problem,
    readable_words,
)
from desktop_qa.parse.reading_score import grids_without_table, score_reading
from desktop_qa.parse.table_grid import collect_lines
from desktop_qa.parse.tables import (
    FoundTable,
    find_group_headings,
    find_tables,
)
from desktop_qa.parse.turned_pages import turn_back
from desktop_qa.parse.vendor import PageTexts, edge_lines
from desktop_qa.parse.version import PARSER_VERSION
from desktop_qa.parse.wordmark import read_wordmarks

_ERROR_CODE = re.compile(r"^code=\d+: |\s*\(\d+ \d+ R\)$")

__all__ = ["PARSER_VERSION", "read_document"]


def read_document(
    path: Path,
    document_id: DocumentId,
    paths: tuple[str, ...],
    figures_folder: Path | None,
    on_page: Callable[[int, int], None],
    *,
    skip_pages: Mapping[int, str] | None = None,
    light_pages: Mapping[int, str] | None = None,
    bare_pages: Container[int] = frozenset(),
    left_out: Container[Stage] = frozenset(),
    ignore_outline: bool = False,
    on_step: Callable[[Stage, int], None] = lambda _step, _n_pages: None,
    password: str = "",
) -> ParseResult:
    """Read a PDF.

    Args:
        path: The file.
        document_id: Of its bytes.
        paths: Every place the bytes were found, relative to the ingested folder.
        figures_folder: Where the figures' images go; None draws none.
        on_page: Called with page number and page count before work on each page.
        skip_pages: Pages that are not to be touched, with the reason.
        light_pages: Pages of which only the words are to be read, with the reason.
        bare_pages: Pages on which no tables are to be looked for.
        left_out: FIGURES for none at all; LAYOUT for the lines of the pages as they come, without
            headings, tables and figures.
        ignore_outline: Find headings by type alone.
        on_step: Called with the page count before each step; what follows it is work on all pages
            at once, until a page is named.
        password: Of a protected file.

    Raises:
        UnreadableDocumentError: When the document as a whole cannot be read.
    """
    with PdfFile(path, password) as pdf:
        reading = _Reading(pdf, skip_pages or {}, light_pages or {}, on_page, on_step)
        reading.read_pages()
        if Stage.LAYOUT in left_out:
            return reading.plain_result(document_id, paths)
        reading.strip_furniture()
        reading.read_metadata(paths)
        reading.find_headings_of_outline(() if ignore_outline else pdf.outline())
        reading.find_numbered_headings()
        reading.find_standing_headings()
        reading.find_tables(bare_pages)
        if Stage.FIGURES not in left_out:
            reading.find_figures()
        reading.lay_out()
        return reading.result(document_id, paths, figures_folder)


_N_FRONT_PAGES = 3
"""A cover stands on one of them."""


class _Reading:
    """One document while it is read; the methods are called once, in the order they stand."""

    def __init__(
        self,
        pdf: PdfFile,
        skip_pages: Mapping[int, str],
        light_pages: Mapping[int, str],
        on_page: Callable[[int, int], None],
        on_step: Callable[[Stage, int], None],
    ) -> None:
        self._pdf = pdf
        self._skip = skip_pages
        self._light = light_pages
        self._on_page = on_page
        self._on_step = on_step
        self._failures: dict[int, str] = {}
        self._incomplete: dict[int, str] = {}
        self._pages: dict[int, PageFlow] = {}
        self._plain: dict[int, list[Line]] = {}
        self._raw: dict[int, PageContent] = {}
        self._n_chapters = 0
        self._texts: dict[int, PageTexts] = {}
        self._outlined: list[Heading] = []
        self._numbered: list[Heading] = []
        self._standing: list[Heading] = []
        self._drafts: list[Draft] = []
        self._metadata = Metadata()
        self._contents: frozenset[int] = frozenset()
        self._ends: frozenset[int] = frozenset()
        self._appended: frozenset[int] = frozenset()

    def read_pages(self) -> None:
        """Read words and drawings of every page; a page that fails is noted."""
        n_pages = self._pdf.n_pages
        self._on_step(Stage.PAGE, n_pages)
        for page_no in range(1, n_pages + 1):
            if page_no in self._skip:
                self._failures[page_no] = self._skip[page_no]
                continue
            self._on_page(page_no, n_pages)
            page = attempt(Stage.PAGE, page_no, None, self._read_page, page_no)
            if page is not None:
                self._raw[page_no] = page
        self._on_step(Stage.LAYOUT, n_pages)
        pages = list(self._raw.values())
        check_readable(pages, self._failures)
        self._failures.update(dict.fromkeys(outlined_pages(pages), OUTLINED))
        for page_no, reason in self._failures.items():
            if reason == GARBLED:
                page = self._raw[page_no]
                self._raw[page_no] = replace(page, words=readable_words(page.words))

    def _read_page(self, page_no: int) -> PageContent | None:
        """Read a page, without its drawings when these are what is damaged; None when all is."""
        words_only = page_no in self._light
        try:
            page = self._pdf.upright_page(page_no, words_only=words_only)
        except PAGE_ERRORS as error:
            light = None if words_only else self._words_of_damaged(page_no)
            if light is None:
                self._failures[page_no] = _damage(error)
                return None
            self._incomplete[page_no] = _damage(error)
            page = light
        self._note_problem(page)
        scripts = attempt(Stage.FRACTIONS, page_no, page.words, join_scripts, page.words)
        words = attempt(Stage.FRACTIONS, page_no, scripts, join_fractions, scripts, page.rules)
        return replace(page, words=words)

    def _words_of_damaged(self, page_no: int) -> PageContent | None:
        try:
            page = self._pdf.upright_page(page_no, words_only=True)
        except PAGE_ERRORS:
            return None
        return page if page.words else None

    def _note_problem(self, page: PageContent) -> None:
        problem = page_problem(page)
        left_out = self._light.get(page.page_no)
        if problem:
            self._failures[page.page_no] = problem
        elif left_out and page.words:
            self._incomplete[page.page_no] = left_out
        elif left_out:
            self._failures[page.page_no] = left_out

    def strip_furniture(self) -> None:
        """Set running headers and footers apart; find the pages of contents and of catalogues."""
        grouped: dict[int, list[Line]] = {}
        for page_no, page in list(self._raw.items()):
            of_page = attempt(Stage.PAGE, page_no, None, group_fragments, page.words)
            if of_page is None:
                del self._raw[page_no]
            else:
                grouped[page_no] = of_page
        pages, fragments = list(self._raw.values()), list(grouped.values())
        none = [frozenset[int]() for _page in pages]
        furniture = attempt(Stage.FURNITURE, 0, none, find_furniture, pages, fragments)
        for page, lines, numbers in zip(pages, fragments, furniture, strict=True):
            aside = [line for line in lines if line.words[0].line_no in numbers]
            words = tuple(word for word in page.words if word.line_no not in numbers)
            self._pages[page.page_no] = PageFlow(
                content=replace(page, words=words),
                header=group_lines(ln for ln in aside if ln.bbox.top < page.height / 2),
                footer=group_lines(ln for ln in aside if ln.bbox.top >= page.height / 2),
                fragments=[line for line in lines if line.words[0].line_no not in numbers],
            )
            self._plain[page.page_no] = list(self._pages[page.page_no].fragments)
            edge = attempt(Stage.METADATA, page.page_no, [], edge_lines, page, lines, aside)
            self._texts[page.page_no] = PageTexts(
                tuple(line.text for line in lines), tuple(line.text for line in edge)
            )
        rows = {
            page_no: [line.text for line in attempt(Stage.LAYOUT, page_no, [], group_lines, lines)]
            for page_no, lines in grouped.items()
        }
        self._contents = frozenset(
            n for n, of in rows.items() if attempt(Stage.LAYOUT, n, False, is_contents_page, of)
        )
        self._ends = frozenset(n for n in rows if is_at_ends(n, self._pdf.n_pages))
        self._appended = frozenset(
            n
            for n, of in rows.items()
            if attempt(Stage.LAYOUT, n, False, is_boilerplate_page, of, at_ends=n in self._ends)
        )

    def read_metadata(self, paths: tuple[str, ...]) -> None:
        """Read what the pages say about the document, furniture included."""
        pages = list(self._raw.values())
        front = [group_fragments(page.words) for page in pages[:_N_FRONT_PAGES]]
        texts = list(self._texts.values())
        logos = partial(
            read_wordmarks, self._pdf, pages[0].page_no, [word.bbox for word in pages[0].words]
        )
        self._metadata = read_metadata(
            front, pages[0].height, texts, self._pdf.metadata, paths, logos
        )

    def find_headings_of_outline(self, outline: Iterable[OutlineEntry]) -> None:
        """Take the words of outlined headings out of the pages, so that no table claims them."""
        entries = attempt(Stage.OUTLINE, 0, [], chapters_of, outline)
        chapters = [entry for entry in entries if not is_contents_title(entry.title)]
        self._n_chapters = len(chapters)
        self._outlined = match_outline(chapters, self._fragments(), self._contents)
        self._take_out(self._outlined)

    def find_numbered_headings(self) -> None:
        """Take out the words of headings that their numbers show, for the same reason."""
        find = partial(
            find_numbered,
            self._fragments(),
            self._outlined,
            skip_pages=self._appended,
            contents_pages=self._contents,
        )
        self._numbered = attempt(Stage.HEADINGS, 0, [], find)
        self._take_out(self._numbered)

    def find_standing_headings(self) -> None:
        """Take out the words of headings in a document that neither outline nor numbers order."""
        if self._outlined or self._numbered:
            return
        find = partial(
            find_standing,
            self._fragments(),
            title=self._metadata.title,
            skip_pages=self._appended | self._contents,
        )
        found = attempt(Stage.HEADINGS, 0, [], find)
        groups = {
            n: attempt(Stage.TABLES, n, [], find_group_headings, self._pages[n].content)
            for n in {heading.page_no for heading in found}
        }
        self._standing = [
            heading
            for heading in found
            if not any(
                box.contains_center(heading.lines[0].bbox) for box in groups[heading.page_no]
            )
        ]
        self._take_out(self._standing)

    def _fragments(self) -> dict[int, Sequence[Line]]:
        return {number: page.fragments for number, page in self._pages.items()}

    def _take_out(self, headings: Iterable[Heading]) -> None:
        for heading in headings:
            page = self._pages[heading.page_no]
            taken = {word.line_no for line in heading.lines for word in line.words}
            page.headings.append(heading)
            page.fragments = [f for f in page.fragments if f.words[0].line_no not in taken]
            words = tuple(word for word in page.content.words if word.line_no not in taken)
            page.content = replace(page.content, words=words)

    def find_tables(self, bare_pages: Container[int]) -> None:
        """Find tables and captions; the words of the tables leave the text."""
        n_pages = self._pdf.n_pages
        self._on_step(Stage.TABLES, n_pages)
        for page_no, page in self._pages.items():
            self._on_page(page_no, n_pages)
            if page_no not in bare_pages:
                page.tables = attempt(Stage.TABLES, page_no, [], _tables_of, page)
        for page_no, page in self._pages.items():
            taken = {index for table in page.tables for index in table.word_indices}
            rest = [word for i, word in enumerate(page.content.words) if i not in taken]
            page.fragments = group_fragments(rest)
            page.captions = attempt(
                Stage.FIGURES, page_no, [], find_captions, page.fragments
            ) or attempt(Stage.FIGURES, page_no, [], titles_of_plots, page)

    def find_figures(self) -> None:
        """Find figures; their words leave the text."""
        self._on_step(Stage.FIGURES, self._pdf.n_pages)
        pages = list(self._pages.values())
        above = attempt(Stage.FIGURES, 0, {}, captions_stand_above, pages)
        contents = {page_no: page.content for page_no, page in self._pages.items()}
        drawn = attempt(Stage.FIGURES, 0, contents, without_decoration, list(contents.values()))
        for page_no, page in self._pages.items():
            find = partial(
                find_figures,
                drawn[page_no],
                page.fragments,
                page.captions,
                [page.table_box(table) for table in page.tables],
                captions_above=above.get(page_no, False),
            )
            page.figures = attempt(Stage.FIGURES, page_no, [], find)

    def lay_out(self) -> None:
        """Sort the pages into columns, find the headings that no outline named, join paragraphs."""
        self._on_step(Stage.LAYOUT, self._pdf.n_pages)
        before: PageFlow | None = None
        for page_no, page in self._pages.items():
            if not completes(Stage.LAYOUT, page_no, lay_out, page):
                self._make_plain(page)
            completes(Stage.LAYOUT, page_no, set_aside_continued, page, before)
            before = page
        body = measure_body(page.columns for page in self._pages.values())
        for page_no, page in self._pages.items():
            completes(Stage.LAYOUT, page_no, adopt_titles, page, body.size)
        self._find_headings_by_type()
        ordered = self._outlined or self._numbered
        headings = [heading for page in self._pages.values() for heading in page.headings]
        levels = {} if ordered else levels_of(headings)
        for page_no, page in self._pages.items():
            completes(Stage.LAYOUT, page_no, name_tables, page, body.size, levels)
        runs: list[Run] = []
        for page_no, page in self._pages.items():
            of_page = attempt(Stage.LAYOUT, page_no, None, _runs_of, page, body)
            if of_page is None:
                lines = self._make_plain(page)
                of_page = [Run(BlockKind.TEXT, page_no, 0, lines)] if lines else []
            runs += of_page
        texts = (word.text for page in self._raw.values() for word in page.words)
        self._drafts = join_runs(runs, Vocabulary(texts))

    def _make_plain(self, page: PageFlow) -> list[Line]:
        """Keep all words of a page that cannot be laid out, line by line as in the file."""
        lines = self._plain[page.content.page_no]
        page.tables, page.figures, page.headings, page.fragments = [], [], [], list(lines)
        page.columns = [Column(0.0, page.content.width, tuple(lines))] if lines else []
        return lines

    def _find_headings_by_type(self) -> None:
        """Find the headings that neither outline nor numbers told, and put all in their places."""
        find_headings = partial(
            find_by_typography,
            flow_lines(self._pages.values()),
            title=self._metadata.title,
            skip_pages=self._appended,
            contents_pages=self._contents,
            may_have_cover=not (1 in self._pages and self._pages[1].tables),
        )
        names_chapters_only = all(heading.level == 1 for heading in self._outlined)
        is_flat = bool(self._outlined) and names_chapters_only and not self._numbered
        missing: list[Heading] = []
        if is_flat:
            by_type = attempt(Stage.HEADINGS, 0, [], find_headings)
            missing = attempt(Stage.HEADINGS, 0, [], sub_headings, self._outlined, by_type)
        known = [*self._outlined, *missing]
        flat = [replace(heading, level=1) for heading in self._standing]
        by_type = attempt(
            Stage.HEADINGS, 0, flat, find_headings, known, self._numbered, self._standing
        )
        n_standing = len(self._standing)
        levels = {heading.lines: heading for heading in by_type[:n_standing]}
        for page_no, page in self._pages.items():
            page.headings = [levels.get(h.lines, h) for h in page.headings]
            insert_headings(page, [h for h in by_type[n_standing:] if h.page_no == page_no])

    def plain_result(self, document_id: DocumentId, paths: tuple[str, ...]) -> ParseResult:
        """Make a document of the words alone: a block a page, in the order of the file."""
        for page in self._raw.values():
            flow = PageFlow(page, fragments=group_fragments(page.words))
            self._pages[page.page_no] = flow
            self._plain[page.page_no] = flow.fragments
            run = Run(BlockKind.TEXT, page.page_no, 0, flow.fragments)
            text = "\n".join(line.text for line in flow.fragments)
            if text:
                place = Provenance(page.page_no, box_of(flow.fragments))
                self._drafts.append(Draft(run.kind, [run], text=text, places=(place,)))
        title = self._pdf.metadata.get("title", "").strip() or PurePath(paths[0]).stem
        self._metadata = Metadata(title)
        return self.result(document_id, paths, None)

    def result(
        self, document_id: DocumentId, paths: tuple[str, ...], figures_folder: Path | None
    ) -> ParseResult:
        """Make the document; figures are drawn now."""
        aside = self._contents | self._appended
        builder = ElementBuilder(self._pages, self._drafts, aside)
        self._on_step(Stage.FIGURES, self._pdf.n_pages)
        drafts, tables, figures = builder.build(
            self._pdf, document_id, figures_folder, self._on_page
        )
        self._on_step(Stage.LAYOUT, self._pdf.n_pages)
        blocks = to_blocks(drafts, aside, self._ends)
        reading = attempt(
            Stage.METADATA,
            0,
            None,
            score_reading,
            *(blocks, tables, self._pages, self._n_chapters, len(self._outlined)),
        )
        metadata = self._metadata
        n_pages = self._pdf.n_pages
        document = Document(
            id=document_id,
            paths=paths,
            title=metadata.title,
            vendor=metadata.vendor,
            part_numbers=metadata.part_numbers,
            revision=metadata.revision,
            page_sizes=tuple(self._pdf.page_size(n) for n in range(1, n_pages + 1)),
            page_labels=attempt(Stage.METADATA, 0, (), self._page_labels)
            or tuple(map(str, range(1, n_pages + 1))),
            blocks=blocks,
            tables=tables,
            figures=figures,
            markdown=render_markdown(blocks, tables, figures),
            page_failures=self._page_failures(),
            parser_version=PARSER_VERSION,
            pages_without_text=tuple(
                n for n, page in self._raw.items() if not page.words and n not in self._failures
            ),
            date=metadata.date,
            reading=reading,
        )
        words = tuple(
            attempt(Stage.LAYOUT, page_no, None, page_words, page) or self._plain_words(page_no)
            for page_no, page in self._pages.items()
        )
        result = ParseResult(document, tuple(w for w in words if w.words))
        return turn_back(result, self._pdf.turns)

    def _page_labels(self) -> tuple[str, ...]:
        """Call pages as the file does, else as they are numbered in print, else by their place."""
        words = {
            page_no: [
                word.text
                for line in (*page.header, *page.footer, *self._edge_numbers(page_no))
                for word in line.words
            ]
            for page_no, page in self._pages.items()
        }
        own = {n: page.label for n, page in self._raw.items() if page.label != str(n)}
        named = printed_numbers(words) | own
        return tuple(named.get(n, str(n)) for n in range(1, self._pdf.n_pages + 1))

    def _edge_numbers(self, page_no: int) -> list[Line]:
        """Return a first and a last line of one word: a number far from the edge of a tall page."""
        lines = sorted(self._plain[page_no], key=lambda line: line.baseline)
        return [line for line in (*lines[:1], *lines[-1:]) if len(line.words) == 1]

    def _plain_words(self, page_no: int) -> PageWords:
        lines = self._plain[page_no]
        words = tuple(Word(word.text, word.bbox) for line in lines for word in line.words)
        return PageWords(page_no, words)

    def _page_failures(self) -> tuple[PageFailure, ...]:
        lost = [PageFailure(n, reason) for n, reason in self._failures.items()]
        incomplete = [
            PageFailure(n, f"{WITHOUT_DRAWINGS}, {reason}", has_text=True)
            for n, reason in self._incomplete.items()
        ]
        return tuple(sorted([*lost, *incomplete], key=lambda failure: failure.page_no))


def _tables_of(page: PageFlow) -> list[FoundTable]:
    """Find the tables of a page, drawings that look like one left out; note what grids are left."""
    page_no = page.content.page_no
    captions = attempt(Stage.FIGURES, page_no, [], find_captions, page.fragments)
    headings = [box_of(heading.lines) for heading in page.headings]
    drawings = page.content.drawings
    lines = collect_lines(page.content)
    tables = [
        table
        for table in find_tables(page.content, headings, lines)
        if not attempt(Stage.TABLES, page_no, False, is_drawing, table, captions, drawings)
    ]
    page.grids = grids_without_table(page.content, lines, [table.bbox for table in tables])
    return tables


def _runs_of(page: PageFlow, body: BodyMetrics) -> list[Run]:
    return list(element_runs(page, build_runs(page.content.page_no, page.columns, body)))


def _damage(error: BaseException) -> str:
    """Return a reason without the engine's codes and its own page numbers, which start at 0."""
    if "not in document" in str(error):
        return "the page is missing from the file"
    first = str(error).partition("\n")[0] or type(error).__name__
    return f"the page is damaged ({_ERROR_CODE.sub('', first)[:120]})"
