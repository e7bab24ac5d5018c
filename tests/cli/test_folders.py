"""The folders of a library in the terminal."""

import argparse
import json

import pytest

from desktop_qa.cli.folders import add_folders, run_folders
from desktop_qa.core.errors import FolderError
from tests.helpers.pdf import write_datasheet
from tests.library.test_library import files


@pytest.fixture
def run(library, capsys):
    def run_words(*words):
        parser = argparse.ArgumentParser()
        add_folders(parser.add_subparsers())
        options = parser.parse_args(["folders", *map(str, words), "--library", "unused", "--json"])
        assert run_folders(options, library) == 0
        return json.loads(capsys.readouterr().out)

    return run_words


def test_folders_are_added_excluded_watched_and_removed(run, library, source_folder):
    write_datasheet(source_folder / "acm4197.pdf")
    write_datasheet(source_folder / "acm4198.pdf", "ACM4198")
    assert run() == []
    (row,) = run("add", source_folder)
    assert (row["folder"], row["files"], row["state"]) == (str(source_folder), 2, "native")
    assert row["not_read"] == []
    assert run()[0]["scans"] == 0
    (source_folder / "notes.md").write_text("words")
    (row,) = run("exclude", source_folder, "*98*")
    assert {one["kind"]: one["reason"] for one in row["not_read"]} == {
        "PDF file": "left out by patterns",
        "Markdown file": "only PDF is read so far",
    }
    assert (row["files"], row["left_out"], row["excluded"]) == (1, 1, ["*98*"])
    assert files(library) == ["acm4197.pdf"]
    (row,) = run("watch", source_folder, "--off")
    assert (row["watched"], row["state"], row["excluded"]) == (False, "off", ["*98*"])
    (row,) = run("exclude", source_folder)
    assert (row["files"], row["watched"]) == (2, False)
    run("watch", "--off")
    assert not library.is_watching
    assert run("remove", source_folder) == []
    assert files(library) == []


def test_wrong_use_and_unknown_folders_are_told_apart(run, source_folder):
    with pytest.raises(SystemExit) as ended:
        run("add")
    assert ended.value.code == 2
    with pytest.raises(FolderError, match="no folder of this library"):
        run("remove", source_folder)


def test_only_what_became_of_a_document_is_told(run, library, source_folder, capsys):
    write_datasheet(source_folder / "acm4197.pdf")
    write_datasheet(source_folder / "acm4198.pdf", "ACM4198")
    library.add_source(source_folder)
    library.sync()
    write_datasheet(source_folder / "acm4199.pdf", "ACM4199")
    parser = argparse.ArgumentParser()
    add_folders(parser.add_subparsers())
    words = ("folders", "exclude", str(source_folder), "*98*", "--library", "unused")
    run_folders(parser.parse_args(words), library)
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if ".pdf: " in line] == ["acm4199.pdf: ready"]
    assert "1 document left the library" in lines
