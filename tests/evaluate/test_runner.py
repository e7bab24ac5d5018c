from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from desktop_qa.core.answer import Answer, AnswerStatus, Evidence
from desktop_qa.core.document import BoundingBox, Provenance
from desktop_qa.core.question import Question
from desktop_qa.core.segment import Segment, SegmentId
from desktop_qa.evaluate.bank import EvidenceItem, GoldQuestion, read_bank
from desktop_qa.evaluate.report import report_json, report_markdown
from desktop_qa.evaluate.runner import RelevanceIndex, best_rank, evaluate_bank
from tests.helpers.made_answers import make_answer
from tests.helpers.said import said
from tests.helpers.sample_documents import METADATA, make_segment


def _segment(ordinal: int, page: int, text: str, lexical: str = "") -> Segment:
    return make_segment(
        "d" * 16,
        ordinal,
        text,
        replace(METADATA, page_nos=(page,)),
        provenances=(Provenance(page, BoundingBox(0, 0, 1, 1)),),
        n_tokens=300,
        lexical_text=lexical or text,
    )


_SEGMENTS = [
    _segment(0, 1, "Features"),
    _segment(1, 4, "Propagation delay\ntime 25 µs"),
    _segment(2, 4, "Ordering", lexical="T > Ordering | Supply current | 5 mA |"),
    _segment(3, 5, "Layout"),
    _segment(4, 6, "Package"),
    _segment(5, 6, "Legal"),
]


class _FakeLibrary:
    """Ranks its segments as told, and answers with a fixed text."""

    def __init__(self, rankings: dict[str, list[int]], answers: dict[str, str]) -> None:
        self._rankings = rankings
        self._answers = answers
        self.asked: list[Question] = []

    def segments(self) -> Sequence[tuple[Segment, str]]:
        return [(segment, "a.pdf") for segment in _SEGMENTS]

    def rank_all(self, question: Question) -> Sequence[SegmentId]:
        return [_SEGMENTS[ordinal].id for ordinal in self._rankings[question.text]]

    def ask(self, question: Question) -> Answer:
        self.asked.append(question)
        text = self._answers.get(question.text, "")
        status = AnswerStatus.ANSWERED if text else AnswerStatus.NOT_FOUND
        evidence = tuple(Evidence(n, _SEGMENTS[n], 1.0, ()) for n in range(2))
        shown = text or "Not found in this library. Nearest: 25 µs"
        return make_answer(
            question.text, said(shown), evidence=evidence, status=status, seconds=0.5
        )


def _item(page: int, contains: str = "") -> EvidenceItem:
    return EvidenceItem("a.pdf", page, contains)


_BANK = (
    GoldQuestion("Q1", "q1", "table", answer_any=("25 µs",), evidence=(_item(4, "delay time"),)),
    GoldQuestion(
        "Q2",
        "q2",
        "compare",
        answer_any=("5 mA",),
        answer_all=(("5 mA",), ("7 mA",)),
        evidence=(_item(4, "Supply current"), _item(5, "Layout")),
    ),
    GoldQuestion("Q3", "q3", "table", answer_any=("x",), evidence=(_item(6, "lost words"),)),
    GoldQuestion("N1", "n1", "negative", negative=True),
    GoldQuestion("N2", "n2", "negative", negative=True),
)
_LIBRARY = _FakeLibrary(
    rankings={
        "q1": [1, 0, 2, 3, 4, 5],
        "q2": [0, 2, 1, 4, 5, 3],
        "q3": [0, 1, 2, 3, 5, 4],
    },
    answers={"q1": "It is 25 µs [1].", "q2": "5 mA", "n2": "Sunny."},
)


def test_passage_is_found_in_the_text_or_in_the_lexical_text_of_its_page():
    index = RelevanceIndex(_LIBRARY.segments())
    assert index.relevant(_item(4, "delay time")).segment_ids == {_SEGMENTS[1].id}
    assert index.relevant(_item(4, "SUPPLY CURRENT 5mA")).segment_ids == {_SEGMENTS[2].id}
    assert index.relevant(_item(4)).segment_ids == {_SEGMENTS[1].id, _SEGMENTS[2].id}


def test_passage_that_no_segment_of_its_page_holds_is_unlocated_and_the_page_counts():
    index = RelevanceIndex(_LIBRARY.segments())
    found = index.relevant(_item(6, "lost words"))
    assert found.segment_ids == {_SEGMENTS[4].id, _SEGMENTS[5].id}
    assert not found.located


def test_page_without_segments_is_never_found():
    found = RelevanceIndex(_LIBRARY.segments()).relevant(_item(9, "words"))
    assert not found.located
    assert best_rank([segment.id for segment in _SEGMENTS], found) is None


def test_passage_of_another_file_is_not_relevant():
    index = RelevanceIndex(_LIBRARY.segments())
    assert not index.relevant(EvidenceItem("b.pdf", 4, "delay time")).segment_ids


