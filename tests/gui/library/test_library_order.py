"""Which documents are listed, in which order and under which headings: without a widget."""

from __future__ import annotations

import random
from dataclasses import replace

from desktop_qa.core.document import DocumentId, PageFailure, ReadingScore
from desktop_qa.core.progress import SCANNED_DOCUMENT, DocumentState, DocumentStatus
from desktop_qa.gui.library.library_order import (
    Arrangement,
    Choice,
    Entry,
    Facet,
    GroupBy,
    LibraryOrder,
    Narrowing,
    RevisionKind,
    SortBy,
    StateKind,
    note_of,
)
from desktop_qa.gui.library.library_words import (
    found_words,
    has_no_text,
    revision_label,
    snippet_at,
    state_text,
)
from tests.gui.fake_service import make_status


def order_of(*statuses: DocumentStatus) -> LibraryOrder:
    order = LibraryOrder()
    order.update(statuses)
    return order


def tree(order: LibraryOrder) -> list[str]:
    """The rows as text: headings with their number, older revisions indented."""
    lines = []
    for row in order.rows():
        if row.entry is None:
            lines.append(f"{row.heading} ({row.n_under})")
        else:
            lines.append(("  " if row.is_older else "") + row.entry.name)
    return lines


def names(order: LibraryOrder) -> list[str]:
    return [row.entry.name for row in order.rows() if row.entry is not None]


def narrow(order: LibraryOrder, words: str = "", *choices: tuple[Facet, str]) -> None:
    order.narrow(Narrowing(tuple(words.casefold().split()), frozenset(Choice(*c) for c in choices)))


AMPLIFIER = make_status(
    "amps/TI_OPA4197.pdf",
    path="/data/sheets/amps/TI_OPA4197.pdf",
    vendor="Texas Instruments",
    title="OPAx197 36-V Precision Amplifiers",
    part_numbers=("OPA197", "OPA4197"),
    date="2018-03",
    n_pages=49,
    read_at=300.0,
)
SENSOR = make_status(
    "BOSCH_BME280.pdf",
    path="/data/sheets/BOSCH_BME280.pdf",
    vendor="Bosch Sensortec",
    title="Humidity sensor",
    part_numbers=("BME280",),
    n_pages=60,
    read_at=100.0,
)
SCAN = make_status(
    "quote.pdf",
    DocumentState.PARTIAL,
    path="/data/sheets/quote.pdf",
    vendor="",
    n_pages=2,
    page_failures=(PageFailure(1, "it has no text"), PageFailure(2, "it has no text")),
)
LOCKED = make_status(
    "secret.pdf",
    DocumentState.FAILED,
    path="/data/sheets/secret.pdf",
    vendor="",
    n_pages=0,
    reason="The PDF is protected by a password.",
)
STALE = make_status(
    "amps/TI_LM358.pdf",
    path="/data/sheets/amps/TI_LM358.pdf",
    vendor="Texas Instruments",
    part_numbers=("LM358",),
    stale=True,
    n_pages=30,
    read_at=200.0,
)
ALL = (AMPLIFIER, SENSOR, SCAN, LOCKED, STALE)


def revision(letter: str, date: str = "", **changes: object) -> DocumentStatus:
    fields: dict[str, object] = {
        "vendor": "Acme",
        "title": "ACM4197 Precision Amplifier",
        "part_numbers": ("ACM4197",),
        "revision": f"Rev. {letter}" if letter else "",
        "date": date,
        "n_segments": 9,
    }
    return make_status(f"acm4197_{letter or 'x'}.pdf", **(fields | changes))


# Words


def test_every_word_must_stand_somewhere_in_a_document():
    order = order_of(*ALL)
    for words, found in {
        "opa": ["OPA4197"],
        "precision 36-v": ["OPA4197"],
        "texas": ["LM358", "OPA4197"],
        "OPA197": ["OPA4197"],
        "bosch humidity": ["BME280"],
        "bosch precision": [],
        "password": ["secret"],
        "earlier": ["LM358"],
        "amps": ["LM358", "OPA4197"],
    }.items():
        narrow(order, words)
        assert names(order) == found, words
        assert order.n_shown == len(found)


