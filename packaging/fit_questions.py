"""Fits the model that questions are embedded by, to the vectors of the segments that answer them.

    python packaging/fit_questions.py LIBRARY... [--start FILE] [--mean-with FILE] [--out FILE]

The questions are those of `collect_lessons.py`. Each is put as the program would search for it;
right are the segments of its document that hold the answer and the label of its row. The vectors of
segments stay as they are, so no library has to be read again, and a batch is compared with all
segments of all libraries at once (InfoNCE; van den Oord et al., 2018): with those of the document,
which tells what is asked, and, by half, with all, which tells of what. Over 9,265 questions four
epochs take 20 minutes on two cores. `--start` goes on from what was fitted before, in two epochs
at a third of the rate. `--mean-with` writes the mean with another fit, which finds more than either
(Wortsman et al., "Robust fine-tuning of zero-shot models", 2022). Of the held-out documents it is
told, before and after, at which rank of its document the first right segment stands: of those that
a row of a table answers and of those that text does.
"""

from __future__ import annotations

import argparse
import csv
import logging
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from collect_lessons import QUESTIONS
from fit_relevance import LowRankEncoder
from safetensors.numpy import load_file, save_file
from torch import Tensor, nn

from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.question import Question
from desktop_qa.core.segment import Segment
from desktop_qa.evaluate.answers import stands_in
from desktop_qa.index.terms import terms_of
from desktop_qa.library.facade import Library
from desktop_qa.tokens import MAX_EMBEDDED_TOKENS

logger = logging.getLogger(__name__)

HELD_OUT = QUESTIONS.with_name("relevance_held_out.tsv")
RANK = 16
EPOCHS, RATE = 4, 6e-4
EPOCHS_MORE, RATE_MORE = 2, 2e-4
"""Of a fit that goes on: at the full rate it forgot the sheets and learned no guides."""

Differences = Mapping[str, npt.NDArray[np.float16]]

QUESTIONS_A_STEP = 32
SCALE = 20.0
"""Of cosines, as the embedding model itself was fitted."""

