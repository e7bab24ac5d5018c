"""Fits the model of relevance: which statement answers a question, and whether any does.

    python packaging/fit_relevance.py LIBRARY... --out FILE [--start WEIGHTS]
    python packaging/fit_relevance.py LIBRARY... --questions packaging/relevance_held_out.tsv

The questions lie in `packaging/relevance_questions.tsv`: file, question, answer and, of a table,
the label of its row, each copied from the document; one question in eleven has no answer in it.
They were written from the pages of datasheets of many makers, guides and annual reports that no
bank of questions asks about; the documents are not in the repository. Each is asked of the library
that has its file. The statements that the program then chooses among are what is learned on: those
of the right document that hold answer and row are right, all others wrong. In one of twenty lessons
the right ones are left out, in one of ten of those that name a document all are said to stand in
another, and what has to be said is that none answers: so the scores are log odds, comparable from
question to question. `--start` goes on from what was fitted before. The weights that ship were
fitted in three such runs (docs/evaluation.md); over 3,600 lessons one epoch takes 16 minutes on two
cores.

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
from desktop_qa.evaluate.answers import stands_in
from desktop_qa.index.embedding_engines import pair_tokenizer, pairs
from desktop_qa.index.terms import terms_of
from desktop_qa.library.facade import Library
from desktop_qa.tokens import model_folder

logger = logging.getLogger(__name__)

QUESTIONS = Path(__file__).with_name("relevance_questions.tsv")
RANK = 16
EPOCHS = 2
QUESTIONS_A_STEP = 8
WRONG_A_QUESTION = 5
"""Of the two dozen that the program would read."""

NONE_RIGHT = 0.05
OTHER_DOCUMENT = 0.1
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


class LowRankEncoder(nn.Module):
    """The embedding model's encoder, of which low-rank differences are fitted."""

    def __init__(self) -> None:
        super().__init__()
        folder = model_folder()
        self.config = BertConfig.from_pretrained(str(folder))
        self.encoder = BertModel(self.config, add_pooling_layer=False)
        own = load_file(folder / "model.safetensors")
        self.encoder.load_state_dict({n: torch.from_numpy(w) for n, w in own.items()}, strict=False)
        self.encoder.requires_grad_(False)
        for module in list(self.encoder.encoder.modules()):
            for name, child in list(module.named_children()):
                if name in _FITTED and isinstance(child, nn.Linear):
                    setattr(module, name, _LowRank(child))
        self.tokenizer = pair_tokenizer(folder)

    def start_at(self, path: Path) -> dict[str, Tensor]:
        """Take up what was fitted before, see `differences`, and return all that stands there."""
        own = {name: torch.from_numpy(v.astype(np.float32)) for name, v in load_file(path).items()}
        with torch.no_grad():
            for name, module in self.encoder.named_modules():
                if isinstance(module, _LowRank):
                    module.a.copy_(own[f"{name}.weight.a"])
                    module.b.copy_(own[f"{name}.weight.b"] / 2.0)
        return own

    def differences(self) -> dict[str, np.ndarray]:
        """Return what `embedding_engines.fitted_weights` takes, in half precision."""
        found: dict[str, Tensor] = {}
        for name, module in self.encoder.named_modules():
            if isinstance(module, _LowRank):
                found |= {f"{name}.weight.a": module.a, f"{name}.weight.b": 2.0 * module.b}
        return {name: own.detach().numpy().astype(np.float16) for name, own in found.items()}


