"""Fits the model of relevance: which statement answers a question, and whether any does.

    python packaging/fit_relevance.py LESSONS... --out FILE [--start WEIGHTS] [--held-out LESSONS]

Lessons are what `collect_lessons.py` writes. Of each question all statements are read that the
program chooses among. In some lessons all that hold the answer are left out, in some of those that
name a document all are said to stand in another, and what has to be said is that none answers: so
the scores are log odds, comparable from question to question. `--start` goes on from what was
fitted before. Of held-out lessons it is told how often a right statement stands first, and how well
the highest log odds tell questions with an answer from those without.

The model is one for reading a question with a passage (`desktop_qa/index/reranker.py`), which knows
nothing of rows of tables, nor when there is no answer. What is fitted are low-rank differences
(Hu et al., "LoRA", 2021) of its upper layers, and the last one whole; the lower layers are computed
in integers, as the program computes them. What is written is the mean of the weights over the last
steps (Izmailov et al., "Averaging weights leads to wider optima", 2018).
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx.utils
import onnxruntime  # type: ignore[import-untyped]
import torch
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import BertConfig, BertForSequenceClassification, BertModel

from desktop_qa.index.embedding_engines import Feed, pair_tokenizer, pairs
from desktop_qa.index.reranker import SHAPE, QuantizedModel
from desktop_qa.tokens import model_folder

logger = logging.getLogger(__name__)

RANK = 32
N_LAYERS = 6
"""The upper ones, which are fitted."""

EPOCHS = 1
QUESTIONS_A_STEP = 8
N_WRONG = 8
"""Wrong statements of a lesson, drawn anew each time: half of them those that stand first."""

NONE_RIGHT = 0.12
"""Share of the lessons in which the right statements are left out."""

OTHER_DOCUMENT = 0.1
RATE = 5e-4

_RATE_OF_LAST = 5.0
_AVERAGED_FROM = 0.6
"""Share of the steps after which weights are averaged."""

_N_TOGETHER = 24
"""Texts, of like length, that are computed at once."""

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


class _WithDifferences(nn.Module):
    """A model of which low-rank differences are fitted."""

    def fit_parts_of(self, part: nn.Module, rank: int) -> None:
        """Put differences beside all linear layers of a part."""
        for module in list(part.modules()):
            for name, child in list(module.named_children()):
                if name in _FITTED and isinstance(child, nn.Linear):
                    setattr(module, name, _LowRank(child, rank))

    def start_at(self, path: Path) -> dict[str, Tensor]:
        """Take up what was fitted before, see `differences`, and return all that stands there."""
        own = {name: torch.from_numpy(v.astype(np.float32)) for name, v in load_file(path).items()}
        with torch.no_grad():
            for name, module in self._fitted():
                a, b = own[f"{name}.weight.a"], own[f"{name}.weight.b"]
                module.a[: len(a)].copy_(a)
                module.b[:, : len(a)].copy_(b / 2.0)
        return own

    def differences(self) -> dict[str, np.ndarray]:
        """Return what `embedding_engines.changed_weights` takes, in half precision."""
        found: dict[str, Tensor] = {}
        for name, module in self._fitted():
            found |= {f"{name}.weight.a": module.a, f"{name}.weight.b": 2.0 * module.b}
        return {name: _halved(own) for name, own in found.items()}

    def _fitted(self) -> Iterator[tuple[str, _LowRank]]:
        """Yield them by their names within the model."""
        for name, module in self.named_modules():
            if isinstance(module, _LowRank):
                yield name.partition(".")[2], module


class LowRankEncoder(_WithDifferences):
    """The embedding model's encoder, of which low-rank differences are fitted."""

    def __init__(self, rank: int) -> None:
        super().__init__()
        folder = model_folder()
        self.encoder = BertModel(BertConfig.from_pretrained(str(folder)), add_pooling_layer=False)
        own = load_file(folder / "model.safetensors")
        self.encoder.load_state_dict({n: torch.from_numpy(w) for n, w in own.items()}, strict=False)
        self.encoder.requires_grad_(False)
        self.fit_parts_of(self.encoder.encoder, rank)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))


def _halved(weight: Tensor) -> np.ndarray:
    return weight.detach().cpu().numpy().astype(np.float16)


