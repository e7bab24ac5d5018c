"""Numbers of pages told from other numbers of running headers and footers."""

from desktop_qa.parse.furniture import printed_numbers


def test_what_counts_with_the_pages_is_their_number():
    found = printed_numbers({n: ["2019", "Form", "10-K", f"{n - 2}"] for n in range(3, 9)})
    assert found == {n: str(n - 2) for n in range(3, 9)}, "a year stays the same"


def test_a_page_without_a_number_is_counted_with_those_around_it():
    furniture = {n: [] if n == 5 else ["-", f"{n - 1}", "-"] for n in range(2, 9)}
    assert printed_numbers(furniture)[5] == "4"


def test_a_number_within_a_chapter_keeps_the_chapter():
    pages = {1: ["3-1"], 2: ["3-2"], 3: ["3-3"], 4: ["4-1"], 5: ["4-2"], 6: ["4-3"]}
    assert printed_numbers(pages) == {n: words[0] for n, words in pages.items()}


def test_pages_of_a_whole_are_told_from_how_many_there_are():
    found = printed_numbers({n: [f"{n + 10}", "of", "30"] for n in range(1, 6)})
    assert found[3] == "13"


def test_two_numbers_in_succession_are_no_count():
    assert printed_numbers({1: ["LM7805"], 2: ["7"], 3: ["8"]}) == {}
