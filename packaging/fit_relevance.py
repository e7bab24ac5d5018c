"""Fits the model of relevance: which statement answers a question, and whether any does.

    python packaging/fit_relevance.py LIBRARY... --out resources/models/relevance.safetensors
    python packaging/fit_relevance.py LIBRARY... --questions packaging/relevance_held_out.tsv

The questions lie in `packaging/relevance_questions.tsv`: file, question, answer and, of a table,
the label of its row, each copied from the document; one question in twelve has no answer in it.
They were written from the pages of datasheets of many makers, guides and annual reports that no
bank of questions asks about; the documents are not in the repository. Each is asked of the library
that has its file. The statements that the program then chooses among are what is learned on: those
of the right document that hold answer and row are right, all others wrong. In one of six lessons
the right ones are left out, in one of six all are said to stand in another document than the one
that the question names, and what has to be said is that none answers: so the scores are log odds,
comparable from question to question.

Without `--out` nothing is fitted: it is told how often the program as it is puts a right statement
first. `relevance_held_out.tsv` has questions for that.

The model is the embedding model's encoder, which reads question and statement as one text. It
starts at late interaction (Khattab and Zaharia, "ColBERT", 2020), which orders statements without
any fitting; what is fitted are low-rank differences of its weights (Hu et al., "LoRA", 2021) and a
linear layer that starts at nothing.
"""

from __future__ import annotations

import argparse
import csv
import logging
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from desktop_qa.answer.ranking import shipped_weights
from desktop_qa.answer.trial import trial
from desktop_qa.core.document import DocumentId
from desktop_qa.core.errors import DesktopQaError
from desktop_qa.core.question import Question
from desktop_qa.evaluate.matching import stands_in
from desktop_qa.index.embedding_engines import pair_tokenizer, pairs
from desktop_qa.index.terms import terms_of
from desktop_qa.library.facade import Library
from desktop_qa.tokens import model_folder

logger = logging.getLogger(__name__)

QUESTIONS = Path(__file__).with_name("relevance_questions.tsv")
RANK = 16
EPOCHS = 2
QUESTIONS_A_STEP = 8
WRONG_A_QUESTION = 6
"""Of the two dozen that the program would read."""

NONE_RIGHT = 0.15
OTHER_DOCUMENT = 0.15
RATE = 6e-4
_MIN_OF_ROW = 0.8
_FITTED = ("query", "key", "value", "dense")


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question with the statements that it was to be answered from, in their order.

    Attributes:
        others: Titles of other documents, of a question that names its own.
        is_first_right: The program puts a right one first.
    """

    question: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    others: tuple[str, ...] = ()
    is_first_right: bool = False


class _LowRank(nn.Module):
    """A linear layer with a difference of low rank, nothing at first."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.layer = layer
        scale = math.sqrt(layer.in_features)
        self.a = nn.Parameter(torch.randn(RANK, layer.in_features) / scale)
        self.b = nn.Parameter(torch.zeros(layer.out_features, RANK))

    def forward(self, values: Tensor) -> Tensor:
        return self.layer(values) + 2.0 * (values @ self.a.T) @ self.b.T


class Relevance(nn.Module):
    """What `make_model_graph.make_relevance` computes, with weights that can be fitted."""

    def __init__(self) -> None:
        super().__init__()
        folder = model_folder()
        config = BertConfig.from_pretrained(str(folder))
        self.encoder = BertModel(config, add_pooling_layer=False)
        own = load_file(folder / "model.safetensors")
        self.encoder.load_state_dict({n: torch.from_numpy(w) for n, w in own.items()}, strict=False)
        self.encoder.requires_grad_(False)
        for module in list(self.encoder.encoder.modules()):
            for name, child in list(module.named_children()):
                if name in _FITTED and isinstance(child, nn.Linear):
                    setattr(module, name, _LowRank(child))
        self.scale = nn.Parameter(torch.tensor([10.0]))
        self.head = nn.Linear(2 * config.hidden_size, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, question_mask: Tensor) -> Tensor:
        """Return log odds, shape (n_texts,), of what `embedding_engines.pairs` returns."""
        hidden = self.encoder(input_ids, attention_mask).last_hidden_state
        asked = question_mask.float()
        stated = attention_mask.float() - asked
        lengths = nn.functional.normalize(hidden, dim=2)
        cosines = lengths @ lengths.transpose(1, 2) + 4.0 * (stated - 1.0).unsqueeze(1)
        near = (cosines.amax(2) * asked).sum(1) / asked.sum(1)
        means = [(hidden * m.unsqueeze(2)).sum(1) / m.sum(1, True) for m in (stated, asked)]
        linear: Tensor = self.head(torch.cat([means[0], means[0] * means[1]], 1)).squeeze(1)
        return self.scale * near + linear

    def differences(self) -> dict[str, np.ndarray]:
        """Return what `embedding_engines.relevance_weights` takes, in half precision."""
        found = {"relevance.scale": self.scale}
        found |= {f"relevance.head.{name}": own for name, own in self.head.named_parameters()}
        for name, module in self.encoder.named_modules():
            if isinstance(module, _LowRank):
                found |= {f"{name}.weight.a": module.a, f"{name}.weight.b": 2.0 * module.b}
        return {name: own.detach().numpy().astype(np.float16) for name, own in found.items()}