_OF_ALL = 0.5
_MIN_OF_ROW = 0.8


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question with the rows of the segments that answer it.

    Attributes:
        searched: What is embedded of it.
        is_of_row: A row of a table answers it.
        document: Rows of the segments of its document.
    """

    searched: str
    is_of_row: bool
    right: npt.NDArray[np.intp]
    document: npt.NDArray[np.intp]


def lessons_of(library: Library, questions: Path, n_before: int) -> Iterable[Lesson]:
    """Read questions as the library would; one whose answer no segment holds is no lesson.

    Args:
        library: With the documents, or some of them.
        questions: File of them.
        n_before: Rows that stand before those of this library.
    """
    retriever = library.retriever
    row_of = {one: row for row, one in enumerate(retriever.segment_ids(), n_before)}
    segments_of: dict[DocumentId, list[Segment]] = defaultdict(list)
    for segment, _file in library.segments():
        segments_of[segment.document_id].append(segment)
    documents = {name: status.document_id for status in library.statuses() for name in status.files}
    with questions.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["file"] in documents]
    for row in rows:
        segments = segments_of[documents[row["file"]]]
        label, right = set(terms_of(row["row"])), []
        for segment in segments if row["answer"] else ():
            text = f"{segment.text}\n{segment.metadata.context_line()}"
            is_row = len(label & set(terms_of(text))) >= _MIN_OF_ROW * len(label)
            if is_row and all(stands_in(cell, text) for cell in row["answer"].split(" | ")):
                right.append(row_of[segment.id])
        if not right:
            continue
        try:
            query = library.read_question(Question(row["question"])).query
        except DesktopQaError as error:  # such as one that is read as a follow-up
            logger.warning("%s: %s", row["question"], error)
            continue
        own = np.array([row_of[segment.id] for segment in segments])
        yield Lesson(retriever.searched(query), bool(row["row"]), np.array(right), own)


class QuestionEncoder(LowRankEncoder):
    """The embedding model with low-rank differences: tokens, mean, length 1."""

    def __init__(self) -> None:
        super().__init__(RANK)
        self.eval()  # without dropout: the vectors that it is fitted to are the model's own
        self.tokenizer.enable_truncation(MAX_EMBEDDED_TOKENS + 2)
        self.tokenizer.enable_padding()

    def forward(self, texts: Sequence[str]) -> Tensor:
        """Return vectors of length 1, shape (n_texts, 384)."""
        encodings = self.tokenizer.encode_batch(list(texts))
        mask = torch.tensor([encoding.attention_mask for encoding in encodings])
        ids = torch.tensor([encoding.ids for encoding in encodings])
        hidden = self.encoder(ids, mask).last_hidden_state * mask.unsqueeze(2)
        return nn.functional.normalize(hidden.sum(1) / mask.sum(1, True), dim=1)


def _among(scores: Tensor, rows: Sequence[npt.NDArray[np.intp]]) -> Tensor:
    """Return the log mass of some rows of each question, shape (n_questions,)."""
    own = [torch.logsumexp(s[torch.from_numpy(r)], 0) for s, r in zip(scores, rows, strict=True)]
    return torch.stack(own)


def fit(
    model: QuestionEncoder, lessons: Sequence[Lesson], vectors: Tensor, *, goes_on: bool
) -> None:
    """Fit the model; `vectors` are those of all segments, shape (n_rows, 384)."""
    n_epochs, rate = (EPOCHS_MORE, RATE_MORE) if goes_on else (EPOCHS, RATE)
    draw = random.Random(1)
    order = [one for _ in range(n_epochs) for one in draw.sample(lessons, len(lessons))]
    fitted = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(fitted, lr=rate, weight_decay=0.01)
    n_steps = len(order) // QUESTIONS_A_STEP
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, rate, total_steps=n_steps, pct_start=0.1, anneal_strategy="linear"
    )
    for step in range(n_steps):
        batch = order[step * QUESTIONS_A_STEP : (step + 1) * QUESTIONS_A_STEP]
        scores = SCALE * (model([lesson.searched for lesson in batch]) @ vectors.T)
        right = _among(scores, [lesson.right for lesson in batch])
        inside = _among(scores, [lesson.document for lesson in batch])
        loss = ((inside - right) + _OF_ALL * (torch.logsumexp(scores, 1) - right)).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(fitted, 1.0)
        optimizer.step()
        schedule.step()
        if step % 50 == 0:
            logger.info("step %d of %d: loss %.3f", step, n_steps, loss.item())


@torch.no_grad()
def report(model: QuestionEncoder, lessons: Sequence[Lesson], vectors: Tensor) -> None:
    """Tell at which rank among the segments of its document the first right one stands."""
    ranks: dict[bool, list[int]] = {True: [], False: []}
    for lesson in lessons:
        scores = (model([lesson.searched]) @ vectors.T)[0].numpy()
        rank = 1 + int((scores[lesson.document] > scores[lesson.right].max()).sum())
        ranks[lesson.is_of_row].append(rank)
    for is_of_row, own in ranks.items():
        shares = ", ".join(f"{np.mean(np.array(own) <= k):.3f} in {k}" for k in (1, 3, 15))
        kind = "rows" if is_of_row else "text"
        logger.info("%d held-out questions that %s answers: %s", len(own), kind, shares)


def mean_of(one: Differences, other: Differences) -> dict[str, np.ndarray]:
    """Return the mean of two fits, cut to `RANK` again by the singular values.

    Args:
        one: What `LowRankEncoder.differences` returns: for each matrix "a" and "b".
        other: The same of another fit; its rank may differ.
    """
    found = {}
    for name in (name.removesuffix(".a") for name in one if name.endswith(".a")):
        whole = sum(d[f"{name}.b"].astype(np.float32) @ d[f"{name}.a"] for d in (one, other)) / 2
        left, values, right = np.linalg.svd(whole, full_matrices=False)
        root = np.sqrt(values[:RANK])
        found[f"{name}.a"] = (root[:, None] * right[:RANK]).astype(np.float16)
        found[f"{name}.b"] = (left[:, :RANK] * root).astype(np.float16)
    return found


def main() -> None:
    """Collect, fit, write."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("libraries", type=Path, nargs="+")
    arguments.add_argument("--start", type=Path, help="what was fitted before, to go on from")
    arguments.add_argument("--mean-with", type=Path, help="another fit, of which half is taken")
    arguments.add_argument("--out", type=Path)
    options = arguments.parse_args()
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(1)
    held_out: list[Lesson] = []
    lessons: list[Lesson] = []
    rows = np.zeros((0, 384), np.float32)
    for folder in options.libraries:
        library = Library.open(folder, read_only=True)
        try:
            held_out += lessons_of(library, HELD_OUT, len(rows))
            lessons += lessons_of(library, QUESTIONS, len(rows))
            rows = np.concatenate([rows, library.retriever.vectors()])
        finally:
            library.close()
    vectors = torch.from_numpy(rows)
    model = QuestionEncoder()
    if options.start is not None:
        model.start_at(options.start)
    report(model, held_out, vectors)
    fit(model, lessons, vectors, goes_on=options.start is not None)
    report(model, held_out, vectors)
    if options.out is not None:
        save_file(model.differences(), options.out)
        if options.mean_with is not None:
            save_file(mean_of(load_file(options.out), load_file(options.mean_with)), options.out)
            model.start_at(options.out)
            report(model, held_out, vectors)


if __name__ == "__main__":
    main()
