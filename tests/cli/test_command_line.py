"""The command line from outside: its JSON, its exit codes, and what it answers."""

import re
from pathlib import Path

import pytest

from desktop_qa.cli.command_line import main
from tests.helpers import command_line
from tests.helpers.pdf import datasheet

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("one_model")]


def test_ingest_reports_what_it_did(sample_ingest, sample_library):
    report = sample_ingest.report
    assert set(report) == {
        *("documents", "pages", "segments", "tables", "figures"),
        *("partial", "failed", "duplicates", "seconds", "scans", "read", "not_read"),
        "doubtful",
    }
    assert report["read"] == [
        {"kind": "PDF file", "extensions": [".pdf"], "n_files": report["documents"]}
    ]
    assert report["scans"] == []
    assert all(row["reason"] for row in report["not_read"])
    assert report["documents"] == len(list(sample_library.rglob("*.pdf")))
    assert report["segments"] > report["documents"]
    assert report["tables"] > 0
    assert report["figures"] > 0


def test_answer_has_markers_citations_and_evidence(sample_ingest):
    answer = command_line.run_json(
        "ask", "What is the typical input offset voltage?", "--library", sample_ingest.library
    )
    assert answer["status"] == "answered"
    assert answer["citations"]
    markers = {int(marker) for marker in re.findall(r"\[(\d+)\]", answer["answer"])}
    assert markers == {citation["marker"] for citation in answer["citations"]}
    for citation in answer["citations"]:
        assert set(citation) == {"marker", "file", "section_path", "kind", "quote", "places"}
        assert citation["quote"]
        for place in citation["places"]:
            left, top, right, bottom = place["bbox"]
            assert left < right
            assert top < bottom


def test_retrieval_shows_the_score_of_each_route(sample_ingest):
    rows = command_line.run_json_here(
        "retrieve", "supply current", "--library", sample_ingest.library, "--top-k", "4"
    )
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    assert [row["score"] for row in rows] == sorted((r["score"] for r in rows), reverse=True)
    for row in rows:
        assert set(row["routes"]) == {"vector", "lexical", "keywords", "structure"}
        assert row["page"] in row["pages"]


def test_structure_of_a_file_is_its_headings_tables_and_figures(tmp_path):
    path = datasheet(tmp_path / "acme.pdf")
    structure = command_line.run_json("structure", path)
    assert structure["pages"] == 2
    headings = [(h["number"], h["title"], h["level"]) for h in structure["headings"]]
    assert ("2.1", "Electrical Characteristics", 2) in headings
    (table,) = structure["tables"]
    assert (table["label"], table["n_rows"], table["n_columns"]) == ("Table 1", 4, 6)
    assert next(cell["text"] for cell in table["cells"] if cell["is_header"]) == "Parameter"
    assert structure["figures"][0]["label"] == "Figure 1"
    assert structure["figures"][0]["image"] == ""


def test_the_figures_of_a_file_are_drawn_where_they_are_wanted(tmp_path):
    path = datasheet(tmp_path / "acme.pdf")
    figures = command_line.run_json("structure", path, "--images", tmp_path / "drawn")["figures"]
    drawn = {str(file) for file in (tmp_path / "drawn").iterdir()}
    assert drawn == {figure[form] for figure in figures for form in ("image", "vector")} - {""}
    for figure in figures:
        assert figure["image"].endswith(".png")
        assert figure["caption"] in figure["description"]
        assert {"words", "mentions", "surroundings", "page", "bbox"} <= set(figure)


def test_a_figure_that_is_found_has_its_image_and_description(sample_ingest):
    library = ("--library", sample_ingest.library)
    rows = command_line.run_json_here("retrieve", "block diagram", *library, "--top-k", "20")
    assert {row["figure"] is not None for row in rows if row["kind"] != "figure"} <= {False}
    figures = [row["figure"] for row in rows if row["kind"] == "figure"]
    assert figures
    assert all(Path(figure["image"]).is_file() for figure in figures)
    assert all(figure["description"] for figure in figures)
    answer = command_line.run_json_here("ask", "Show the block diagram", *library)
    shown = [row["figure"] for row in answer["evidence"] if row["rank"] in answer["figures"]]
    assert shown
    assert all(figure in figures for figure in shown)


def test_what_is_not_stated_has_the_closest_places_instead(sample_ingest):
    library = ("--library", sample_ingest.library)
    refused = command_line.run_json_here("ask", "What does the ORA217 cost in dollars?", *library)
    assert (refused["status"], refused["trust"]) == ("not_found", "not_stated")
    assert refused["closest"] == refused["evidence"][: len(refused["closest"])]
    assert refused["closest"]
    stated = command_line.run_json_here("ask", "input offset voltage of the ORA217", *library)
    assert (stated["status"], stated["closest"]) == ("answered", [])


