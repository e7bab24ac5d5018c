from __future__ import annotations

import json
import tomllib
from dataclasses import fields

import numpy as np
import pytest

from desktop_qa.core.errors import QuestionError
from desktop_qa.core.question import Question
from desktop_qa.evaluate.bank import BankError, EvidenceItem, GoldQuestion
from desktop_qa.evaluate.runner import evaluate_bank
from desktop_qa.evaluate.tuning import (
    WEIGHT_NAMES,
    collect_features,
    held_out_json,
    held_out_markdown,
    settings_lines,
    tune,
    weight_space,
)
from desktop_qa.settings import FusionWeights, RetrievalSettings, Settings, load_settings
from tests.helpers.hashing_embedder import HashingEmbedder


def _question(name: str, kind: str, text: str, file: str, contains: str) -> GoldQuestion:
    return GoldQuestion(
        name, text, kind, answer_any=("x",), evidence=(EvidenceItem(file, 1, contains),)
    )


_BANK = tuple(
    _question(f"{part}-{number}", kind, f"{text} {part}?", f"{part.lower()}.pdf", contains)
    for part in ("ACM4197", "ACM4198")
    for number, (kind, text, contains) in enumerate(
        (
            ("table", "What is the input offset voltage of the", "Input offset voltage"),
            ("table", "Quiescent current of the", "Quiescent current"),
            ("procedure", "How to calibrate the", "short both inputs"),
        )
    )
)


def test_features_give_the_ranks_of_the_program(opened):
    shipped = Settings().retrieval
    space = weight_space(shipped)
    features = collect_features(_BANK, opened)
    report = evaluate_bank(_BANK, opened.segments(), opened.rank_all)
    for one, result in zip(features, report.results, strict=True):
        scores = one.scores(np.asarray(space.prior))
        assert one.ranks(scores) == result.ranking.ranks


def test_scores_are_affine_in_the_weights(opened):
    from desktop_qa.retrieve.fusion import combine

    generator = np.random.default_rng(0)
    (one,) = collect_features(_BANK[:1], opened)
    query = opened.read_question(Question(_BANK[0].question)).query
    components = opened.retriever.components(query)
    assert query.source_boost is not None
    for _ in range(5):
        values = generator.random(len(WEIGHT_NAMES))
        chosen = dict(zip(WEIGHT_NAMES, values, strict=True))
        weights = FusionWeights(**chosen, source=query.source_boost)
        assert np.allclose(one.scores(values), combine(components, weights))


def test_tuning_reports_held_out_questions_and_the_weights_of_each_fold(sheets_library):
    said: list[str] = []
    negative = GoldQuestion("N1", "weather", "negative", negative=True)
    bank = (*_BANK, negative)
    found = tune(bank, sheets_library, Settings(), HashingEmbedder(), 3, said.append)
    figures = held_out_json(found)
    assert figures["held_out"]["n"] == figures["shipped"]["n"] == len(_BANK)
    assert list(figures["held_out"]["by_type"]) == ["table", "procedure"]
    assert len(figures["weights"]["folds"]) == 3
    assert set(figures["weights"]["all"]) == {field.name for field in fields(FusionWeights)} - {
        "source"
    }
    assert json.loads(json.dumps(figures)) == figures
    text = held_out_markdown(found)
    assert all(part in text for part in ("tuned, held out", "fold 3", "[retrieval]"))
    assert said[-1] == "Measuring fold 3 of 3"


def test_lines_to_paste_set_the_weights(tmp_path):
    weights = dict.fromkeys(WEIGHT_NAMES, 0.25)
    lines = settings_lines(weights)
    assert tomllib.loads(lines)["retrieval"] == weights
    file = tmp_path / "settings.toml"
    file.write_text(lines, encoding="utf-8")
    assert load_settings(file).retrieval == RetrievalSettings(**weights)


def test_more_folds_than_questions_are_refused(sheets_library):
    with pytest.raises(QuestionError, match="2 questions cannot be cut into 5 folds"):
        tune(_BANK[:2], sheets_library, Settings(), HashingEmbedder(), 5, lambda text: None)


def test_bank_of_negatives_cannot_be_tuned_on(sheets_library):
    negative = GoldQuestion("N1", "weather", "negative", negative=True)
    with pytest.raises((BankError, QuestionError)):
        tune((negative,), sheets_library, Settings(), HashingEmbedder(), 2, lambda text: None)
