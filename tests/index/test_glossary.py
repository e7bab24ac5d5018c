import sqlite3

import pytest

from desktop_qa.core.glossary import GlossaryEntry, GlossarySource
from desktop_qa.core.progress import DocumentState
from desktop_qa.index.glossary import Glossary
from desktop_qa.index.glossary_table import name_key, symbol_key
from desktop_qa.index.schema import APPLICATION_ID, MIGRATIONS, migrate, schema_version
from tests.helpers.sample_documents import make_sample


def teach(store, name, *pairs, source=GlossarySource.SYMBOL):
    """Store a document that gives names to symbols, and return its id."""
    sample = make_sample(name)
    sample.save_in(store)
    entries = [GlossaryEntry(short, long, source) for short, long in pairs]
    store.save_glossary(sample.document.id, entries, 1)
    return sample.document.id


def symbols(store, name, *documents):
    return [n.text for n in Glossary(store).symbols_of(name_key(name), documents)]


def names(store, symbol, *documents):
    return [n.text for n in Glossary(store).names_of(symbol_key(symbol), documents)]


def test_spellings_of_a_symbol_have_one_key():
    assert len({symbol_key(s) for s in ("RDS(on)", "R_DS(ON)", "RDSON", "rds(on)")}) == 1
    assert symbol_key("IN+") != symbol_key("IN-")
    assert symbol_key("R-DNL") == symbol_key("RDNL")


def test_spellings_of_a_name_have_one_key():
    assert name_key("Input Offset Voltages") == name_key("input offset voltage")
    assert name_key("low-dropout regulator") == name_key("low dropout regulator")


def test_a_symbol_needs_two_documents_unless_the_document_is_named(store):
    first = teach(store, "A1", ("VOS", "Input offset voltage"))
    assert symbols(store, "input offset voltage") == []
    assert symbols(store, "input offset voltage", first) == ["VOS"]
    teach(store, "B2", ("VOS", "Input offset voltages"))
    teach(store, "C3", ("VOS", "Input offset voltage"))
    assert symbols(store, "input offset voltage") == ["VOS"]
    assert names(store, "Vos") == ["Input offset voltage"]


def test_one_document_suffices_for_an_acronym_in_prose(store):
    teach(store, "A1", ("LDO", "low-dropout regulator"), source=GlossarySource.ACRONYM)
    assert symbols(store, "low-dropout regulator") == ["LDO"]
    assert names(store, "LDO") == ["low-dropout regulator"]


def test_what_the_named_document_says_counts_alone(store):
    teach(store, "A1", ("TS", "Storage temperature"))
    teach(store, "B2", ("TS", "Storage temperature"))
    own = teach(store, "C3", ("TS", "Thermistor input"))
    assert names(store, "TS", own) == ["Thermistor input"]
    assert names(store, "TS") == ["Storage temperature"]


def test_a_pin_of_the_named_document_stands_for_itself(store):
    teach(store, "A1", ("EN", "Noise density"))
    teach(store, "B2", ("EN", "Noise density"))
    own = teach(store, "C3", ("EN", "Device enable"), source=GlossarySource.PIN)
    assert names(store, "EN", own) == []
    assert symbols(store, "device enable", own) == ["EN"]


def test_a_symbol_of_many_meanings_is_unsure(store):
    for n, meaning in enumerate(("output current", "input output", "idle state", "ion offset")):
        teach(store, f"A{n}", ("IO", meaning))
        teach(store, f"B{n}", ("IO", meaning))
    (found, *_rest) = Glossary(store).names_of("io")
    assert found.confidence < 0.25
    (symbol,) = Glossary(store).symbols_of(name_key("output current"))
    assert symbol.confidence < 0.25


def test_a_document_taught_again_forgets_what_it_said(store):
    own = teach(store, "A1", ("VOS", "Offset voltage"))
    store.save_glossary(own, [GlossaryEntry("VIO", "Offset voltage", GlossarySource.SYMBOL)], 1)
    assert symbols(store, "offset voltage", own) == ["VIO"]


def test_a_removed_or_failed_document_teaches_nothing(store):
    first = teach(store, "A1", ("VOS", "Offset voltage"))
    second = teach(store, "B2", ("VOS", "Offset voltage"))
    store.remove_document(first)
    store.set_state(second, DocumentState.FAILED)
    assert store.glossary_by_short({"vos"}) == ()
    assert store.unlearned(1) == ()


def test_documents_of_an_earlier_version_wait_to_be_learned(store):
    sample = make_sample("A1")
    sample.save_in(store)
    assert store.unlearned(1) == (sample.document.id,)
    store.save_glossary(sample.document.id, (), 1)
    assert store.unlearned(1) == ()
    assert store.unlearned(2) == (sample.document.id,)


def test_a_document_that_is_read_again_waits_to_be_learned_again(store):
    sample = make_sample("A1")
    sample.save_in(store)
    store.save_glossary(sample.document.id, (), 1)
    sample.save_in(store)
    assert store.unlearned(1) == (sample.document.id,)


def test_an_empty_glossary_knows_nothing():
    glossary = Glossary()
    assert glossary.known_names({"x"}) == frozenset()
    assert glossary.symbols_of("x") == glossary.names_of("x") == ()


def test_a_library_without_the_tables_gets_them():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for step in MIGRATIONS[:2]:
        for statement in step:
            connection.execute(statement)
    connection.execute("PRAGMA user_version = 2")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    assert schema_version(connection) == 2
    migrate(connection)
    assert schema_version(connection) == len(MIGRATIONS)
    assert connection.execute("SELECT count(*) FROM glossary_names").fetchone() == (0,)
    connection.close()


@pytest.mark.parametrize("name", ["", "   ", "\n"])
def test_empty_names_are_not_kept(store, name):
    own = teach(store, "A1", (name, "Offset voltage"), ("VOS", name))
    assert store.glossary_of([own]) == ()