def test_report_has_the_values_worked_out_by_hand():
    figures = report_json(
        evaluate_bank(_BANK, _LIBRARY.segments(), _LIBRARY.rank_all, _LIBRARY.ask)
    )
    # Best ranks: q1 [1], q2 [2, 6], q3 [5] of 6 segments of 300 tokens.
    assert figures["n"] == 5
    assert figures["unlocated"] == 0.25
    assert figures["hit@1"] == pytest.approx(1 / 3, abs=1e-4)
    assert figures["hit@3"] == 0.5
    assert figures["hit@5"] == pytest.approx(2.5 / 3, abs=1e-4)
    assert figures["mrr"] == pytest.approx((1 + 0.5 + 0.2) / 3, abs=1e-4)
    second = (1 / math.log2(3)) / (1 + 1 / math.log2(3))
    assert figures["ndcg@3"] == pytest.approx((1 + second) / 3, abs=1e-4)
    assert figures["recall_1500"] == pytest.approx(2.5 / 3, abs=1e-4)
    log_ranks = [
        1.0,
        (1 - math.log(2) / math.log(6)) / 2,
        1 - math.log(5) / math.log(6),
    ]
    assert figures["log_rank_index"]["1"]["mean"] == pytest.approx(sum(log_ranks) / 3, abs=1e-4)
    assert figures["log_rank_index"]["1"]["min"] == pytest.approx(log_ranks[2], abs=1e-4)
    assert list(figures["log_rank_index"]) == ["1", "0.1", "0.01"]
    # q1 right, q2 half, q3 refused although the refusal lists words.
    assert figures["answer_score"] == 0.5
    assert figures["answer_recall"] == pytest.approx(1 / 3, abs=1e-4)
    # Nothing tells how likely its answers are: none is stated.
    assert figures["sure"] == 0.0
    assert figures["sure_right"] is None
    assert figures["step_recall"] is None
    refusal = figures["refusal"]
    assert (refusal["on_negatives"], refusal["on_positives"]) == (0.5, pytest.approx(1 / 3, 1e-3))
    assert figures["context_tokens"] == 600
    assert figures["segment_tokens"] == {"mean": 300, "max": 300}
    assert figures["by_type"]["table"]["n"] == 2
    assert figures["by_type"]["table"]["hit@1"] == 0.5
    assert figures["by_type"]["negative"]["hit@1"] is None
    assert figures["seconds"] == {"p50": 0.5, "p95": 0.5}


def test_report_has_exactly_the_documented_keys_and_is_json():
    figures = report_json(
        evaluate_bank(_BANK, _LIBRARY.segments(), _LIBRARY.rank_all, _LIBRARY.ask)
    )
    assert list(figures) == [
        *("n", "unlocated", "hit@1", "hit@3", "hit@5", "mrr", "ndcg@3", "recall_1500"),
        *("log_rank_index", "answer_score", "answer_first", "answer_recall", "step_recall"),
        *(
            "answer_score_by_rank",
            "answer_score_of_gold",
            *("sure", "sure_right", "calibration_error", "risk_coverage"),
            "refusal",
            "answer_words",
            "context_tokens",
            "segment_tokens",
            "by_type",
            "interval",
            "seconds",
            "missing_files",
        ),
    ]
    assert json.loads(json.dumps(figures)) == figures
    assert figures["interval"]["hit@3"][0] <= figures["hit@3"] <= figures["interval"]["hit@3"][1]


def test_answers_are_reported_by_the_rank_of_their_gold_and_from_it_alone():
    figures = report_json(
        evaluate_bank(_BANK, _LIBRARY.segments(), _LIBRARY.rank_all, _LIBRARY.ask, from_gold=True)
    )
    assert {name: f["n"] for name, f in figures["answer_score_by_rank"].items()} == {
        "1": 1,
        "2-3": 1,
        "4-15": 1,
        "16-": 0,
    }
    # The library of the test answers alike, whatever it is limited to.
    assert figures["answer_score_of_gold"] == figures["answer_score"]
    scopes = [question.scope for question in _LIBRARY.asked if question.scope]
    assert ("/a.pdf#segments=1",) in scopes


def test_report_for_people_names_the_passages_that_were_lost():
    text = report_markdown(
        evaluate_bank(_BANK, _LIBRARY.segments(), _LIBRARY.rank_all, _LIBRARY.ask)
    )
    assert "5 questions over 6 segments" in text
    assert "unlocated 0.250: no segment holds the passage of Q3." in text
    assert "not valid" not in text


def test_report_for_people_says_when_segments_are_too_long_to_compare():
    report = evaluate_bank(_BANK, _LIBRARY.segments(), _LIBRARY.rank_all, _LIBRARY.ask)
    text = report_markdown(replace(report, segment_tokens=(*report.segment_tokens, 401)))
    assert "hit@k is not valid: the longest segment has 401 tokens" in text


def test_bank_of_negatives_has_no_ranking_figures(tmp_path):
    path = tmp_path / "bank.jsonl"
    row = {"id": "N", "question": "n1", "type": "negative", "negative": True}
    path.write_text(json.dumps(row), encoding="utf-8")
    seen: list[tuple[int, int]] = []
    figures = report_json(
        evaluate_bank(
            read_bank(path),
            _LIBRARY.segments(),
            _LIBRARY.rank_all,
            _LIBRARY.ask,
            lambda *at: seen.append(at),
        )
    )
    assert seen == [(1, 1)]
    assert figures["hit@3"] is None
    assert figures["unlocated"] is None
    assert figures["log_rank_index"]["1"] is None
    assert figures["refusal"] == {"on_negatives": 1.0, "on_positives": None, "by_kind": {}}
    assert report_markdown(
        evaluate_bank(read_bank(path), _LIBRARY.segments(), _LIBRARY.rank_all, _LIBRARY.ask)
    )