def lessons_of(library: Library, questions: Path = QUESTIONS) -> Iterable[Lesson]:
    """Ask the library what was written over its documents; an answer not found, no lesson."""
    documents = {name: status.document_id for status in library.statuses() for name in status.files}
    titles = {status.document_id: status.title for status in library.statuses()}
    with questions.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["file"] in documents]
    weights = shipped_weights()
    for row in rows:
        try:
            with trial() as own:
                library.ask(Question(row["question"]))
        except DesktopQaError as error:  # such as one that is read as a follow-up
            logger.warning("%s: %s", row["question"], error)
            continue
        label = set(terms_of(row["row"]))
        for measured in own.measured:
            right: list[str] = []
            wrong: list[str] = []
            scores = [sum(weights[n] * own[n] for n in weights) for own in measured.features]
            order = np.argsort(np.negative(scores), kind="stable")
            for statement in (measured.statements[n] for n in order):
                text = statement.in_place
                is_right = (
                    row["answer"] != ""
                    and statement.evidence.segment.document_id == documents[row["file"]]
                    and all(stands_in(cell, statement.text) for cell in row["answer"].split(" | "))
                    and len(label & set(terms_of(f"{text} {statement.about}")))
                    >= _MIN_OF_ROW * len(label)
                )
                (right if is_right else wrong).append(text)
            if wrong and (right or not row["answer"]):
                is_first = measured.statements[order[0]].in_place in right
                others = _others(row["question"], documents[row["file"]], titles, right)
                yield Lesson(row["question"], tuple(right), tuple(wrong), others, is_first)
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


def fit(model: Relevance, lessons: Sequence[Lesson]) -> None:
    """Fit the model by the log likelihood of a right statement, or of none, among all drawn."""
    draw = random.Random(1)
    tokenizer = pair_tokenizer(model_folder())
    fitted = [p for p in model.parameters() if p.requires_grad]
    of_head = [model.scale, *model.head.parameters()]
    inner = [p for p in fitted if all(p is not one for one in of_head)]
    optimizer = torch.optim.AdamW(
        [{"params": inner, "lr": RATE}, {"params": of_head, "lr": 5 * RATE}], weight_decay=0.01
    )
    n_steps = EPOCHS * (len(lessons) // QUESTIONS_A_STEP)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [RATE, 5 * RATE], total_steps=n_steps, pct_start=0.06, anneal_strategy="linear"
    )
    order = [one for _ in range(EPOCHS) for one in draw.sample(lessons, len(lessons))]
    model.train()
    for step in range(n_steps):
        loss = torch.zeros(())
        for lesson in order[step * QUESTIONS_A_STEP : (step + 1) * QUESTIONS_A_STEP]:
            is_none = not lesson.right or draw.random() < NONE_RIGHT
            drawn = draw.sample(lesson.wrong, min(len(lesson.wrong), WRONG_A_QUESTION))
            texts = (*([] if is_none else [draw.choice(lesson.right[:6])]), *drawn)
            if lesson.others and draw.random() < OTHER_DOCUMENT:
                is_none, other = True, draw.choice(lesson.others)
                texts = tuple(f"{text.rpartition(' | ')[0]} | {other}" for text in texts)
            scores = torch.zeros(len(texts))
            for places, feed in pairs(tokenizer, lesson.question, texts):
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    own = model(**{n: torch.from_numpy(v) for n, v in feed.items()})
                scores = scores.index_put((torch.from_numpy(places),), own.float())
            odds = torch.cat([scores, torch.zeros(1)])
            loss = loss - torch.log_softmax(odds, 0)[-1 if is_none else 0] / QUESTIONS_A_STEP
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(fitted, 1.0)
        optimizer.step()
        schedule.step()
        if step % 20 == 0:
            logger.info("step %d of %d: loss %.3f", step, n_steps, loss.item())


def main() -> None:
    """Collect, fit, write."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("libraries", type=Path, nargs="+")
    arguments.add_argument("--questions", type=Path, default=QUESTIONS)
    arguments.add_argument("--out", type=Path)
    options = arguments.parse_args()
    logging.basicConfig(level=logging.INFO)
    lessons: list[Lesson] = []
    for folder in options.libraries:
        library = Library.open(folder, read_only=True)
        try:
            lessons += lessons_of(library, options.questions)
        finally:
            library.close()
        logger.info("%d questions that teach, %s included", len(lessons), folder)
    n_first = sum(lesson.is_first_right for lesson in lessons)
    logger.info("The right one stands first in %.3f", n_first / max(len(lessons), 1))
    if options.out is None:
        return
    torch.manual_seed(1)
    model = Relevance()
    fit(model, lessons)
    save_file(model.differences(), options.out)


if __name__ == "__main__":
    main()
