"""Fits the model of relevance: which statement answers a question, and whether any does.

    python packaging/fit_relevance.py LESSONS... --out FILE [--start WEIGHTS] [--held-out LESSONS]

Lessons are what `collect_lessons.py` writes. Of each question all statements are read that the
program chooses among. In some lessons all that hold the answer are left out, in some of those that
name a document all are said to stand in another, and what has to be said is that none answers: so
the scores are log odds, comparable from question to question. `--start` goes on from what was
fitted before. Of held-out lessons it is told how often a right statement stands first, and how well
the highest log odds tell questions with an answer from those without.

The model is the embedding model's encoder, which reads question and statement as one text. It
starts at late interaction (Khattab and Zaharia, "ColBERT", 2020), which orders statements without
any fitting; what is fitted are low-rank differences of its weights (Hu et al., "LoRA", 2021) and a
linear layer that starts at nothing. What is written is the mean of the weights over the last steps
(Izmailov et al., "Averaging weights leads to wider optima", 2018). Three epochs over 8,500
lessons take four minutes on a graphics card, and most of a day on two cores.
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from desktop_qa.index.embedding_engines import PairIds, padded, pair_ids, pair_tokenizer
from desktop_qa.tokens import model_folder

logger = logging.getLogger(__name__)

RANK = 64
EPOCHS = 3
QUESTIONS_A_STEP = 16
NONE_RIGHT = 0.15
"""Share of the lessons in which the right statements are left out."""

OTHER_DOCUMENT = 0.1
RATE = 3e-4
"""Of a fit that goes on; one from nothing needs 8e-4."""

_RATE_OF_HEAD = 5.0
_AVERAGED_FROM = 0.6
"""Share of the steps after which weights are averaged."""

_FITTED = ("query", "key", "value", "dense")


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question with the statements that it was to be answered from, in their order.

    Attributes:
        alike: Those of the document that hold the answer in a row of another name: right or not.
        others: Titles of other documents, of a question that names its own.
        file: The document that it was written over.
        is_first_right: The program puts a right one first.
    """

    question: str
    right: tuple[str, ...]
    wrong: tuple[str, ...]
    alike: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    file: str = ""
    is_first_right: bool = False


def write_lessons(path: Path, lessons: Iterable[Lesson]) -> None:
    """Write lessons, one to a line."""
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for lesson in lessons:
            file.write(json.dumps(asdict(lesson), ensure_ascii=False) + "\n")


def read_lessons(path: Path) -> list[Lesson]:
    """Read what `write_lessons` wrote."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        Lesson(**{k: tuple(v) if isinstance(v, list) else v for k, v in row.items()})
        for row in rows
    ]


class _LowRank(nn.Module):
    """A linear layer with a difference of low rank, nothing at first."""

    def __init__(self, layer: nn.Linear, rank: int) -> None:
        super().__init__()
        self.layer = layer
        scale = math.sqrt(layer.in_features)
        self.a = nn.Parameter(torch.randn(rank, layer.in_features) / scale)
        self.b = nn.Parameter(torch.zeros(layer.out_features, rank))

    def forward(self, values: Tensor) -> Tensor:
        return self.layer(values) + 2.0 * (values @ self.a.T) @ self.b.T


class LowRankEncoder(nn.Module):
    """The embedding model's encoder, of which low-rank differences are fitted."""

    def __init__(self, rank: int = RANK) -> None:
        super().__init__()
        folder = model_folder()
        self.config = BertConfig.from_pretrained(str(folder))
        self.encoder = BertModel(self.config, add_pooling_layer=False)
        own = load_file(folder / "model.safetensors")
        weights = {name: torch.from_numpy(w).float() for name, w in own.items()}
        self.encoder.load_state_dict(weights, strict=False)
        self.encoder.requires_grad_(False)
        for module in list(self.encoder.encoder.modules()):
            for name, child in list(module.named_children()):
                if name in _FITTED and isinstance(child, nn.Linear):
                    setattr(module, name, _LowRank(child, rank))
        self.tokenizer = pair_tokenizer(folder)

    def start_at(self, path: Path) -> dict[str, Tensor]:
        """Take up what was fitted before, see `differences`, and return all that stands there."""
        own = {name: torch.from_numpy(v.astype(np.float32)) for name, v in load_file(path).items()}
        with torch.no_grad():
            for name, module in self.encoder.named_modules():
                if isinstance(module, _LowRank):
                    a, b = own[f"{name}.weight.a"], own[f"{name}.weight.b"]
                    module.a[: len(a)].copy_(a)
                    module.b[:, : len(a)].copy_(b / 2.0)
        return own

    def differences(self) -> dict[str, np.ndarray]:
        """Return what `embedding_engines.fitted_weights` takes, in half precision."""
        found: dict[str, Tensor] = {}
        for name, module in self.encoder.named_modules():
            if isinstance(module, _LowRank):
                found |= {f"{name}.weight.a": module.a, f"{name}.weight.b": 2.0 * module.b}
        return {name: _halved(own) for name, own in found.items()}