class Relevance(LowRankEncoder):
    """What `make_model_graph.make_relevance` computes, with weights that can be fitted."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.tensor([10.0]))
        self.head = nn.Linear(2 * self.config.hidden_size, 1)
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

    def odds(self, question: str, texts: Sequence[str]) -> Tensor:
        """Return log odds, shape (n_texts,), that each answers the question."""
        found = torch.zeros(len(texts))
        for places, feed in pairs(self.tokenizer, question, texts):
            own = self(**{name: torch.from_numpy(values) for name, values in feed.items()})
            found = found.index_put((torch.from_numpy(places),), own)
        return found

    def start_at(self, path: Path) -> dict[str, Tensor]:
        """Take up the linear layer, too."""
        own = super().start_at(path)
        with torch.no_grad():
            self.scale.copy_(own["relevance.scale"])
            for name, parameter in self.head.named_parameters():
                parameter.copy_(own[f"relevance.head.{name}"])
        return own

    def differences(self) -> dict[str, np.ndarray]:
        """Return what `embedding_engines.fitted_weights` takes, in half precision."""
        own = {"relevance.scale": self.scale}
        own |= {f"relevance.head.{name}": one for name, one in self.head.named_parameters()}
        return super().differences() | {
            name: one.detach().numpy().astype(np.float16) for name, one in own.items()
        }


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


def fit(model: Relevance, lessons: Sequence[Lesson], *, goes_on: bool = False) -> None:
    """Fit the model by the log likelihood of a right statement, or of none, among all drawn.

    Args:
        model: At its start, or as it was fitted before.
        lessons: To learn from.
        goes_on: It was fitted before: one epoch at half the rate.
    """
    n_epochs, rate = (1, RATE / 2) if goes_on else (EPOCHS, RATE)
    draw = random.Random(1)
    fitted = [p for p in model.parameters() if p.requires_grad]
    of_head = [model.scale, *model.head.parameters()]
    inner = [p for p in fitted if all(p is not one for one in of_head)]
    optimizer = torch.optim.AdamW(
        [{"params": inner, "lr": rate}, {"params": of_head, "lr": 5 * rate}], weight_decay=0.01
    )
    n_steps = n_epochs * (len(lessons) // QUESTIONS_A_STEP)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [rate, 5 * rate], total_steps=n_steps, pct_start=0.06, anneal_strategy="linear"
    )
    order = [one for _ in range(n_epochs) for one in draw.sample(lessons, len(lessons))]
    model.train()
    for step in range(n_steps):
        loss = torch.zeros(())
        for lesson in order[step * QUESTIONS_A_STEP : (step + 1) * QUESTIONS_A_STEP]:
            texts, has_right = drawn(lesson, draw)
            odds = torch.cat([model.odds(lesson.question, texts), torch.zeros(1)])
            place = 0 if has_right else -1
            loss = loss - torch.log_softmax(odds, 0)[place] / QUESTIONS_A_STEP
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(fitted, 1.0)
        optimizer.step()
        schedule.step()
        if step % 20 == 0:
            logger.info("step %d of %d: loss %.3f", step, n_steps, loss.item())


def drawn(lesson: Lesson, draw: random.Random) -> tuple[Sequence[str], bool]:
    """Draw the statements of one lesson; whether the first of them is a right one."""
    wrong = draw.sample(lesson.wrong, min(len(lesson.wrong), WRONG_A_QUESTION))
    has_right = bool(lesson.right) and draw.random() >= NONE_RIGHT
    texts = [*([draw.choice(lesson.right[:6])] if has_right else []), *wrong]
    if lesson.others and draw.random() < OTHER_DOCUMENT:
        other = draw.choice(lesson.others)
        return [f"{text.rpartition(' | ')[0]} | {other}" for text in texts], False
    return texts, has_right


def main() -> None:
    """Collect, fit, write."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("libraries", type=Path, nargs="+")
    arguments.add_argument("--questions", type=Path, default=QUESTIONS)
    arguments.add_argument("--start", type=Path, help="what was fitted before, to go on from")
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
    if options.out is None:
        answered = [lesson for lesson in lessons if lesson.right]
        n_first = sum(lesson.is_first_right for lesson in answered)
        logger.info("The right one stands first in %.3f", n_first / max(len(answered), 1))
        return
    torch.manual_seed(1)
    model = Relevance()
    if options.start is not None:
        model.start_at(options.start)
    fit(model, lessons, goes_on=options.start is not None)
    save_file(model.differences(), options.out)


if __name__ == "__main__":
    main()
