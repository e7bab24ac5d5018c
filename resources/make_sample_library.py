"""Build the sample library: `python resources/make_sample_library.py FOLDER`.

The PDFs are the program's demonstration and the truth of its tests, so the same sources give
the same pages everywhere; `questions.jsonl` and `suggestions.json` are written beside them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

# The sources are no part of the package, and a checkout need not be installed.
_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE), str(_HERE.parent)]

from sample_library_source.catalogue import write_library  # noqa: E402


def main() -> None:
    """Write every document and the question bank into the folder given."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("folder", type=Path, help="where the PDFs and questions go")
    folder: Path = arguments.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for path in write_library(folder):
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