def _halved(weight: Tensor) -> np.ndarray:
    return weight.detach().cpu().numpy().astype(np.float16)


class Relevance(LowRankEncoder):
    """What `make_model_graph.make_relevance` computes, with weights that can be fitted."""

    def __init__(self, rank: int = RANK) -> None:
        super().__init__(rank)
        self.scale = nn.Parameter(torch.tensor([10.0]))
        self.head = nn.Linear(2 * self.config.hidden_size, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, question_mask: Tensor) -> Tensor:
        """Return log odds, shape (n_texts,), of what `embedding_engines.padded` returns."""
        hidden = self.encoder(input_ids, attention_mask).last_hidden_state.float()
        asked = question_mask.float()
        stated = attention_mask.float() - asked
        lengths = nn.functional.normalize(hidden, dim=2)
        cosines = lengths @ lengths.transpose(1, 2) + 4.0 * (stated - 1.0).unsqueeze(1)
        near = (cosines.amax(2) * asked).sum(1) / asked.sum(1)
        means = [(hidden * m.unsqueeze(2)).sum(1) / m.sum(1, True) for m in (stated, asked)]
        linear: Tensor = self.head(torch.cat([means[0], means[0] * means[1]], 1)).squeeze(1)
        return self.scale * near + linear

    def odds(self, texts: PairIds) -> Tensor:
        """Return log odds, shape (n_texts,), that each statement answers its question."""
        device = self.scale.device
        feed = {n: torch.from_numpy(v).to(device) for n, v in padded(texts).items()}
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            found: Tensor = self(**feed)
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
        return super().differences() | {name: _halved(one) for name, one in own.items()}


def fit(model: Relevance, lessons: Sequence[Lesson], n_epochs: int = EPOCHS) -> None:
    """Fit the model by the log likelihood of a right statement, or of none, among all."""
    draw = random.Random(1)
    of_head = [model.scale, *model.head.parameters()]
    inner = [m for name, m in model.encoder.named_parameters() if m.requires_grad]
    fitted = [*inner, *of_head]
    rates = [RATE, _RATE_OF_HEAD * RATE]
    optimizer = torch.optim.AdamW(
        [{"params": inner, "lr": rates[0]}, {"params": of_head, "lr": rates[1]}], weight_decay=0.01
    )
    n_steps = n_epochs * (len(lessons) // QUESTIONS_A_STEP)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, rates, total_steps=n_steps, pct_start=0.06, anneal_strategy="linear"
    )
    order = [one for _ in range(n_epochs) for one in draw.sample(lessons, len(lessons))]
    means, n_averaged = [torch.zeros_like(one) for one in fitted], 0
    model.train()
    for step in range(n_steps):
        batch = [
            drawn(lesson, draw)
            for lesson in order[step * QUESTIONS_A_STEP : (step + 1) * QUESTIONS_A_STEP]
        ]
        pairs = [pair for question, texts, _ in batch for pair in _pairs(model, question, texts)]
        odds = model.odds(pairs).split([len(texts) for _, texts, _ in batch])
        loss = torch.zeros((), device=model.scale.device)
        for own, (_, _, n_right) in zip(odds, batch, strict=True):
            likely = torch.log_softmax(torch.cat([own, torch.zeros_like(own[:1])]), 0)
            right = likely[:n_right] if n_right else likely[-1:]
            loss = loss - torch.logsumexp(right, 0) / len(batch)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(fitted, 1.0)
        optimizer.step()
        schedule.step()
        if step >= _AVERAGED_FROM * n_steps:
            n_averaged += 1
            for mean, one in zip(means, fitted, strict=True):
                mean += (one.detach() - mean) / n_averaged
        if step % 50 == 0:
            logger.info("step %d of %d: loss %.3f", step, n_steps, loss.item())
    with torch.no_grad():
        for mean, one in zip(means, fitted, strict=True):
            one.copy_(mean)


