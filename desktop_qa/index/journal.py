"""The part of the store that remembers what was asked, and how the answers pleased."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import Any

import msgspec

from desktop_qa.core.answer import Answer
from desktop_qa.index.database import Database
from desktop_qa.index.records import FeedbackRecord, HistoryRecord

logger = logging.getLogger(__name__)


class Journal:
    """Questions with their answers, and thumbs."""

    _database: Database

    def add_history(
        self,
        answer: Answer,
        settings: Mapping[str, Any] | None = None,
        asked_at: float | None = None,
    ) -> int:
        """Keep an answer as it is and return its number.

        Args:
            answer: With its citations and evidence.
            settings: What it was made with; JSON values only.
            asked_at: Seconds since the epoch; now when not given.
        """
        with self._database.write() as connection:
            cursor = connection.execute(
                "INSERT INTO history (asked_at, question, answer, settings, seconds)"
                " VALUES (?, ?, ?, ?, ?)",
                (
                    time.time() if asked_at is None else asked_at,
                    answer.question,
                    msgspec.json.encode(answer),
                    msgspec.json.encode(dict(settings or {})).decode(),
                    answer.seconds,
                ),
            )
            return int(cursor.lastrowid or 0)

    def history(self, limit: int = 200) -> tuple[HistoryRecord, ...]:
        """Return the latest answers, the newest first."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT id, asked_at, answer, settings, seconds FROM history"
                " ORDER BY id DESC LIMIT ?",
                (limit,),
            ).fetchall()
        records = []
        for number, asked_at, answer, settings, seconds in rows:
            try:
                decoded = msgspec.json.decode(answer, type=Answer)
            except msgspec.MsgspecError as error:
                # It stays in the database; a later version may know how to read it.
                logger.warning("Answer %d of the history cannot be shown: %s", number, error)
                continue
            records.append(
                HistoryRecord(number, asked_at, decoded, msgspec.json.decode(settings), seconds)
            )
        return tuple(records)

    def add_feedback(self, history_id: int, verdict: int, comment: str = "") -> int:
        """Keep a thumb for an answer: 1 is up, -1 is down."""
        with self._database.write() as connection:
            cursor = connection.execute(
                "INSERT INTO feedback (history_id, verdict, comment, at) VALUES (?, ?, ?, ?)",
                (history_id, verdict, comment, time.time()),
            )
            return int(cursor.lastrowid or 0)

    def feedback(self) -> tuple[FeedbackRecord, ...]:
        """Return all thumbs in the order in which they were given."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT id, history_id, verdict, comment, at FROM feedback ORDER BY id"
            ).fetchall()
        return tuple(FeedbackRecord(*row) for row in rows)
