import pytest

from desktop_qa.core.glossary import GlossaryEntry, GlossarySource
from desktop_qa.index.glossary import Glossary
from desktop_qa.index.store import Store
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.directory import Directory, DocumentEntry
from desktop_qa.retrieve.expansion import MAX_TERMS, expand
from desktop_qa.retrieve.query import build_query
from tests.helpers.sample_documents import make_sample

ACRONYM, PIN, SYMBOL = GlossarySource.ACRONYM, GlossarySource.PIN, GlossarySource.SYMBOL


@pytest.fixture
def store(tmp_path):
    opened = Store.open(tmp_path / "library")
    yield opened
    opened.close()


@pytest.fixture
def taught(store):
    """Two amplifiers and a regulator that speak of the same things in their own words."""
    common = [("VOS", "Input offset voltage", SYMBOL), ("PSRR", "Power supply rejection", ACRONYM)]
    documents = {
        "AMP1": [*common, ("IQ", "Quiescent current", SYMBOL), ("EN", "Device enable", PIN)],
        "AMP2": [*common, ("IQ", "Quiescent current", SYMBOL), ("SS", "Soft-start time", SYMBOL)],
        "REG3": [("IQ", "Supply current", SYMBOL), ("LDO", "low-dropout regulator", ACRONYM)],
        "REG4": [("IQ", "Supply current", SYMBOL)],
    }
    ids = {}
    for name, rows in documents.items():
        sample = make_sample(name)
        sample.save_in(store)
        store.save_glossary(sample.document.id, [GlossaryEntry(*row) for row in rows], 1)
        ids[name] = sample.document.id
    return Glossary(store), ids


def searched(text, taught, *names, **options):
    glossary, ids = taught
    return expand(text, glossary, tuple(ids[name] for name in names), **options)


def test_a_name_brings_its_symbol(taught):
    found = searched("What is the input offset voltage?", taught)
    assert found.also_searched == ("VOS",)
    assert [term for term, _ in found.terms] == ["vos"]


def test_a_symbol_brings_the_words_of_its_name(taught):
    found = searched("What is the VOS?", taught)
    assert found.also_searched == ("Input offset voltage",)
    assert {term for term, _ in found.terms} == set(terms_of("input offset voltage"))


def test_words_that_were_asked_are_not_added(taught):
    found = searched("input offset voltage VOS", taught)
    assert found.terms == ()
    assert found.also_searched == ()


def test_weights_are_less_than_those_of_the_question_and_sorted(taught):
    found = searched("VOS and IQ and PSRR of it, input offset", taught)
    weights = [weight for _, weight in found.terms]
    assert weights == sorted(weights, reverse=True)
    assert all(0 < weight < 1 for weight in weights)


def test_a_name_of_several_words_weighs_as_one(taught):
    (_, alone), *_rest = searched("soft-start time", taught, "AMP2").terms
    parts = [weight for _, weight in searched("LDO", taught).terms]
    assert len(parts) == 3
    assert max(parts) < alone


@pytest.mark.parametrize(
    "text",
    [
        "Is it on at VOS = 5 mV?",
        "What does VOS's maker say?",
        "Where is the LM317?",
        "in on at of the to",
        "???",
        "",
        "電圧はいくつですか",
    ],
)
def test_what_names_nothing_adds_nothing(text, taught):
    assert searched(text, taught, codes=("LM317",)).terms == ()


def test_a_part_number_is_no_symbol(taught):
    assert searched("The IQ", taught, codes=("IQ",)).terms == ()


def test_a_pin_is_meant_as_itself(taught):
    assert searched("What does EN do?", taught, "AMP1").terms == ()


def test_at_most_so_many_terms_and_no_half_names(taught):
    text = "VOS PSRR IQ LDO, worst case, how long, how fast, how accurate, hot, damage, idle, drop"
    found = searched(text, taught)
    assert 6 <= len(found.terms) <= MAX_TERMS
    added = {term for term, _ in found.terms}
    asked = set(terms_of(text))
    assert all(set(terms_of(name)) <= added | asked for name in found.also_searched)


def test_a_question_of_ten_thousand_words(taught):
    found = searched("input offset voltage " + "x" * 50_000 + " word" * 10_000, taught)
    assert found.also_searched == ("VOS",)


def test_a_query_carries_what_it_is_also_searched_by(taught):
    glossary, ids = taught
    directory = Directory((DocumentEntry(ids["AMP1"], ("XY197",)),), frozenset(), glossary)
    query = build_query("Input offset voltage of the XY197?", directory)
    assert query.document_ids == (ids["AMP1"],)
    assert query.also_searched == ("VOS",)
    assert [term for term, _ in query.expansions] == ["vos"]
    assert build_query("Input offset voltage?", Directory()).expansions == ()
