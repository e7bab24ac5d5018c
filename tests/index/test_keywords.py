from __future__ import annotations

import random

import numpy as np

from desktop_qa.index.index_state import IndexState, LivePart
from desktop_qa.index.keywords import KeywordIndex
from desktop_qa.index.part import Part
from tests.helpers.index_states import part_of_sample, state_of
from tests.helpers.sample_documents import SampleDocument, make_sample

A = make_sample("A1", ("ADS1115 gain", "ADS1115 and LM358", "none"))
B = make_sample("B2", ("LM358 only",))


def keywords_of(*samples: SampleDocument) -> KeywordIndex:
    return KeywordIndex(state_of(map(part_of_sample, samples)))


def test_segments_are_counted_by_the_keywords_they_hold():
    keywords = keywords_of(A, B)
    assert keywords.matches(["ads1115", "lm358", "xyz9"]).tolist() == [1, 2, 0, 1]
    assert keywords.matches(["lm358", "lm358"]).tolist() == [0, 1, 0, 1]
    assert keywords.matches([]).tolist() == [0, 0, 0, 0]


def test_the_vocabulary_counts_documents_not_segments():
    keywords = keywords_of(A, B)
    assert keywords == {"ads1115": 1, "lm358": 2}
    assert tuple(keywords.holders("lm358")) == (A.document.id, B.document.id)
    assert keywords["lm358"] == 2
    assert keywords.get("xyz9") is None
    assert len(keywords) == 2
    assert sorted(keywords) == ["ads1115", "lm358"]


def test_the_holders_of_a_code_are_counted_in_segments():
    keywords = keywords_of(A, B)
    assert keywords.holders("ads1115") == {A.document.id: 2}
    assert keywords.holders("lm358") == {A.document.id: 1, B.document.id: 1}
    assert keywords.holders("ads1015") == {}


def test_a_code_leaves_the_vocabulary_with_its_last_document():
    state = state_of([part_of_sample(A), part_of_sample(B)]).without((A.document.id,))
    left = KeywordIndex(state)
    assert left == {"lm358": 1}
    assert "ads1115" not in left
    assert left.matches(["ads1115", "lm358"]).tolist() == [1]
    none = KeywordIndex(state.without((B.document.id,)))
    assert none == {}
    assert none.matches(["lm358"]).shape == (0,)


def test_many_changes_end_where_a_count_by_hand_does():
    generator = random.Random(3)
    state, present = IndexState(), []
    for step in range(60):
        if present and generator.random() < 0.4:
            gone = present.pop(generator.randrange(len(present)))
            state = state.without((gone.document.id,))
        else:
            texts = tuple(
                " ".join(f"C{generator.randrange(30)}" for _ in range(4)) for _ in range(3)
            )
            present.append(make_sample(f"D{step}", texts))
            state = state.added(LivePart.whole(part_of_sample(present[-1])))
    segments = [indexed for sample in present for indexed in sample.segments]
    asked = [f"c{i}" for i in range(0, 30, 3)]
    expected = [len(set(asked) & set(indexed.keywords)) for indexed in segments]
    keywords = KeywordIndex(state)
    assert list(state.segment_ids()) == [indexed.segment.id for indexed in segments]
    assert np.array_equal(keywords.matches(asked), expected)
    for code in asked:
        holders = {s.segment.document_id for s in segments if code in s.keywords}
        assert keywords.get(code, 0) == len(holders)


def test_joined_parts_keep_their_keywords():
    parts = [part_of_sample(A), part_of_sample(B), part_of_sample(make_sample("C3", ("XYZ9",)))]
    merged = Part.merge(parts, [None, None, np.zeros(1, np.bool_)])
    keywords = KeywordIndex(state_of([merged]))
    assert keywords == {"ads1115": 1, "lm358": 2}
    assert merged.keyword_list() == Part.merge([merged], [None]).keyword_list()
    assert keywords.matches(["ads1115", "lm358"]).tolist() == [1, 2, 0, 1]