def test_found_words_are_told_apart_and_joined():
    assert found_words("OPA4197", ("97", "opa")) == [(0, 3), (5, 7)]
    assert found_words("banana", ("ana",)) == [(1, 4)]
    assert found_words("OPA4197", ("x",)) == []
    assert found_words("ab", ("a", "b")) == [(0, 2)]


def test_a_word_that_is_not_in_the_name_is_shown_where_it_stands():
    order = order_of(AMPLIFIER)
    (row,) = [row for row in order.rows() if row.entry is not None]
    assert note_of(row, row.entry, ("precision",)) == "… Precision Amplifiers"
    assert note_of(row, row.entry, ("opa197",)) == "OPA197"
    assert note_of(row, row.entry, ("opa",)) == ""
    assert snippet_at("one two", ("z",)) == ""


# Facets


def test_choices_of_one_facet_add_up_and_of_several_narrow():
    order = order_of(*ALL)
    narrow(order, "", (Facet.VENDOR, "Texas Instruments"), (Facet.VENDOR, "Bosch Sensortec"))
    assert set(names(order)) == {"OPA4197", "LM358", "BME280"}
    narrow(order, "", (Facet.VENDOR, "Texas Instruments"), (Facet.STATE, StateKind.STALE))
    assert names(order) == ["LM358"]
    narrow(order, "", (Facet.FOLDER, "sheets/amps"))
    assert set(names(order)) == {"OPA4197", "LM358"}


def test_states_are_named_as_people_ask_for_them():
    order = order_of(*ALL, make_status("w.pdf", DocumentState.WAITING))
    counts = order.counts(Facet.STATE)
    assert counts == {
        StateKind.ATTENTION: 2,
        StateKind.READY: 3,
        StateKind.STALE: 1,
        StateKind.PARTLY: 1,
        StateKind.FAILED: 1,
        StateKind.PASSWORD: 1,
        StateKind.WORKING: 1,
    }


def test_counts_follow_the_other_facets_and_the_words():
    order = order_of(*ALL)
    narrow(order, "", (Facet.VENDOR, "Texas Instruments"))
    assert order.counts(Facet.VENDOR)["Bosch Sensortec"] == 1
    assert order.counts(Facet.STATE)[StateKind.FAILED] == 0
    assert order.counts(Facet.STATE)[StateKind.READY] == 2
    narrow(order, "opa", (Facet.VENDOR, "Texas Instruments"))
    assert order.counts(Facet.STATE)[StateKind.READY] == 1
    assert order.count(Narrowing()) == 5


# Groups and order


def test_groups_by_vendor_folder_state_family_and_none():
    order = order_of(*ALL)
    assert tree(order) == [
        "Bosch Sensortec (1)",
        "BME280",
        "Texas Instruments (2)",
        "LM358",
        "OPA4197",
        "Other files (2)",
        "quote",
        "secret",
    ]
    headings = {
        GroupBy.FOLDER: ["sheets (3)", "sheets/amps (2)"],
        GroupBy.STATE: [
            "Needs a password (1)",
            "Read in part (1)",
            "Read by an earlier version (1)",
            "Ready (2)",
        ],
        GroupBy.FAMILY: ["BME (1)", "LM (1)", "OPA (1)", "Other parts (2)"],
        GroupBy.NONE: [],
    }
    for group_by, expected in headings.items():
        order.arrange(Arrangement(group_by))
        assert [line for line in tree(order) if line.endswith(")")] == expected
        assert len(names(order)) == 5


