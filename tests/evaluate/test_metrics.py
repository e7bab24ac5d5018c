"""Metrics against values worked out by hand."""

import math

import pytest

from desktop_qa.evaluate.metrics import (
    bootstrap_interval,
    hit_share,
    log_rank,
    log_rank_index,
    mean,
    n_within,
    ndcg,
    percentile,
    reciprocal_rank,
    spread,
)


def test_hit_share_counts_items_and_not_segments():
    assert hit_share([1, 4], 3) == 0.5
    assert hit_share([3], 3) == 1.0
    assert hit_share([None, 1], 5) == 0.5


def test_reciprocal_rank_is_that_of_the_first_relevant_segment():
    assert reciprocal_rank([4, 2]) == 0.5
    assert reciprocal_rank([None]) == 0.0


def test_ndcg_discounts_by_the_logarithm_of_the_rank():
    assert ndcg([1], 3) == 1.0
    assert ndcg([2], 3) == pytest.approx(1 / math.log2(3))
    assert ndcg([3], 3) == 0.5
    assert ndcg([4], 3) == 0.0
    # Two items at ranks 1 and 3: (1 + 0.5) / (1 + 1/log2(3)).
    assert ndcg([1, 3], 3) == pytest.approx(1.5 / (1 + 1 / math.log2(3)))


def test_ndcg_of_items_all_first_is_one_also_when_they_outnumber_the_places():
    assert ndcg([1, 2, 3, 4, 5], 3) == pytest.approx(1.0)


def test_ndcg_of_two_items_in_one_segment_is_not_more_than_one():
    assert ndcg([1, 1], 3) == 1.0


def test_context_ends_before_the_segment_that_does_not_fit():
    assert n_within([400, 400, 400, 300, 1], 1500) == 4
    assert n_within([400, 400, 400, 301], 1500) == 3
    assert n_within([10], 1500) == 1
    assert n_within([], 1500) == 0


def test_log_rank_is_one_at_the_top_and_zero_at_the_bottom():
    for gamma in (1.0, 0.1, 0.01):
        assert log_rank(1, 4089, gamma) == 1.0
        assert log_rank(4089, 4089, gamma) == pytest.approx(0.0)


def test_log_rank_follows_equation_3_of_hiqa():
    # 1 - log(1 + 1 * 9) / log(1 + 1 * 99) = 1 - 1/2
    assert log_rank(10, 100, 1.0) == pytest.approx(0.5)
    # 1 - log(1 + 0.1 * 10) / log(1 + 0.1 * 70) = 1 - log 2 / log 8
    assert log_rank(11, 71, 0.1) == pytest.approx(2 / 3)
    # 1 - log(1 + 0.01 * 100) / log(1 + 0.01 * 300) = 1 - log 2 / log 4
    assert log_rank(101, 301, 0.01) == pytest.approx(0.5)


def test_log_rank_of_the_only_segment_is_one():
    assert log_rank(1, 1) == 1.0


def test_log_rank_index_averages_items_and_gives_a_missing_one_nothing():
    assert log_rank_index([1, 10], 100) == pytest.approx(0.75)
    assert log_rank_index([1, None], 100) == 0.5


def test_spread_is_of_the_population():
    assert spread([0.0, 1.0]) == {"mean": 0.5, "max": 1.0, "min": 0.0, "std": 0.5}
    assert spread([]) is None


def test_percentiles_are_interpolated():
    assert percentile([0, 10], 50) == 5.0
    assert percentile([0, 10, 20], 95) == pytest.approx(19.0)
    assert percentile([], 50) is None
    assert mean([]) is None


def test_interval_of_equal_values_is_a_point():
    assert bootstrap_interval([0.25] * 10) == (0.25, 0.25)
    assert bootstrap_interval([]) is None


def test_interval_holds_the_mean_and_is_the_same_each_time():
    values = [0.0, 1.0] * 40
    low, high = bootstrap_interval(values) or (1.0, 0.0)
    assert bootstrap_interval(values) == (low, high)
    # Normal approximation: 0.5 -+ 1.96 * 0.5 / sqrt(80)
    assert low == pytest.approx(0.39, abs=0.02)
    assert high == pytest.approx(0.61, abs=0.02)
