"""The fixed subset of the real library that tests and short benchmarks read: 292 pages."""

from __future__ import annotations

from pathlib import Path

TEN_FILES = (
    "ADI_AD5260_5262.pdf",  # tables without lines
    "ADI_ADUM1100.pdf",
    "ESPRESSIF_ESP-WROOM-32.pdf",  # rotated pages
    "MICROCHIP_25AA640.pdf",
    "SENSIRION_SCD4X.pdf",  # no outline
    "TI_DRV5011.pdf",
    "TI_LP5912.pdf",
    "TI_OPA4197.pdf",  # a table over two pages
    "TI_OPT3007.pdf",
    "TI_TL5209.pdf",
)


def link_ten_files(shared: Path, folder: Path) -> Path:
    """Make a folder with links to them, and return it."""
    folder.mkdir()
    for name in TEN_FILES:
        (folder / name).symlink_to(shared / "library" / name)
    return folder