def test_sorts_with_the_unknown_last_in_either_direction():
    order = order_of(*ALL)
    expected = {
        (SortBy.NAME, False): ["BME280", "LM358", "OPA4197", "quote", "secret"],
        (SortBy.NAME, True): ["secret", "quote", "OPA4197", "LM358", "BME280"],
        (SortBy.PAGES, True): ["BME280", "OPA4197", "LM358", "quote", "secret"],
        (SortBy.READ_AT, True): ["OPA4197", "LM358", "BME280", "quote", "secret"],
        (SortBy.READ_AT, False): ["BME280", "LM358", "OPA4197", "quote", "secret"],
        (SortBy.DATE, True): ["OPA4197", "BME280", "LM358", "quote", "secret"],
        (SortBy.TITLE, False): ["BME280", "OPA4197", "LM358", "quote", "secret"],
        (SortBy.STATE, False): ["secret", "quote", "LM358", "BME280", "OPA4197"],
    }
    for (sort_by, is_descending), wanted in expected.items():
        order.arrange(Arrangement(GroupBy.NONE, sort_by, is_descending))
        assert names(order) == wanted, (sort_by, is_descending)


def test_folded_groups_keep_their_number_and_open_for_what_is_looked_for():
    order = order_of(*ALL)
    heading = next(row for row in order.rows() if row.heading == "Texas Instruments")
    order.arrange(order.toggled(heading))
    assert "Texas Instruments (2)" in tree(order)
    assert "OPA4197" not in names(order)
    assert order.n_shown == 5
    order.reveal(AMPLIFIER.document_id)
    assert "OPA4197" in names(order)
    order.arrange(order.folded(True))
    assert names(order) == []
    order.arrange(order.folded(False))
    assert len(names(order)) == 5


# Revisions


def test_older_revisions_are_folded_under_the_newest():
    order = order_of(revision("A", "2011-05"), revision("C", "2018-01"), revision("B", "2014"))
    assert tree(order) == ["Acme (3)", "acm4197_C"]
    assert order.n_shown == 3
    order.arrange(order.toggled(order.rows()[1]))
    assert tree(order) == ["Acme (3)", "acm4197_C", "  acm4197_B", "  acm4197_A"]
    newest, older = order.rows()[1], order.rows()[3]
    assert note_of(newest, newest.entry, ()) == "2 older"
    assert note_of(older, older.entry, ()) == "Rev. A, 2011-05"


def test_a_newer_revision_takes_the_place_of_the_one_that_was_newest():
    order = order_of(revision("A", "2011-05"), revision("B", "2014-01"))
    assert tree(order) == ["Acme (2)", "acm4197_B"]
    moved = order.update((revision("C", "2018-01"),))
    assert tree(order) == ["Acme (3)", "acm4197_C"]
    assert DocumentId("acm4197_B.pdf") in moved
    order.update((), (DocumentId("acm4197_C.pdf"),))
    assert tree(order) == ["Acme (2)", "acm4197_B"]
    order.update((), (DocumentId("acm4197_B.pdf"),))
    assert tree(order) == ["Acme (1)", "acm4197_A"]


def test_documents_of_other_titles_vendors_or_without_an_order_stand_apart():
    for other in (
        revision("B", "2014", title="ACM4197 Errata: known problems of the silicon"),
        revision("B", "2014", vendor="Other"),
        revision("B", "2014", part_numbers=("ACM5000",)),
    ):
        assert len(names(order_of(revision("A", "2011"), other))) == 2
    assert len(names(order_of(revision("", ""), revision("B", "")))) == 2


def test_older_revisions_stand_alone_when_only_they_are_asked_for():
    order = order_of(revision("A", "2011"), revision("B", "2014"), SENSOR)
    narrow(order, "", (Facet.REVISION, RevisionKind.OLDER))
    assert names(order) == ["acm4197_A"]
    narrow(order, "", (Facet.REVISION, RevisionKind.NEWEST))
    assert names(order) == ["acm4197_B"]
    assert order.counts(Facet.REVISION) == {
        RevisionKind.OLDER: 1,
        RevisionKind.NEWEST: 1,
        RevisionKind.ONLY: 1,
    }
    narrow(order)
    order.reveal(DocumentId("acm4197_A.pdf"))
    assert "acm4197_A" in names(order)


# Words for a row