@pytest.mark.parametrize(
    "words",
    [
        ("ingest",),
        ("ask", "question"),
        ("retrieve", "q", "--library", "x", "--top-k", "0"),
        ("structure", "--no-such-option"),
        ("evaluate", "bank.jsonl"),
        ("evaluate", "--library", "x"),
        ("evaluate", "bank.jsonl", "--corpus", "x", "--library", "y"),
        ("evaluate", "bank.jsonl", "--library", "x", "--ablation", "--study", "alpha"),
        ("evaluate", "bank.jsonl", "--library", "x", "--ablation", "--baselines"),
        ("evaluate", "bank.jsonl", "--library", "x", "--variants", "none"),
        ("evaluate", "bank.jsonl", "--library", "x", "--pool", "table"),
        ("tune", "bank.jsonl", "--library", "x", "--folds", "1"),
        ("tune", "bank.jsonl"),
    ],
)
def test_wrong_use_ends_with_2(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "usage:" in printed.err


def test_failed_requests_end_with_1_and_a_sentence(tmp_path):
    library = tmp_path / "library"
    missing = command_line.run("ingest", tmp_path / "nowhere", "--library", library)
    assert missing.returncode == 1
    assert "nowhere" in missing.stderr
    assert "Traceback" not in missing.stderr
    bank = tmp_path / "bank.jsonl"
    bank.write_text("oops\n", encoding="utf-8")
    wrong = command_line.run("evaluate", bank, "--library", library)
    assert wrong.returncode == 1
    assert "line 1" in wrong.stderr


def test_structure_is_measured_against_what_the_files_say(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    datasheet(folder / "good.pdf", n_chapters=3)
    (folder / "empty.pdf").write_bytes(b"")
    measured = command_line.run_json("evaluate-structure", folder)
    assert measured["files"] == 1
    assert [row["file"] for row in measured["failed"]] == ["empty.pdf"]
    assert measured["headings"]["f1"] == 1.0
    assert measured["headings"]["level"] == 1.0
    assert measured["words"]["kept_once"] >= 0.99
    assert measured["words"]["foreign"] == 0.0
    assert measured["rectangles"]["words_own"] == 1.0
    assert measured["rectangles"]["cells_alone"] == 1.0
    assert set(measured["by_file"][0]["findings"]) >= {"headings_missed", "words_lost"}


def test_a_scope_and_preferred_sources_are_given_as_patterns(sample_ingest):
    library = sample_ingest.library
    answer = command_line.run_json_here(
        *("ask", "What is the supply voltage?", "--library", library),
        *("--scope", "ORLUNDA_ORA2*.pdf", "nothere.pdf", "--prefer", "ORA218"),
    )
    assert {item["file"] for item in answer["evidence"]} <= {
        f"ORLUNDA_ORA2{number}.pdf" for number in (17, 18, 47)
    }
    assert answer["documents_searched"] == 3
    assert answer["scope"] == ["ORLUNDA_ORA2*.pdf", "nothere.pdf"]
    assert "nothere.pdf" in answer["notes"][0]
    assert {"file": "ORLUNDA_ORA218.pdf", "why": "preferred source"} in answer["sources"]
    rows = command_line.run_json_here(
        *("retrieve", "supply voltage", "--library", library, "--scope", "vendor:orlunda")
    )
    assert rows


def test_an_answer_is_written_to_a_file_and_stays_in_the_history(sample_ingest, tmp_path):
    library = sample_ingest.library
    question = ("ask", "What is the typical input offset voltage?", "--library", library)
    done = command_line.run_here(*question, "--export", tmp_path / "answer.txt")
    assert done.returncode == 1
    assert ".pdf" in done.stderr
    done = command_line.run_here(*question, "--export", tmp_path / "answer.docx")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "answer.docx").read_bytes().startswith(b"PK")
    listed = command_line.run_json_here("history", "--library", library, "--search", "offset")
    assert listed["questions"]


def test_documents_are_compared_with_files_places_and_csv(sample_ingest, tmp_path):
    csv_file = tmp_path / "comparison.csv"
    answer = command_line.run_json_here(
        *("compare", "ORA217", "ORA218", "--library", sample_ingest.library),
        *("--csv", csv_file, "--only-differences"),
    )
    assert answer["question"] == "Compare ORA217 and ORA218"
    (table,) = answer["tables"]
    assert table["use"] == "comparison"
    assert table["headers"] == ["Parameter", "ORA217", "ORA218"]
    assert [Path(file).name for file in table["files"]] == [
        *("", "ORLUNDA_ORA217.pdf", "ORLUNDA_ORA218.pdf"),
    ]
    assert all(table["differs"])
    assert len(table["differs"]) == len(table["rows"])
    for row in table["rows"]:
        for cell in row[1:]:
            assert bool(cell["marker"]) is bool(cell["text"]) is bool(cell["places"])
    assert csv_file.read_text(encoding="utf-8-sig").startswith("Parameter,ORA217,")


def test_tables_of_an_answer_are_printed_as_text(sample_ingest):
    done = command_line.run_here(
        "ask", "Compare ORA217 and ORA218", "--library", sample_ingest.library
    )
    assert "Comparison of ORA217 and ORA218" in done.stdout
    assert re.search(r"^Parameter\s+\| ORA217\s+\| ORA218", done.stdout, re.MULTILINE)


def test_questions_of_one_call_are_a_conversation_that_can_be_gone_on_with(sample_ingest):
    first, second = command_line.run_json_here(
        "ask",
        "How much current does the ORC1604 draw in continuous mode?",
        "and the ORC1204?",
        *("--conversation", "bench", "--library", sample_ingest.library),
    )
    assert first["read_as"] == ""
    assert first["conversation"] == second["conversation"] == "bench"
    assert second["read_as"] == "How much current does the ORC1204 draw in continuous mode?"
    assert {citation["file"] for citation in second["citations"]} == {"ORLUNDA_ORC1204.pdf"}
    third = command_line.run_json_here(
        *("ask", "what is its package?", "--conversation", "bench"),
        *("--library", sample_ingest.library),
    )
    assert third["read_as"] == "What is the package of the ORC1204?"
