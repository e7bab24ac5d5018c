"""Parts of a document by their names, in the terminal."""

import argparse
import json
from pathlib import Path

import pytest

from desktop_qa.cli.fetch import add_fetch, fetch
from desktop_qa.core.errors import QuestionError
from desktop_qa.core.figure_description import FigureDescription, FigureToDescribe
from desktop_qa.library.describing import kept_description
from desktop_qa.llm.profile import ProfileStore
from tests.helpers.libraries import open_library
from tests.helpers.pdf import PdfWriter, write_datasheet
from tests.llm.asking import profile_of
from tests.llm.scripted_server import ScriptedServer, says
from tests.llm.test_keys import Backend

SWITCH = "The ACM8833 switches the current of a motor when its input is driven high."
HALVES = (
    "A capacitor of one microfarad that stands as near as can be to the supply and",
    "ground pins of the package keeps the bridge from ringing when it switches.",
)


def write_driver(path):
    writer = PdfWriter(running_footer="Acme Semiconductor")
    writer.title("ACM8833 Motor Driver")
    writer.heading("1 Overview")
    writer.paragraph(SWITCH)
    writer.paragraph("How it is wired is shown in Figure 1.")
    writer.plot(caption="Figure 1. Wiring of a motor")
    writer.heading("2 Layout")
    writer.paragraph(HALVES[0])
    writer.new_page()
    writer.paragraph(HALVES[1])
    writer.save(path)


@pytest.fixture
def library(library, source_folder):
    write_datasheet(source_folder / "acm4197.pdf")
    write_driver(source_folder / "acm8833.pdf")
    library.add_source(source_folder)
    library.sync()
    return library


def run(library, *words, documents=("acm4197",)):
    parser = argparse.ArgumentParser()
    add_fetch(parser.add_subparsers())
    options = parser.parse_args(["fetch", *documents, "--library", "unused", *words])
    return fetch(options, library)


def rows_of(library, capsys, *words, documents=("acm4197",)):
    assert run(library, *words, "--json", documents=documents) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (("--section", "2.1"), "Gain bandwidth product"),
        (("--section", "calibration"), "Wait two seconds."),
        (("--table", "1"), "Quiescent current"),
        (("--table", "electrical characteristics"), "Input offset voltage"),
    ],
)
def test_a_place_is_fetched_by_number_and_by_words(library, capsys, place, words):
    assert run(library, *place) == 0
    assert words in capsys.readouterr().out
    found = rows_of(library, capsys, *place)
    assert any(words in item["text"] for item in found)
    assert all(0 < item["fit"] <= 1 and item["pages"] for item in found)


@pytest.mark.parametrize("place", [("--section", "9.9"), ("--figure", "3"), ("--pages", "40")])
def test_a_place_that_is_not_there_is_said_to_be_missing(library, place):
    with pytest.raises(QuestionError, match=r"acm4197\.pdf has no such place"):
        run(library, *place)


@pytest.mark.parametrize("pages", ["seven", "1,", "2-", "1;2"])
def test_pages_that_are_none_are_refused(library, pages):
    with pytest.raises(QuestionError, match="names no pages"):
        run(library, "--pages", pages)


def test_a_page_is_its_own_text_and_nothing_of_the_next(library, capsys):
    pages = rows_of(library, capsys, "--pages", "1-9", documents=("acm8833",))
    assert [page["pages"] for page in pages] == [[1], [2]]
    assert SWITCH in pages[0]["text"]
    assert pages[0]["text"].endswith(f"{HALVES[0]}\n")
    assert pages[1]["text"] == f"{HALVES[1]}\n"
    # As a segment it is one paragraph on two pages.
    (section,) = rows_of(library, capsys, "--section", "layout", documents=("acm8833",))
    assert " ".join(HALVES) in section["text"]


def test_pages_are_a_list_of_numbers_and_ranges(library, capsys):
    every = rows_of(library, capsys, "--pages", "1-9", documents=("acm8833",))
    some = rows_of(library, capsys, "--pages", "last, 1", documents=("acm8833",))
    assert some == [every[-1], every[0]]
    assert run(library, "--pages", "1", documents=("acm8833",)) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("[page 1]\n")
    assert SWITCH in printed


def test_a_figure_comes_with_its_image_and_all_that_is_said_of_it(library, capsys):
    (row,) = rows_of(library, capsys, "--figure", "1", documents=("acm8833",))
    figure = row["figure"]
    assert Path(figure["image"]).is_file()
    assert figure["caption"] == "Figure 1. Wiring of a motor"
    assert figure["mentions"] == ["How it is wired is shown in Figure 1."]
    assert figure["surroundings"]
    for part in (figure["caption"], figure["surroundings"], figure["words"]):
        assert part in figure["description"]
    run(library, "--figure", "wiring", documents=("acm8833",))
    printed = capsys.readouterr().out
    assert figure["image"] in printed
    assert figure["description"] in printed


def test_a_table_comes_with_the_cells_of_its_rows(library, capsys):
    (row,) = rows_of(library, capsys, "--table", "1")
    texts = {cell["text"] for cell in row["table"]["cells"]}
    assert {"PARAMETER", "Input offset voltage", "100"} <= texts


@pytest.mark.parametrize("documents", [(), ("acm4197", "acm8833.pdf"), ("acm*",)])
def test_a_place_is_fetched_from_several_documents(library, capsys, documents):
    found = rows_of(library, capsys, "--pages", "1", documents=documents)
    assert [row["file"] for row in found] == ["acm4197.pdf", "acm8833.pdf"]


def test_documents_may_be_a_scope_and_those_without_the_place_are_named(library, capsys):
    assert run(library, "--section", "layout", "--scope", "acm*", documents=()) == 0
    said = capsys.readouterr()
    assert "[acm8833.pdf, page" in said.out
    assert said.err == "acm4197.pdf has no such place.\n"


def test_a_name_that_no_document_has_is_told_beside_what_is_found(library, capsys):
    assert run(library, "--pages", "1", documents=("acm4197", "acm9999")) == 0
    assert "No document matches acm9999." in capsys.readouterr().err
    with pytest.raises(QuestionError, match="No document of this library matches acm9999"):
        run(library, "--pages", "1", documents=("acm9999",))


def test_a_model_describes_a_figure_in_its_own_words(library, capsys, monkeypatch):
    monkeypatch.setattr("keyring.get_keyring", Backend)
    with ScriptedServer(says("Two blocks and a motor.")) as server:
        ProfileStore().save(profile_of(server, name="seer"))
        words = ("--figure", "1", "--profile", "seer")
        (row,) = rows_of(library, capsys, *words, documents=("acm8833",))
    assert row["by_model"]["text"] == "Two blocks and a motor."
    assert "Two blocks" not in row["figure"]["description"]
    assert "No answer cites it" in row["by_model"]["byline"]


def test_a_library_open_for_reading_keeps_no_description(library, tmp_path):
    image = tmp_path / "1.png"
    figure = FigureToDescribe(str(image), "", "", "acm8833.pdf, page 1")
    said = FigureDescription("Two blocks.", "seer", "this machine", 5.0)
    with open_library(library.folder, read_only=True) as reader:
        reader.keep_description(figure, said)
    assert kept_description(str(image)) is None
    library.keep_description(figure, said)
    assert kept_description(str(image)) == said


def test_only_figures_are_described(library):
    with pytest.raises(QuestionError, match="Only figures"):
        run(library, "--pages", "1", "--profile", "seer")
