"""What pages are called, told in short and told again."""

import pytest

from desktop_qa.core.page_names import page_label, page_name, page_starts


@pytest.mark.parametrize(
    ("labels", "n_starts"),
    [
        (("1", "2", "3"), 0),
        (("1", "2", "1", "2", "3"), 1),
        (("i", "ii", "1", "2"), 3),
        (("1", "2", "A-1", "A-2", "A-3", "A-3"), 2),
        ((), 0),
    ],
)
def test_labels_come_back_from_where_they_begin_to_count(labels, n_starts):
    starts = page_starts(labels)
    assert len(starts) == n_starts
    assert tuple(page_label(starts, n) for n in range(1, len(labels) + 1)) == labels


def test_a_page_is_named_twice_only_where_its_number_is_another():
    assert page_name(47, "45") == "45 (PDF 47)"
    assert page_name(47, "47") == "47"
