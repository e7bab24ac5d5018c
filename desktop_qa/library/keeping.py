"""Keeping a question: its answer with what it was made with, or why it has none."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from desktop_qa import __version__
from desktop_qa.answer.source import EarlierEvidence
from desktop_qa.core.answer import Answer
from desktop_qa.core.errors import Cancelled, DesktopQaError, LibraryError
from desktop_qa.core.question import Question
from desktop_qa.core.stage_clock import StageClock
from desktop_qa.index.store import Store
from desktop_qa.library.sync import fingerprint
from desktop_qa.settings import RetrievalSettings

logger = logging.getLogger(__name__)


class HistoryKeeper:
    """Keeps one question of a library; a library that is open for reading keeps none."""

    def __init__(self, store: Store, settings: RetrievalSettings, question: Question) -> None:
        self._store = store
        self._question = question
        self._settings: dict[str, Any] = {
            "retrieval": asdict(settings),
            "versions": {"desktop_qa": __version__, "read_by": fingerprint()},
            "scope": list(question.scope),
            "prefer": list(question.prefer),
            "top_k": question.top_k,
        }

    def kept(self, answer: Answer, clock: StageClock) -> Answer:
        """Keep an answer and return it with its number; a full disk does not take it away."""
        if self._store.read_only:
            return answer
        try:
            history_id = self._store.add_history(
                answer,
                self._settings,
                conversation=self._question.conversation,
                timings=clock.seconds,
            )
        except LibraryError as error:
            logger.warning("The answer could not be kept in the history: %s", error)
            note = f"This answer could not be kept in the history: {error.message}"
            return replace(answer, notes=(*answer.notes, note))
        answer = replace(answer, history_id=history_id)
        keep_pictures(self._store, answer)
        return answer

    @contextlib.contextmanager
    def keeping_failures(self, clock: StageClock) -> Iterator[None]:
        """Keep the question with its reason when it fails, and let the error pass."""
        try:
            yield
        except Cancelled:
            raise
        except DesktopQaError as error:
            if self._question.text.strip() and not self._store.read_only:
                self._keep_failure(error, clock)
            raise

    def _keep_failure(self, error: DesktopQaError, clock: StageClock) -> None:
        try:
            self._store.add_failed_question(
                self._question.text,
                str(error),
                self._settings,
                conversation=self._question.conversation,
                seconds=clock.total,
            )
        except LibraryError as second:  # the first error is the one to be told
            logger.warning("The question could not be kept in the history: %s", second)


def keep_pictures(store: Store, answer: Answer) -> None:
    """Keep the figures that an answer of the history shows or cites."""
    shown = {*answer.figures, *(citation.marker for citation in answer.citations)}
    source = EarlierEvidence(store)
    pictures = {}
    for item in answer.evidence:
        figure = source.figure(item.segment) if item.marker in shown else None
        if figure is not None and figure.image_path:
            pictures[item.marker] = store.folder / figure.image_path
    if pictures:
        KeptFigures(store.folder).keep(answer.history_id, pictures)


_FOLDER = "history"
_SUFFIX = ".png"


class KeptFigures:
    """Pictures of earlier answers in a library's folder."""

    def __init__(self, library_folder: Path) -> None:
        self._folder = library_folder / _FOLDER

    def keep(self, history_id: int, pictures: Mapping[int, Path]) -> None:
        """Keep what an answer shows; one that cannot be kept is logged, the answer stands.

        Args:
            history_id: Of the answer.
            pictures: Files by the markers of their evidence.
        """
        folder = self._folder / str(history_id)
        for marker, picture in pictures.items():
            try:
                folder.mkdir(parents=True, exist_ok=True)
                _link_or_copy(picture, folder / f"{marker}{_SUFFIX}")
            except OSError as error:
                logger.warning("Figure [%d] of an answer is not kept: %s", marker, error)

    def path_of(self, history_id: int, marker: int) -> Path | None:
        """Return the picture of an answer; `None` when none was kept."""
        path = self._folder / str(history_id) / f"{marker}{_SUFFIX}"
        return path if path.is_file() else None

    def sweep(self, known: Callable[[Iterable[int]], set[int]]) -> None:
        """Remove the pictures of answers that are not in the history any more.

        Args:
            known: From numbers to those of them that are there.
        """
        if not self._folder.is_dir():
            return
        ids = [int(path.name) for path in self._folder.iterdir() if path.name.isdigit()]
        for gone in set(ids) - known(ids):
            shutil.rmtree(self._folder / str(gone), ignore_errors=True)


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except FileExistsError:
        return
    except OSError:  # a disk without hard links
        shutil.copyfile(source, target)
