"""Reads every PDF of a folder and measures what was read, two files at a time."""

from __future__ import annotations

import hashlib
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop_qa.core.document import DocumentId, Figure
from desktop_qa.core.errors import FolderError, UnreadableDocumentError
from desktop_qa.evaluate.metrics import rounded
from desktop_qa.evaluate.structure.captions import (
    CaptionCounts,
    compare_captions,
    standing_captions,
)
from desktop_qa.evaluate.structure.count import Count, Counts, f1
from desktop_qa.evaluate.structure.gold_tables import CellCounts, GoldTable, compare_tables
from desktop_qa.evaluate.structure.headings import (
    HeadingCounts,
    compare_headings,
    found_headings,
    outlined_headings,
)
from desktop_qa.evaluate.structure.places import PlaceCounts, WordGrid, compare_places
from desktop_qa.evaluate.structure.words import (
    WordCounts,
    compare_words,
    count_running_left,
    find_running_lines,
)

N_PROCESSES = 2
_MAX_LISTED = 40
"""Findings of one kind that are listed for a file."""


@dataclass(frozen=True, slots=True)
class FileStructure:
    """Measures of one file.

    Attributes:
        read_seconds: Parsing, cutting into segments and drawing of figures, in its process.
        findings: What was wrong, for those who mend it; each list is cut at 40.
        error: Why nothing could be read; empty when it was.
    """

    file: str
    n_pages: int = 0
    read_seconds: float = 0.0
    headings: HeadingCounts = field(default_factory=HeadingCounts)
    captions: CaptionCounts = field(default_factory=CaptionCounts)
    cells: CellCounts = field(default_factory=CellCounts)
    words: WordCounts = field(default_factory=WordCounts)
    places: PlaceCounts = field(default_factory=PlaceCounts)
    findings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True)
class StructureJob:
    """A file to measure, with the gold tables that are in it."""

    path: Path
    file: str
    gold: tuple[GoldTable, ...] = ()
    ignore_outline: bool = False
    measure: bool = True


def evaluate_structure(
    folder: Path,
    gold: Sequence[GoldTable],
    on_file: Callable[[int, int], None],
    *,
    ignore_outline: bool = False,
    measure: bool = True,
) -> list[FileStructure]:
    """Measure every PDF of a folder and its subfolders.

    Args:
        folder: Of documents.
        gold: Tables read by hand; those of other files are left out.
        on_file: Called with the number of files done and of all files.
        ignore_outline: Find headings by typography alone.
        measure: False to read only, as for the measurement of speed.

    Raises:
        FolderError: When the folder holds no PDF.
    """
    paths = sorted(path for path in folder.rglob("*.pdf") if path.is_file())
    if not paths:
        raise FolderError(f"No PDF was found in {folder}.", "Choose a folder of documents.")
    jobs = []
    for path in paths:
        file = path.relative_to(folder).as_posix()
        own = tuple(table for table in gold if table.file == file)
        jobs.append(StructureJob(path, file, own, ignore_outline, measure))
    # The longest first, so that no process is left with one at the end.
    jobs.sort(key=lambda job: -job.path.stat().st_size)
    done: dict[str, FileStructure] = {}
    for measured in _measured(jobs):
        done[measured.file] = measured
        on_file(len(done), len(jobs))
    return [done[file] for file in sorted(done)]


def _measured(jobs: Sequence[StructureJob]) -> Iterator[FileStructure]:
    """Measure in child processes; a file that takes its process down is named and costs itself."""
    left = list(jobs)
    try:
        for measured in _in_pool(left, N_PROCESSES):
            left = [job for job in left if job.file != measured.file]
            yield measured
    except BrokenProcessPool:
        for job in left:
            try:
                yield from _in_pool([job], 1)
            except BrokenProcessPool:
                yield FileStructure(job.file, error="The PDF engine crashed on this file.")


def _in_pool(jobs: Sequence[StructureJob], n_processes: int) -> Iterator[FileStructure]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(n_processes, mp_context=context) as pool:
        futures: list[Future[FileStructure]] = [pool.submit(measure_file, job) for job in jobs]
        for future in as_completed(futures):
            yield future.result()


