"""What the window may ask of pieces of evidence: more like one, its table as a file."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_qa.service.lanes import Methods

if TYPE_CHECKING:
    from desktop_qa.core.segment import SegmentId
    from desktop_qa.library.facade import Library


class EvidenceRequests:
    """Carries them out beside questions; the user has looked on when a later one comes.

    Attributes:
        methods: By name.
    """

    def __init__(self, library: Callable[[], Library]) -> None:
        self._library = library
        self._lane = ThreadPoolExecutor(1, thread_name_prefix="evidence-lane")
        self._latest_similar = 0
        self.methods: Methods = {
            "similar_segments": self._similar_segments,
            "export_cells": self._export_cells,
        }

    def lane_of(self, method: str, request_id: int) -> ThreadPoolExecutor:
        """See `Requests`; an earlier search for more of a kind is given up."""
        if method == "similar_segments":
            self._latest_similar = request_id
        return self._lane

    def end(self) -> None:
        """See `Requests`."""
        self._latest_similar = 0
        self._lane.shutdown(wait=True, cancel_futures=True)

    def _similar_segments(self, request_id: int, segment_id: SegmentId) -> Any:
        return self._library().similar_segments(
            segment_id, is_cancelled=lambda: self._latest_similar != request_id
        )

    def _export_cells(
        self, _request_id: int, rows: list[list[str]], target: str, for_excel: bool = True
    ) -> None:
        from desktop_qa.answer_export.table_csv import write_cells

        write_cells(rows, Path(target), for_excel=for_excel)
