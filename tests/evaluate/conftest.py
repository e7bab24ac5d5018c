from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_qa.library.facade import Library
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.helpers.pdf import PdfWriter


def write_sheet(path: Path, part: str, offset: str) -> None:
    """Write a datasheet of two pages whose siblings differ in numbers only."""
    writer = PdfWriter(running_footer="Acme Semiconductor")
    writer.title(f"{part} Precision Amplifier")
    writer.heading("1 Features")
    writer.paragraph(f"The {part} is a low noise amplifier for battery powered instruments.")
    writer.heading("2 Specifications")
    writer.heading("2.1 Electrical Characteristics", 2)
    writer.ruled_table(
        [
            ["PARAMETER", "CONDITIONS", "TYP", "UNIT"],
            ["Input offset voltage", "VS = 5 V", offset, "µV"],
            ["Quiescent current", "no load", "1.0", "mA"],
        ],
        caption="Table 1. Electrical characteristics",
    )
    writer.heading("3 Calibration")
    writer.paragraph("To calibrate the amplifier, short both inputs. Then wait two seconds.")
    writer.save(path)


@pytest.fixture(scope="session")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of two sibling datasheets."""
    folder = tmp_path_factory.mktemp("sheets")
    write_sheet(folder / "acm4197.pdf", "ACM4197", "25")
    write_sheet(folder / "acm4198.pdf", "ACM4198", "60")
    return folder


@pytest.fixture(scope="session")
def sheets_library(sheets: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the library of the two datasheets; to be read only."""
    folder = tmp_path_factory.mktemp("sheets") / "library"
    library = Library.open(folder, embedder=HashingEmbedder())
    library.add_source(sheets)
    library.sync()
    library.close()
    return folder


@pytest.fixture
def opened(sheets_library: Path) -> Iterator[Library]:
    """The library of the two datasheets, open for reading."""
    library = Library.open(sheets_library, read_only=True, embedder=HashingEmbedder())
    yield library
    library.close()