def measure_file(job: StructureJob) -> FileStructure:
    """Read one file and measure the result."""
    # Engines are imported where they run: in the child.
    from desktop_qa.augment.segmenter import segment_document
    from desktop_qa.parse.document import read_document
    from desktop_qa.parse.plain import ink_share, read_plain
    from desktop_qa.tokens import count_tokens

    document_id = DocumentId(hashlib.sha256(job.path.read_bytes()).hexdigest()[:16])
    with tempfile.TemporaryDirectory(prefix="desktop-qa-") as folder:
        figures_folder = Path(folder) / "figures" / document_id
        started = time.perf_counter()
        try:
            result = read_document(
                job.path,
                document_id,
                (job.file,),
                figures_folder,
                lambda _page_no, _n_pages: None,
                ignore_outline=job.ignore_outline,
            )
            segments = segment_document(result.document, count_tokens, page_words=result.page_words)
            seconds = time.perf_counter() - started
            if not job.measure:
                return FileStructure(job.file, len(result.document.page_sizes), seconds)
            plain = read_plain(job.path)
        except UnreadableDocumentError as error:
            return FileStructure(job.file, error=f"{error.message} {error.hint}".strip())

        def ink_of(figure: Figure) -> float:
            return ink_share(Path(folder) / figure.image_path) if figure.image_path else 0.0

        document = result.document
        sizes = document.page_sizes
        captions, captions_missed = compare_captions(
            standing_captions(plain.pages),
            document,
            ink_of,
            plain.pages,
        )
    wanted = outlined_headings(plain.outline)
    headings, missed, extra = compare_headings(wanted, found_headings(document))
    if not wanted:
        headings, missed, extra = HeadingCounts(), [], []
    running = find_running_lines(plain.pages)
    words, lost, surplus = compare_words(plain.pages, running, document)
    running_left, lines_left = count_running_left(plain.pages, running, segments)
    places, cells_wrong = compare_places(segments, document, WordGrid(plain.pages))
    cells, gold_missed, gold_unnamed = compare_tables(job.gold, document.tables)
    return FileStructure(
        file=job.file,
        n_pages=len(sizes),
        read_seconds=seconds,
        headings=headings,
        captions=captions,
        cells=cells,
        words=words + type(words)(running_left=running_left),
        places=places,
        findings={
            "headings_missed": _listed(f"{h.page_no}: {h.title}" for h in missed),
            "headings_extra": _listed(f"{h.page_no}: {h.title}" for h in extra),
            "captions_missed": _listed(f"{c.page_no}: {c.text}" for c in captions_missed),
            "words_lost": _listed(f"{word} x{n}" for word, n in lost.most_common()),
            "words_extra": _listed(f"{word} x{n}" for word, n in surplus.most_common()),
            "running_left": _listed(lines_left),
            "cells_wrong": _listed(cells_wrong),
            "gold_missed": _listed(
                f"{cell.page_no}: {cell.row} / {cell.column} = {cell.value}"
                for _table, cell in gold_missed
            ),
            "gold_unnamed": _listed(
                f"{cell.page_no}: {cell.row} / {cell.column} = {cell.value}: {read}"
                for cell, read in gold_unnamed
            ),
        },
    )


def _listed(lines: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    return tuple(lines)[:_MAX_LISTED]


def structure_report(files: Sequence[FileStructure]) -> dict[str, Any]:
    """Return what `evaluate-structure --json` prints.

    Shares are between 0 and 1, `None` where there was nothing to count; each stands with the
    number of things counted.
    """
    read = [file for file in files if not file.error]
    seconds = sum(file.read_seconds for file in read)
    n_pages = sum(file.n_pages for file in read)
    return {
        "files": len(read),
        "pages": n_pages,
        "failed": [{"file": f.file, "reason": f.error} for f in files if f.error],
        "pages_per_second_of_one_core": round(n_pages / seconds, 2) if seconds else None,
        **_measures(read),
        "by_file": [
            {
                "file": file.file,
                "pages": file.n_pages,
                "seconds": round(file.read_seconds, 2),
                **_measures([file]),
                "findings": dict(file.findings),
            }
            for file in read
        ],
    }


_ROWS = (
    ("headings F1", "headings", "f1", "recall", "n"),
    ("  precision", "headings", "precision", "precision", ""),
    ("  recall", "headings", "recall", "recall", ""),
    ("  level right, of the found", "headings", "level", "level", ""),
    ("captions of tables with their table", "captions", "tables", "tables", "n_tables"),
    ("  of any size, one row included", "captions", "tables_of_any_size", "tables_of_any_size", ""),
    ("captions of figures with their figure", "captions", "figures", "figures", "n_figures"),
    (
        "  on at most half the page",
        *("captions", "figures_on_half_page", "figures_on_half_page", ""),
    ),
    ("gold cells found", "cells", "found", "cells", "n"),
    ("  with their whole identity", "cells", "identities", "identities", "n_identities"),
    ("  of continued tables", "cells", "continued", "continued", "n_continued"),
    ("words kept exactly once", "words", "kept_once", "kept_once", "n"),
    ("words not on the page", "words", "foreign", "foreign", ""),
    ("running lines left in", "words", "running_left", "running_left", "n_running"),
    ("words under rectangles that are the segment's", "rectangles", "words_own", "words", ""),
    ("  area over that of the words", "rectangles", "area_ratio", "area", ""),
    ("  segments within 1.3", "rectangles", "segments_tight", "tight", "n_segments"),
    ("cells alone under their rectangle", "rectangles", "cells_alone", "cells", "n_cells"),
)
"""What is measured: its name for people, its group and key in the report, the count it is made of,
and the key of how many that counts, which people are shown where there is one."""


def _measures(files: Sequence[FileStructure]) -> dict[str, Any]:
    headings = sum((f.headings for f in files), HeadingCounts())
    sums: dict[str, Counts] = {
        "headings": headings,
        "captions": sum((f.captions for f in files), CaptionCounts()),
        "cells": sum((f.cells for f in files), CellCounts()),
        "words": sum((f.words for f in files), WordCounts()),
        "rectangles": sum((f.places for f in files), PlaceCounts()),
    }
    found: dict[str, dict[str, float | None]] = {group: {} for group in sums}
    for _name, group, key, counted, n in _ROWS:
        count: Count = getattr(sums[group], counted)
        found[group][key] = rounded(count.share)
        if n:
            found[group][n] = count.n
    found["headings"]["f1"] = rounded(f1(headings.precision.share, headings.recall.share))
    return found


def format_structure_report(report: dict[str, Any]) -> str:
    """Lay the report out for a person."""
    lines = [f"{report['files']} files, {report['pages']} pages"]
    shown = [(name, report[group][key], report[group].get(n)) for name, group, key, _, n in _ROWS]
    shown.append(("pages/s of one process", report["pages_per_second_of_one_core"], None))
    width = max(len(name) for name, *_ in shown)
    for name, value, n in shown:
        figure = "-" if value is None else f"{value:.4f}"
        lines.append(f"{name:<{width}}  {figure:>8}  {f'of {n}' if n else ''}".rstrip())
    lines += [f"failed: {row['file']}: {row['reason']}" for row in report["failed"]]
    return "\n".join(lines)