def test_the_words_of_a_state_say_why():
    assert state_text(LOCKED) == "password"
    assert state_text(SCAN) == "no text"
    assert has_no_text(SCAN)
    refused = replace(LOCKED, reason=SCANNED_DOCUMENT)
    assert (state_text(refused), refused.is_scan, LOCKED.is_scan) == ("no text", True, False)
    assert state_text(STALE) == "earlier"
    assert revision_label(revision("C", "2018-01")) == "Rev. C, 2018-01"
    long = make_status("x.pdf", revision="SBAS444D – MAY 2009 – REVISED JANUARY 2018")
    assert revision_label(long) == "SBAS444D"


def test_the_same_bytes_in_two_places_are_one_row():
    status = DocumentStatus(
        DocumentId("x"), "a.pdf", ("a.pdf", "copy/a.pdf"), "/d/a.pdf", DocumentState.READY
    )
    order = order_of(status)
    (row,) = [row for row in order.rows() if row.entry is not None]
    assert note_of(row, row.entry, ()) == "2 places"


# Changes


def test_step_by_step_changes_lead_where_all_at_once_does():
    """Documents come, change, move and go; the rows are those of a list made anew."""
    chance = random.Random(11)
    pool = [
        revision(chance.choice("ABCD"), f"20{chance.randint(10, 20)}")
        if number % 5 == 0
        else make_status(
            f"f{number % 3}/TI_OPA{number}.pdf",
            vendor=chance.choice(("TI", "Bosch", "")),
            part_numbers=(f"OPA{number % 7}",),
            n_segments=3,
        )
        for number in range(60)
    ]
    order = LibraryOrder()
    present: dict[DocumentId, DocumentStatus] = {}
    for group_by in GroupBy:
        order.arrange(Arrangement(group_by, chance.choice(list(SortBy))))
        for _ in range(30):
            status = chance.choice(pool)
            key = status.document_id
            if key in present and chance.random() < 0.3:
                present.pop(key)
                order.update((), (key,))
            else:
                changed = make_changed(status, chance)
                present[key] = changed
                order.update((changed,))
            fresh = LibraryOrder()
            fresh.arrange(order.arrangement)
            fresh.update(present.values())
            assert tree(order) == tree(fresh)


def make_changed(status: DocumentStatus, chance: random.Random) -> DocumentStatus:
    return replace(
        status,
        vendor=chance.choice((status.vendor, "Bosch")),
        n_pages=chance.randint(1, 9),
        state=chance.choice((DocumentState.READY, DocumentState.WAITING)),
    )


def test_loading_in_steps_gives_the_same_rows():
    statuses = tuple(
        make_status(f"TI_OPA{number}.pdf", n_segments=1, part_numbers=(f"OPA{number // 2}",))
        for number in range(700)
    )
    order = LibraryOrder()
    assert sum(1 for _ in order.load(statuses)) > 2
    assert tree(order) == tree(order_of(*statuses))


def test_many_revisions_are_compared_in_many_steps():
    """Comparing two titles can take 50 us: no step may hold thousands of pairs."""
    statuses = tuple(
        make_status(
            f"{part}/TI_OPA{part}_{letter}.pdf",
            n_segments=1,
            part_numbers=(f"OPA{part}",),
            revision=f"Rev. {letter}",
        )
        for part in range(40)
        for letter in "ABCDEFGHIJ"
    )
    order = LibraryOrder()
    n_pairs = 40 * 10**2
    assert sum(1 for _ in order.load(statuses)) >= n_pairs / 500
    assert tree(order) == tree(order_of(*statuses))


def test_documents_read_with_doubts_can_be_listed_alone():
    doubtful = make_status("a.pdf", reading=ReadingScore(0.5))
    assert Entry(doubtful).kinds == (StateKind.DOUBTS, StateKind.READY)
    assert Entry(replace(doubtful, stale=True)).kinds[0] is StateKind.DOUBTS
    assert StateKind.DOUBTS in Entry(replace(doubtful, state=DocumentState.PARTIAL)).kinds
    assert Entry(replace(doubtful, state=DocumentState.WAITING)).kinds == (StateKind.WORKING,)