class Relevance(_WithDifferences):
    """The model of `desktop_qa.index.reranker`, with upper layers that can be fitted."""

    def __init__(self, rank: int = RANK) -> None:
        super().__init__()
        still: dict[str, Any] = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        self.model: Any = BertForSequenceClassification(BertConfig(**SHAPE, **still))
        quantized = QuantizedModel()
        self.model.load_state_dict({n: torch.tensor(w) for n, w in quantized.items()})
        self.model.requires_grad_(False)
        self.upper = self.model.bert.encoder.layer[-N_LAYERS:]
        self.fit_parts_of(self.upper, rank)
        self._lower = onnxruntime.InferenceSession(_lower_layers(quantized.graph()))
        self.last = self.model.classifier.requires_grad_(True)
        with torch.no_grad():  # its scores reach from -11 to 11
            self.last.weight.mul_(0.5)
            self.last.bias.mul_(0.5)
        self.tokenizer = pair_tokenizer()

    def forward(self, texts: Sequence[Feed]) -> Tensor:
        """Return log odds, shape (n_texts,)."""
        n_tokens = max(text["input_ids"].size for text in texts)
        feed = {
            name: np.concatenate(
                [np.pad(t[name], ((0, 0), (0, n_tokens - t[name].size))) for t in texts]
            )
            for name in texts[0]
        }
        device = self.last.weight.device
        hidden = torch.from_numpy(self._lower.run(None, feed)[0]).to(device)
        mask = torch.from_numpy(feed["attention_mask"]).to(device)
        # Half the time where the processor has such numbers, ten times as long where it has not.
        is_fast = device.type != "cpu" or torch.backends.cpu.get_cpu_capability() == "AVX512"
        kind = torch.bfloat16 if is_fast else torch.float32
        with torch.autocast(device.type, kind, enabled=is_fast):
            ignored = (1.0 - mask[:, None, None].to(kind)) * -1e4
            for layer in self.upper:
                hidden = layer(hidden, ignored)
                hidden = hidden[0] if isinstance(hidden, tuple) else hidden  # of transformers < 5
        read = torch.tanh(self.model.bert.pooler.dense(hidden[:, 0].float()))
        odds: Tensor = self.last(read).squeeze(1)
        return odds

    def odds(self, question: str, statements: Sequence[str]) -> Tensor:
        """Return log odds, shape (n_statements,), that each statement answers a question."""
        return self.odds_of([(question, statements)])[0]

    def odds_of(self, asked: Sequence[tuple[str, Sequence[str]]]) -> Sequence[Tensor]:
        """Return log odds of the statements of several questions."""
        texts = [one for q, read in asked for one in pairs(self.tokenizer, q, read)]
        order = sorted(range(len(texts)), key=lambda n: texts[n]["input_ids"].size)
        odds: list[Tensor] = [torch.zeros(())] * len(texts)
        for start in range(0, len(order), _N_TOGETHER):
            places = order[start : start + _N_TOGETHER]
            found = self([texts[n] for n in places])
            for n, one in zip(places, found, strict=True):
                odds[n] = one
        own: Sequence[Tensor] = torch.stack(odds).split([len(read) for _, read in asked])
        return own

    def start_at(self, path: Path) -> dict[str, Tensor]:
        """Take up the last layer, too."""
        own = super().start_at(path)
        with torch.no_grad():
            self.last.weight.copy_(own["classifier.weight"])
            self.last.bias.copy_(own["classifier.bias"])
        return own

    def differences(self) -> dict[str, np.ndarray]:
        """Return what `embedding_engines.changed_weights` takes, in half precision."""
        last = {"classifier.weight": self.last.weight, "classifier.bias": self.last.bias}
        return super().differences() | {name: _halved(one) for name, one in last.items()}


def _lower_layers(graph: bytes) -> bytes:
    """Return the part of a graph that ends where the upper layers begin."""
    model = onnx.load_from_string(graph)
    end = f"bert.encoder.layer.{SHAPE['num_hidden_layers'] - N_LAYERS - 1}.output.LayerNorm.bias"
    hidden = next(node.output[0] for node in model.graph.node if end in node.input)
    model.graph.value_info.append(onnx.helper.make_empty_tensor_value_info(hidden))
    inputs = [one.name for one in model.graph.input]
    model = onnx.utils.Extractor(model).extract_model(inputs, [hidden])
    part: bytes = model.SerializeToString()
    return part


def fit(model: Relevance, lessons: Sequence[Lesson], n_epochs: int = EPOCHS) -> None:
    """Fit the model by the log likelihood of a right statement, or of none, among all."""
    draw = random.Random(1)
    last = [*model.last.parameters()]
    inner = [m for m in model.upper.parameters() if m.requires_grad]
    fitted = [*inner, *last]
    rates = [RATE, _RATE_OF_LAST * RATE]
    optimizer = torch.optim.AdamW(
        [{"params": inner, "lr": rates[0]}, {"params": last, "lr": rates[1]}], weight_decay=0.01
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
        odds = model.odds_of([(question, texts) for question, texts, _ in batch])
        loss = torch.zeros((), device=model.last.weight.device)
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


def drawn(lesson: Lesson, draw: random.Random) -> tuple[str, list[str], int]:
    """Draw what one lesson asks, the statements to choose among, and how many first are right."""
    n_first = N_WRONG // 2 + 1
    hardest, others = lesson.wrong[:n_first], lesson.wrong[n_first:]
    wrong = [*hardest, *draw.sample(others, min(len(others), N_WRONG - len(hardest)))]
    if lesson.right and draw.random() < NONE_RIGHT:
        return lesson.question, wrong, 0
    texts = [*lesson.right, *wrong]
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
        odds = model.odds(lesson.question, texts)
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