def _pairs(model: Relevance, question: str, texts: Sequence[str]) -> PairIds:
    return pair_ids(model.tokenizer, question, texts)


def drawn(lesson: Lesson, draw: random.Random) -> tuple[str, list[str], int]:
    """Draw what one lesson asks, the statements to choose among, and how many first are right."""
    if lesson.right and draw.random() < NONE_RIGHT:
        return lesson.question, [*lesson.wrong], 0
    texts = [*lesson.right, *lesson.wrong]
    if lesson.others and draw.random() < OTHER_DOCUMENT:
        other = draw.choice(lesson.others)
        return lesson.question, [f"{text.rpartition(' | ')[0]} | {other}" for text in texts], 0
    return lesson.question, texts, len(lesson.right)


@torch.no_grad()
def report(model: Relevance, lessons: Sequence[Lesson]) -> dict[str, float]:
    """Return how often a right one stands first, and how well it is told that there is any."""
    model.eval()
    first, highest, has_answer = [], [], []
    for lesson in lessons:
        texts = [*lesson.right, *lesson.wrong, *lesson.alike]
        odds = model.odds(_pairs(model, lesson.question, texts))
        highest.append(float(odds.max()))
        has_answer.append(bool(lesson.right))
        if lesson.right:
            first.append(int(odds.argmax()) < len(lesson.right))
    return {
        "first": float(np.mean(first)),
        "n_first": len(first),
        "area": area_under_curve(highest, has_answer),
        "n_without": len(lessons) - len(first),
    }


def area_under_curve(scores: Sequence[float], is_right: Sequence[bool]) -> float:
    """Return how often what is right has the higher score (Mann and Whitney); ties count half."""
    right = np.array([s for s, own in zip(scores, is_right, strict=True) if own])
    wrong = np.array([s for s, own in zip(scores, is_right, strict=True) if not own])
    if not len(right) or not len(wrong):
        return math.nan
    above = right[:, None] > wrong[None]
    return float(np.mean(above + 0.5 * (right[:, None] == wrong[None])))


def main() -> None:
    """Fit, write."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("lessons", type=Path, nargs="*")
    arguments.add_argument("--start", type=Path, help="what was fitted before, to go on from")
    arguments.add_argument("--held-out", type=Path, nargs="*", default=[])
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--epochs", type=int, default=EPOCHS)
    options = arguments.parse_args()
    logging.basicConfig(level=logging.INFO)
    torch.manual_seed(1)
    model = Relevance().to("cuda" if torch.cuda.is_available() else "cpu")
    if options.start is not None:
        model.start_at(options.start)
    held_out = {path: read_lessons(path) for path in options.held_out}
    lessons = [lesson for path in options.lessons for lesson in read_lessons(path)]
    if lessons:
        fit(model, lessons, options.epochs)
    for path, own in held_out.items():
        logger.info("%s: %s", path.name, report(model, own))
    if options.out is not None:
        save_file(model.differences(), options.out)


if __name__ == "__main__":
    main()
