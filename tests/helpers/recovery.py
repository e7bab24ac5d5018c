"""Kill an ingest again and again, and compare what is left with an undisturbed one."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import psutil

from desktop_qa.core.document import Document
from desktop_qa.core.segment import Segment
from desktop_qa.library.facade import Library
from desktop_qa.settings import Settings
from tests.helpers import command_line

_ORPHAN_GRACE_S = 60.0


@dataclass(frozen=True)
class Content:
    """What a library holds, in its order."""

    segments: tuple[tuple[Segment, str], ...]
    documents: tuple[Document, ...]


def content_of(folder: Path) -> Content:
    """Read a library without writing to it."""
    with closing(Library.open(folder, read_only=True, settings=Settings())) as library:
        ids = sorted(status.document_id for status in library.statuses())
        segments = sorted(library.segments(), key=lambda row: row[0].id)
        return Content(tuple(segments), tuple(library.document(one) for one in ids))


def ingest(source: Path, library: Path) -> float:
    """Ingest undisturbed; returns the seconds it took."""
    started = time.monotonic()
    report = command_line.run_json("ingest", source, "--library", library, timeout_s=1200)
    assert report["failed"] == [], report
    return time.monotonic() - started


def ingest_with_kills(
    source: Path, library: Path, n_kills: int, seconds: float, seed: int
) -> list[float]:
    """Start an ingest, kill it at a random moment, and so on; then let one end.

    When an ingest ends before its kill, the library is made anew for the kills that are left.

    Args:
        source: Folder of documents.
        library: Folder of the library.
        n_kills: How many processes die.
        seconds: Duration of an undisturbed ingest; the moments are drawn from it.
        seed: Of the moments.

    Returns:
        The moments in seconds after the start of each killed process.
    """
    moments = random.Random(seed)
    killed: list[float] = []
    while len(killed) < n_kills:
        moment = moments.uniform(0.05, 0.75) * seconds
        if _killed_after(moment, source, library):
            killed.append(round(moment, 2))
        else:
            shutil.rmtree(library)
    ingest(source, library)
    return killed


def _killed_after(moment: float, source: Path, library: Path) -> bool:
    """Run an ingest for so many seconds; False when it ended by itself before."""
    process = subprocess.Popen(
        command_line.command("ingest", source, "--library", library),
        env=command_line.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.wait(timeout=moment)
    except subprocess.TimeoutExpired:
        children = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.wait()
        _, alive = psutil.wait_procs(children, timeout=_ORPHAN_GRACE_S)
        assert not alive, f"children outlived their killed parent: {alive}"
        return True
    assert process.returncode == 0
    return False
