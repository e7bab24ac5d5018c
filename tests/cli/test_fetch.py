"""Parts of a document by their names, in the terminal."""

from __future__ import annotations

import argparse
import json

import pytest

from desktop_qa.cli.fetch import add_fetch, fetch
from desktop_qa.core.errors import QuestionError
from desktop_qa.library.facade import Library
from tests.helpers.hashing_embedder import HashingEmbedder
from tests.library.test_library import write_datasheet


@pytest.fixture
def library(tmp_path, source_folder):
    opened = Library.open(tmp_path / "library", embedder=HashingEmbedder())
    write_datasheet(source_folder / "acm4197.pdf")
    opened.add_source(source_folder)
    opened.sync(lambda _progress: None)
    yield opened
    opened.close()


def run(library, *words):
    parser = argparse.ArgumentParser()
    add_fetch(parser.add_subparsers(), None)
    options = parser.parse_args(["fetch", "acm4197", "--library", "unused", *words])
    return fetch(options, library, library.named("acm4197")[0].document_id)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (("--pages", "1"), "low noise amplifier"),
        (("--pages", "last"), "Short both inputs."),
        (("--section", "2.1"), "Gain bandwidth product"),
        (("--section", "calibration"), "Wait two seconds."),
        (("--table", "1"), "Quiescent current"),
        (("--table", "electrical characteristics"), "Input offset voltage"),
    ],
)
def test_a_place_is_fetched_by_number_and_by_words(library, capsys, place, words):
    assert run(library, *place) == 0
    assert words in capsys.readouterr().out
    assert run(library, *place, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert any(words in item["text"] for item in found)
    assert all(0 < item["fit"] <= 1 and item["pages"] for item in found)


@pytest.mark.parametrize("place", [("--section", "9.9"), ("--figure", "3"), ("--pages", "40")])
def test_a_place_that_is_not_there_is_said_to_be_missing(library, place):
    with pytest.raises(QuestionError, match=r"acm4197\.pdf has no such place"):
        run(library, *place)


def test_pages_that_are_none_are_refused(library):
    with pytest.raises(QuestionError, match="names no pages"):
        run(library, "--pages", "seven")


def test_the_other_functions_are_at_hand(library):
    document_id = library.named("acm4197")[0].document_id
    assert [c.title for c in library.triage.tree(document_id).chapters][-1] == "Calibration"
    query = library.read_question("quiescent current of the ACM4197").query
    assert library.triage.retrieve(query)[0].score > 0
