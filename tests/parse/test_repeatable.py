"""Reading is repeatable: the same file gives the same document and the same images."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.pdf import PdfWriter, datasheet

pytestmark = pytest.mark.process

_SCRIPT = """
import hashlib, sys
from pathlib import Path
import msgspec
from desktop_qa.core.document import DocumentId
from desktop_qa.parse.document import read_document

path, figures = Path(sys.argv[1]), Path(sys.argv[2])
result = read_document(path, DocumentId("0" * 16), (path.name,), figures, lambda *_: None)
print(hashlib.sha256(msgspec.json.encode(result)).hexdigest(), len(result.document.figures))
for image in sorted(figures.iterdir()):
    print(image.name, hashlib.sha256(image.read_bytes()).hexdigest())
"""


def _report(path: Path, figures: Path, seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    ran = subprocess.run(
        [sys.executable, "-c", _SCRIPT, str(path), str(figures)],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    return ran.stdout


def _mixed(path: Path) -> Path:
    writer = PdfWriter(running_header="ACME1234", outline=False)
    writer.title("ACME1234 Amplifier")
    for chapter in range(1, 5):
        writer.heading(f"{chapter} Chapter")
        writer.two_columns(["The left column has words. " * 6], ["The right one as well. " * 6])
        writer.ruled_table([["Name", "Value"], ["Load", f"{chapter} mA"]], caption="Table 1. Loads")
        writer.image(caption=f"Figure {chapter}. Layout")
        writer.plot(caption=f"Figure {chapter + 4}. Curve")
    return writer.save(path)


@pytest.mark.parametrize("write", [datasheet, _mixed])
def test_reading_again_in_other_processes_gives_the_same_bytes(tmp_path, write):
    path = write(tmp_path / "acme.pdf")

    reports = [_report(path, tmp_path / f"figures-{seed}", seed) for seed in ("0", "1", "4242")]

    assert len(reports[0].splitlines()) > 1
    assert len(set(reports)) == 1
