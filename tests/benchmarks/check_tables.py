"""Checks of tables that need no gold: what cannot be right in a table of limits.

`python -m tests.benchmarks.check_tables FOLDER [--every N]`

Of every N-th document of a folder, by name. The script asks nothing of how tables are read but
their cells, so that it runs on older states of the program as well.
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections import Counter
from pathlib import Path

from desktop_qa.core.document import DocumentId, Table
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.parse.document import read_document

_BOUND = re.compile(r"\W*(min|typ|nom|max)(?:imum|ical|inal)?\W{0,4}\d?", re.IGNORECASE)
_SEVERAL_HEADS = re.compile(r"\bmin\b.*\b(?:typ|max)\b|\btyp\b.*\bmax\b", re.IGNORECASE)
_NUMBER = re.compile(r"[-\u2212\u2013+\u00b1]?\s?(?:\d[\d,]*(?:\.\d+)?|\.\d+)")
_RANKS = {"min": 0, "typ": 1, "nom": 1, "max": 2}
_MINUS = str.maketrans("\u2212\u2013", "--")


def main() -> None:
    """Read the documents and print what was counted."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--every", type=int, default=1)
    options = arguments.parse_args()
    counts: Counter[str] = Counter()
    for path in sorted(options.folder.glob("*.pdf"))[:: options.every]:
        try:
            result = read_document(path, DocumentId("0"), (path.name,), None, lambda *_: None)
        except DesktopQaError:
            continue
        counts["documents"] += 1
        for table in result.document.tables:
            counts["tables"] += 1
            counts.update(_checked(table))
    for name, n in counts.items():
        share = f"  {n / counts['cells of limits']:.4f}" if name.startswith("- ") else ""
        print(f"{name:45} {n}{share}")


def _checked(table: Table) -> Counter[str]:
    counts: Counter[str] = Counter()
    grid = table.grid()
    heads = [
        [cell.text for row in grid[: table.n_header_rows] if (cell := row[c]) and cell.text]
        for c in range(table.n_columns)
    ]
    counts["- heads of several limits in one column"] += sum(
        bool(of and _SEVERAL_HEADS.search(of[-1])) for of in heads
    )
    ranks = {
        c: _RANKS[match[1].casefold()]
        for c, of in enumerate(heads)
        if of and (match := _BOUND.fullmatch(of[-1]))
    }
    if not ranks:
        return counts
    counts["tables of limits"] += 1
    for row in grid[table.n_header_rows :]:
        cells = {c: cell for c in ranks if (cell := row[c]) is not None and cell.text}
        if not cells:
            continue
        counts["cells of limits"] += len(set(cells.values()))
        numbers: list[tuple[int, float]] = []
        for c, cell in cells.items():
            found = _NUMBER.findall(cell.text)
            if len(found) > 1 and _NUMBER.sub("", cell.text).strip() == "":
                counts["- several values in one cell"] += 1
            elif not found and len(cell.text) > 3:
                counts["- words under a limit"] += 1
            elif len(found) == 1:
                text = found[0].translate(_MINUS).replace(",", "").replace(" ", "")
                numbers.append((ranks[c], abs(float(text.lstrip("\u00b1+")))))
        for (a, low), (b, high) in itertools.pairwise(numbers):
            counts["- a limit above the next one"] += a < b and low > high
        first = min(cells)
        if not any(cell is not None and cell.text for cell in row[:first]):
            counts["- values of a row without a name"] += len(cells)
    return counts


if __name__ == "__main__":
    main()
