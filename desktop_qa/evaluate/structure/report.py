"""The report on structure: sums over files, as JSON and for a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from desktop_qa.evaluate.structure.captions import CaptionCounts
from desktop_qa.evaluate.structure.count import Count, f1
from desktop_qa.evaluate.structure.gold_tables import CellCounts
from desktop_qa.evaluate.structure.headings import HeadingCounts
from desktop_qa.evaluate.structure.places import PlaceCounts
from desktop_qa.evaluate.structure.runner import FileStructure
from desktop_qa.evaluate.structure.words import WordCounts


def structure_report(
    files: Sequence[FileStructure], *, with_findings: bool = True
) -> dict[str, Any]:
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
                **({"findings": asdict(file.findings)} if with_findings else {}),
            }
            for file in read
        ],
    }


def _measures(files: Sequence[FileStructure]) -> dict[str, Any]:
    headings = sum((f.headings for f in files), HeadingCounts())
    captions = sum((f.captions for f in files), CaptionCounts())
    cells = sum((f.cells for f in files), CellCounts())
    words = sum((f.words for f in files), WordCounts())
    places = sum((f.places for f in files), PlaceCounts())
    return {
        "headings": {
            "f1": _rounded(f1(headings.precision.share, headings.recall.share)),
            "precision": _share(headings.precision),
            "recall": _share(headings.recall),
            "level": _share(headings.level),
            "n": headings.recall.n,
        },
        "captions": {
            "tables": _share(captions.tables),
            "tables_of_any_size": _share(captions.tables_of_any_size),
            "n_tables": captions.tables.n,
            "figures": _share(captions.figures),
            "figures_on_half_page": _share(captions.figures_on_half_page),
            "n_figures": captions.figures.n,
        },
        "cells": {
            "found": _share(cells.cells),
            "n": cells.cells.n,
            "identities": _share(cells.identities),
            "n_identities": cells.identities.n,
            "continued": _share(cells.continued),
            "n_continued": cells.continued.n,
        },
        "words": {
            "kept_once": _share(words.kept_once),
            "foreign": _share(words.foreign),
            "n": words.kept_once.n,
            "running_left": _share(words.running_left),
            "n_running": words.running_left.n,
        },
        "rectangles": {
            "words_own": _share(places.words),
            "area_ratio": _share(places.area),
            "segments_tight": _share(places.tight),
            "n_segments": places.tight.n,
            "cells_alone": _share(places.cells),
            "n_cells": places.cells.n,
        },
    }


def _share(count: Count) -> float | None:
    return _rounded(count.share)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def format_structure_report(report: dict[str, Any]) -> str:
    """Lay the report out for a person."""
    lines = [f"{report['files']} files, {report['pages']} pages"]
    rows = [
        ("headings F1", report["headings"]["f1"], report["headings"]["n"]),
        ("  precision", report["headings"]["precision"], ""),
        ("  recall", report["headings"]["recall"], ""),
        ("  level right, of the found", report["headings"]["level"], ""),
        ("captions of tables with their table", *_pair(report, "captions", "tables")),
        ("  of any size, one row included", report["captions"]["tables_of_any_size"], ""),
        ("captions of figures with their figure", *_pair(report, "captions", "figures")),
        ("  on at most half the page", report["captions"]["figures_on_half_page"], ""),
        ("gold cells found", report["cells"]["found"], report["cells"]["n"]),
        (
            "  with their whole identity",
            report["cells"]["identities"],
            report["cells"]["n_identities"],
        ),
        ("  of continued tables", report["cells"]["continued"], report["cells"]["n_continued"]),
        ("words kept exactly once", report["words"]["kept_once"], report["words"]["n"]),
        ("words not on the page", report["words"]["foreign"], ""),
        ("running lines left in", report["words"]["running_left"], report["words"]["n_running"]),
        ("words under rectangles that are the segment's", report["rectangles"]["words_own"], ""),
        ("  area over that of the words", report["rectangles"]["area_ratio"], ""),
        (
            "  segments within 1.3",
            report["rectangles"]["segments_tight"],
            report["rectangles"]["n_segments"],
        ),
        (
            "cells alone under their rectangle",
            report["rectangles"]["cells_alone"],
            report["rectangles"]["n_cells"],
        ),
        ("pages/s of one process", report["pages_per_second_of_one_core"], ""),
    ]
    width = max(len(name) for name, *_ in rows)
    for name, value, n in rows:
        shown = "-" if value is None else f"{value:.4f}"
        lines.append(f"{name:<{width}}  {shown:>8}  {f'of {n}' if n else ''}".rstrip())
    lines += [f"failed: {row['file']}: {row['reason']}" for row in report["failed"]]
    return "\n".join(lines)


def _pair(report: dict[str, Any], group: str, name: str) -> tuple[Any, Any]:
    return report[group][name], report[group][f"n_{name}"]
