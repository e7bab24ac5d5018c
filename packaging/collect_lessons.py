"""Collects what the model of relevance is fitted on (`fit_relevance.py`), and tells how good it is.

    python packaging/collect_lessons.py LIBRARY... --out LESSONS [--questions FILE]
    python packaging/collect_lessons.py LIBRARY... --questions packaging/relevance_held_out.tsv

The questions lie in `packaging/relevance_questions.tsv`: file, question, answer and, of a table,
the label of its row, each copied from the document; one question in four has no answer in it.
They were written from the pages of datasheets of many makers, guides and annual reports that no
bank of questions asks about; the documents are not in the repository. Each is asked of the library
that has its file. The statements that the program then chooses among are what is learned on: those
of the right document that hold answer and row are right, those that hold the answer alone are
neither, all others wrong.

Without `--out` nothing is written: it is told how often the program as it is puts a right statement
first. `relevance_held_out.tsv` has questions for that.
"""

from __future__ import annotations

import argparse
import csv
import logging
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from fit_relevance import Lesson, write_lessons

from desktop_qa.answer.ranking import Measured, shipped_weights
from desktop_qa.answer.trial import trial
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.question import Question
from desktop_qa.evaluate.answers import stands_in
from desktop_qa.index.terms import terms_of
from desktop_qa.library.facade import Library

logger = logging.getLogger(__name__)

QUESTIONS = Path(__file__).with_name("relevance_questions.tsv")
_MIN_OF_ROW = 0.8


class _Met(BaseException):
    """The statements of a question are there."""


class _First(list[Measured]):
    """Ends the question with the first statements that are put here."""

    def append(self, measured: Measured) -> None:
        super().append(measured)
        raise _Met


def lessons_of(library: Library, questions: Path, weights: Mapping[str, float]) -> Iterable[Lesson]:
    """Ask the library what was written over its documents; an answer not found, no lesson.

    Args:
        library: With the documents, or some of them.
        questions: File of them.
        weights: That order the statements; where relevance has none, they are not read for it.
    """
    documents = {name: status.document_id for status in library.statuses() for name in status.files}
    titles = {status.document_id: status.title for status in library.statuses()}
    with questions.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["file"] in documents]
    for row in rows:
        try:
            with trial(weights) as own:
                own.measured = _First()
                library.ask(Question(row["question"]))
        except _Met:  # what answer is made of them teaches nothing
            pass
        except DesktopQaError as error:  # such as one that is read as a follow-up
            logger.warning("%s: %s", row["question"], error)
            continue
        label, answer = set(terms_of(row["row"])), row["answer"].split(" | ")
        for measured in own.measured:
            right: list[str] = []
            wrong: list[str] = []
            alike: list[str] = []
            scores = [sum(weights[n] * own[n] for n in weights) for own in measured.features]
            order = np.argsort(np.negative(scores), kind="stable")
            for statement, text in ((measured.statements[n], measured.texts[n]) for n in order):
                holds = (
                    row["answer"] != ""
                    and statement.evidence.segment.document_id == documents[row["file"]]
                    and all(stands_in(one, statement.text) for one in answer)
                )
                of_row = label & set(terms_of(f"{text} {statement.about}"))
                is_right = holds and len(of_row) >= _MIN_OF_ROW * len(label)
                (right if is_right else alike if holds else wrong).append(text)
            if wrong and (right or not row["answer"]):
                is_first = measured.texts[order[0]] in right
                others = _others(row["question"], documents[row["file"]], titles, right)
                yield Lesson(
                    row["question"], tuple(right), tuple(wrong), tuple(alike), others,
                    row["file"], is_first,
                )  # fmt: skip
                break


def _others(
    question: str, document: DocumentId, titles: Mapping[DocumentId, str], right: Sequence[str]
) -> tuple[str, ...]:
    """Return other titles, where by its title alone the right document is the one asked about."""
    others = tuple(title for one, title in titles.items() if one != document)
    named = set(terms_of(question)) & set(terms_of(titles[document]))
    named -= {term for title in others for term in terms_of(title)}
    stated = {term for text in right for term in terms_of(text.rpartition(" | ")[0])}
    return others if named and not named & stated else ()


def main() -> None:
    """Ask, write."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("libraries", type=Path, nargs="+")
    arguments.add_argument("--questions", type=Path, default=QUESTIONS)
    arguments.add_argument("--out", type=Path)
    options = arguments.parse_args()
    logging.basicConfig(level=logging.INFO)
    weights = dict(shipped_weights())
    if options.out is not None:
        weights["relevance"] = 0.0
    lessons: list[Lesson] = []
    for folder in options.libraries:
        library = Library.open(folder, read_only=True)
        try:
            lessons += lessons_of(library, options.questions, weights)
        finally:
            library.close()
        logger.info("%d questions that teach, %s included", len(lessons), folder)
        if options.out is not None:
            write_lessons(options.out, lessons)
    answered = [lesson for lesson in lessons if lesson.right]
    n_first = sum(lesson.is_first_right for lesson in answered)
    logger.info("The right one stands first in %.3f", n_first / max(len(answered), 1))


if __name__ == "__main__":
    main()
