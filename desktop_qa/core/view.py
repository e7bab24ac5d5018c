"""What a client shows: answers and libraries with everything needed to draw them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from desktop_qa.core.answer import Answer
from desktop_qa.core.document import DocumentId, Provenance, Table
from desktop_qa.core.folders import FolderChoices
from desktop_qa.core.history import DocumentsSince, KeptQuestion
from desktop_qa.core.mark import PlacedMark, report_on
from desktop_qa.core.model_said import ModelSaid
from desktop_qa.core.page_names import PageStarts, page_label, page_name
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.core.readings import ModelReading, ReadBy
from desktop_qa.core.segment import SegmentKind
from desktop_qa.core.sources import SourceSettings


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """One piece of evidence, ready to draw.

    Attributes:
        section_path: Document title first, then the headings from the outermost in.
        file: Path relative to the source folder.
        path: Absolute path of the PDF.
        text: What a person reads.
        table: The whole table when the evidence is one.
        rows: First and one past the last row of the table's grid that this segment holds.
        cited_cells: (row, column) of the cells the answer cites.
        figure_path: Absolute path of the PNG when the evidence is a figure.
        quotes: The words the answer cites from this segment.
        places: Where the citation points; the segment's own places when it is not cited.
        is_cited: False for evidence that was found and not used.
        source_note: Why its source moved it up or down; empty when it did not.
        vector_path: Absolute path of the figure's SVG; `None` when it is no drawing.
        symbols: Words of its pages that hang below their line, with what is not lowered of each:
            ("VOS", "V").
        page_starts: Where the numbers that its document's pages print begin to count anew.
    """

    marker: int
    kind: SegmentKind
    document_id: DocumentId
    section_path: tuple[str, ...]
    page_no: int
    file: str
    path: str
    text: str
    caption: str
    table: Table | None
    rows: tuple[int, int]
    cited_cells: tuple[tuple[int, int], ...]
    figure_path: str | None
    quotes: tuple[str, ...]
    places: tuple[Provenance, ...]
    is_cited: bool
    source_note: str = ""
    vector_path: str | None = None
    symbols: tuple[tuple[str, str], ...] = ()
    page_starts: PageStarts = ()

    @property
    def page(self) -> str:
        """Its page for people: "45 (PDF 47)" where it prints another number."""
        return self.page_name(self.page_no)

    def page_name(self, page_no: int) -> str:
        """Return a page of its document for people."""
        return page_name(page_no, page_label(self.page_starts, page_no))


@dataclass(frozen=True, slots=True)
class AnswerView:
    """An answer with its evidence ready to draw, the cited pieces first.

    Attributes:
        evidence: Of the answer, and of what a model says besides.
        reported: What the reader said of cells that it cites, a sentence each.
        said: What a language model says of the same question; `None` when none was asked.
    """

    answer: Answer
    evidence: tuple[EvidenceView, ...]
    reported: tuple[str, ...] = ()
    said: ModelSaid | None = None


def reported_cells(
    evidence: Iterable[EvidenceView], reports: Sequence[PlacedMark]
) -> tuple[str, ...]:
    """Return what the reader reported of the cells that evidence is cited for, a sentence each."""
    sentences: dict[str, None] = {}
    for piece in evidence if reports else ():
        places = piece.places if piece.is_cited else ()
        for placed in reports:
            cell = placed.mark.cell
            if cell is not None and report_on((placed,), piece.document_id, places) is not None:
                words = f"[{piece.marker}] “{placed.mark.quote}” ({cell.place})"
                sentences[f"{words}: {cell.sentence[0].lower()}{cell.sentence[1:]}."] = None
    return tuple(sentences)


@dataclass(frozen=True, slots=True)
class SourceFolder:
    """A folder whose documents are in the library; `exists` is False when it was moved."""

    folder: str
    exists: bool
    choices: FolderChoices = field(default_factory=FolderChoices)


@dataclass(frozen=True, slots=True)
class LibraryView:
    """A library as the window shows it.

    Attributes:
        read_only: True when another process holds it for writing, or its folder is protected.
        version: What documents are read by now; one with another `read_by` is stale.
        source_settings: Preferred sources of this library.
        name: What the user calls it; empty when its folders name it.
        is_watching: False when the watching of all folders is switched off.
        is_protected: Its folder cannot be written; else another process is why it is read only.
    """

    folder: str
    sources: tuple[SourceFolder, ...]
    statuses: tuple[DocumentStatus, ...]
    read_only: bool
    version: str = ""
    source_settings: SourceSettings = field(default_factory=SourceSettings)
    name: str = ""
    is_watching: bool = True
    is_protected: bool = False

    @property
    def writing_hint(self) -> str:
        """What to do so that the library can be written; empty when it can."""
        if not self.read_only:
            return ""
        if self.is_protected:
            return f"Let {self.folder} be written, or copy the library elsewhere and open the copy."
        return "Close the other window that works on it, then open it for writing."


@dataclass(frozen=True, slots=True, kw_only=True)
class PastQuestion(KeptQuestion):
    """A question that was asked before, with all that is known of it.

    Attributes:
        view: The answer as it was, with evidence that can be drawn by what is known now; `None`
            when the question failed.
        since: What became of the documents it cites.
    """

    view: AnswerView | None
    since: DocumentsSince


@dataclass(frozen=True, slots=True)
class ChapterEntry:
    """A heading in the structure of a document.

    Attributes:
        number: "6.7"; empty when the heading has none.
        level: 1 is a chapter.
        parent: Index of the heading it stands under in `StructureView.chapters`, -1 for none.
        places: Of the heading itself; empty when it was taken from an outline without a place.
        boilerplate: Legal, ordering and packaging matter.
    """

    number: str
    title: str
    level: int
    parent: int
    places: tuple[Provenance, ...]
    boilerplate: bool

    @property
    def page_no(self) -> int | None:
        """The page it stands on."""
        return self.places[0].page_no if self.places else None


@dataclass(frozen=True, slots=True)
class TableEntry:
    """A table in the structure of a document.

    Attributes:
        caption: Without the label.
        chapter: Index of the heading it stands under in `StructureView.chapters`, -1 for none.
    """

    label: str
    caption: str
    n_rows: int
    n_columns: int
    chapter: int
    places: tuple[Provenance, ...]
    boilerplate: bool


@dataclass(frozen=True, slots=True)
class FigureEntry:
    """A figure in the structure of a document.

    Attributes:
        caption: Without the label.
        image_path: Absolute path of the PNG; empty when it was not drawn.
        chapter: Index of the heading it stands under in `StructureView.chapters`, -1 for none.
    """

    label: str
    caption: str
    image_path: str
    chapter: int
    places: tuple[Provenance, ...]
    boilerplate: bool


@dataclass(frozen=True, slots=True)
class StructureView:
    """What a document consists of, in reading order.

    Attributes:
        read_by: Whose reading it is.
        model_reading: What is known of a model's reading; `None` where there is none.
    """

    document_id: DocumentId
    title: str
    n_pages: int
    chapters: tuple[ChapterEntry, ...]
    tables: tuple[TableEntry, ...]
    figures: tuple[FigureEntry, ...]
    read_by: ReadBy = ReadBy.PROGRAM
    model_reading: ModelReading | None = None

    def chapter_at(self, page_no: int, top: float) -> int:
        """Return the chapter that a height on a page, in points, belongs to; -1 before the first.

        A heading's own line counts as its chapter: the height is often its very top.
        """
        tops = (
            (chapter.places[0].page_no, chapter.places[0].bbox.top, index)
            for index, chapter in enumerate(self.chapters)
            if chapter.places
        )
        passed = (one for one in tops if one[:2] <= (page_no, top + 1.0))
        return max(passed, default=(0, 0.0, -1))[2]


@dataclass(frozen=True, slots=True)
class MarkdownView:
    """A document as Markdown, ready to read.

    Attributes:
        name: Of the file it was made of, without the ending.
        text: The whole.
        parts: The same in pieces that end between blocks, so that a window can lay out one at a
            time; joined they are `text`.
        image_folder: What the links of the images are relative to.
    """

    document_id: DocumentId
    name: str
    text: str
    parts: tuple[str, ...]
    image_folder: str


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export wrote.

    Attributes:
        file: Absolute path of what was written.
        images_folder: Absolute path of the folder beside it; empty when there are no images.
        n_images: In that folder.
        missing: What the library does not have any more: links of a document's images, captions of
            an answer's figures.
    """

    file: str
    images_folder: str
    n_images: int
    missing: tuple[str, ...]
