"""What pymupdf4llm makes of files: `python -m tests.benchmarks.pymupdf4llm_pages FILE...`.

In a process of its own, because Desktop QA keeps the layout model of PyMuPDF from being loaded.
Prints a line of JSON for each file: its path, the text of each page, and the seconds it took.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time


def main() -> None:
    """Read each file once; what is imported is imported before the clock starts."""
    import pymupdf.layout  # noqa: F401 - switches the layout model on
    import pymupdf4llm

    for path in sys.argv[1:]:
        started = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            chunks = pymupdf4llm.to_markdown(path, page_chunks=True)
        seconds = time.perf_counter() - started
        texts = [chunk["text"] for chunk in chunks]
        print(json.dumps({"path": path, "texts": texts, "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main()
