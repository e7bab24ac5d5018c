"""The history of a library: what was asked stays as it was, whatever becomes of the documents."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_qa.cli.command_line import main
from desktop_qa.core.errors import (
    AlreadyThereError,
    DiskFullError,
    ExportError,
    HistoryError,
    LibraryError,
    QuestionError,
)
from desktop_qa.core.history import HistoryState
from desktop_qa.core.question import Question
from desktop_qa.core.segment import SegmentKind
from desktop_qa.index.records import compress, pack
from tests.helpers.libraries import open_library
from tests.helpers.pdf import PdfWriter, write_datasheet

QUESTION = "What is the typical input offset voltage of the ACM4197?"


def test_an_answer_knows_its_number_and_is_kept_with_settings_and_timings(synced):
    answer = synced.ask(Question(QUESTION))
    past = synced.history_entry(answer.history_id)
    assert past.view.answer == answer
    assert past.state is HistoryState.ANSWERED
    assert past.since.sentence == ""
    assert set(past.timings) == {"reading", "retrieval", "answering"}
    assert 0 < sum(past.timings.values()) <= past.seconds + 0.01
    assert past.settings["retrieval"]["top_k"] == 8
    assert past.settings["versions"]["read_by"].startswith("parser ")


def test_a_question_that_fails_is_kept_with_its_reason(synced):
    with pytest.raises(QuestionError) as failure:
        synced.ask(Question(QUESTION, scope=("none.pdf",)))
    with pytest.raises(QuestionError):
        synced.ask(Question("   "))
    (item,) = synced.history().items
    assert (item.question, item.state) == (QUESTION, HistoryState.FAILED)
    past = synced.history_entry(item.id)
    assert past.view is None
    assert past.error == str(failure.value)
    assert past.settings["scope"] == ["none.pdf"]


def test_an_answer_outlives_a_document_that_is_gone(synced, source_folder):
    answer = synced.ask(Question(QUESTION))
    before = synced.history_entry(answer.history_id).view
    (source_folder / "acm4197.pdf").unlink()
    synced.sync()
    past = synced.history_entry(answer.history_id)
    assert past.view.answer == answer
    assert [e.text for e in past.view.evidence] == [e.text for e in before.evidence]
    assert [e.quotes for e in past.view.evidence] == [e.quotes for e in before.evidence]
    assert past.since.gone == ("acm4197.pdf",)
    assert past.since.sentence == "The document it cites is gone since."
    cited = past.view.evidence[0]
    assert (cited.file, cited.path) == ("acm4197.pdf", "")
    assert cited.document_id in past.since.lost


def test_an_answer_says_which_of_its_documents_have_changed(synced, source_folder):
    both = synced.ask(Question("Input offset voltage of the ACM4197 and of the ACM4198?"))
    n_cited = synced.history_entry(both.history_id).since.n_cited
    write_datasheet(source_folder / "acm4198.pdf", "ACM4198", offset="77")
    synced.sync()
    since = synced.history_entry(both.history_id).since
    assert n_cited == since.n_cited == 2
    assert since.changed == ("acm4198.pdf",)
    assert since.sentence == "1 of the 2 documents it cites has changed since."
    (source_folder / "acm4197.pdf").unlink()
    synced.sync()
    since = synced.history_entry(both.history_id).since
    assert since.sentence == "2 of the 2 documents it cites have changed or are gone since."


def test_reading_a_document_again_loses_no_citation(synced):
    answer = synced.ask(Question(QUESTION))
    document_id = answer.citations[0].document_id
    with synced._store._database.write() as connection:
        connection.execute("UPDATE documents SET fingerprint = 'another'")
    since = synced.history_entry(answer.history_id).since
    assert since.read_again == ("acm4197.pdf",)
    assert since.lost == ()
    assert synced.path_of(document_id)


def test_the_history_is_searched_and_deleted_and_taken_back(synced):
    first = synced.ask(Question(QUESTION)).history_id
    second = synced.ask(Question("What will the weather be tomorrow?")).history_id
    page = synced.history("offset voltage", limit=10)
    assert [item.id for item in page.items] == [first]
    assert (page.total, synced.history().total) == (1, 2)
    assert synced.delete_history((first,)) == 1
    assert synced.restore_history((first,)) == 1
    synced.delete_history((first,))
    synced.delete_history((second,))
    assert synced.restore_history((first,)) == 0
    with pytest.raises(HistoryError):
        synced.history_entry(first)


def test_what_was_deleted_is_gone_when_the_library_is_closed(tmp_path):
    with open_library(tmp_path / "one") as library:
        number = library._store.add_failed_question("Why?", "No.")
        library.delete_history((number,))
    with open_library(tmp_path / "one") as library:
        assert library.restore_history((number,)) == 0


def test_thumbs_are_kept_and_written_out_for_tuning(synced, tmp_path):
    answer = synced.ask(Question(QUESTION))
    synced.feedback(answer.history_id, 1)
    synced.feedback(answer.history_id, -1, "The maximum was meant.")
    past = synced.history_entry(answer.history_id)
    assert (past.verdict, past.comment) == (-1, "The maximum was meant.")
    assert synced.export_feedback(tmp_path / "thumbs.jsonl") == 1
    (line,) = (tmp_path / "thumbs.jsonl").read_text().splitlines()
    thumb = json.loads(line)
    assert (thumb["question"], thumb["verdict"]) == (QUESTION, -1)
    assert thumb["cited"] == [citation.segment_id for citation in answer.citations]
    assert len(thumb["shown"]) == len(answer.evidence)
    with pytest.raises(HistoryError):
        synced.feedback(999, 1)


def test_a_full_disk_takes_the_history_and_not_the_answer(synced, monkeypatch, caplog):
    def full(*_arguments, **_more):
        raise DiskFullError("The disk is full.", "Free some space.")

    monkeypatch.setattr(synced._store, "add_history", full)
    with caplog.at_level("WARNING"):
        answer = synced.ask(Question(QUESTION))
    assert "**25 µV**" in answer.text
    assert answer.history_id == 0
    assert "could not be kept in the history: The disk is full." in answer.notes[-1]


def test_a_reader_asks_and_lists_and_changes_nothing(synced, tmp_path):
    number = synced.ask(Question(QUESTION)).history_id
    with open_library(tmp_path / "library", read_only=True) as reader:
        assert reader.ask(Question(QUESTION)).history_id == 0
        assert reader.history().total == 1
        for change in (
            lambda: reader.delete_history((number,)),
            lambda: reader.feedback(number, 1),
            reader.clear_history,
        ):
            with pytest.raises(LibraryError):
                change()


def test_answers_are_exported_from_the_history(synced, tmp_path):
    first = synced.ask(Question(QUESTION)).history_id
    second = synced.ask(Question("Price of the ACM9999?")).history_id
    synced.export_history((first, second), tmp_path / "both.md")
    text = (tmp_path / "both.md").read_text(encoding="utf-8")
    assert "**25 µV**" in text
    assert ".[^1]" in text
    assert "[^1]: acm4197.pdf, page 1" in text
    assert "Not found in this library" in text
    with pytest.raises(AlreadyThereError):
        synced.export_history((first,), tmp_path / "both.md")
    with pytest.raises(HistoryError):
        synced.export_history((first, 999), tmp_path / "other.md")
    with pytest.raises(HistoryError):
        synced.export_conversation("none", tmp_path / "other.md")
    with pytest.raises(ExportError):
        synced.export_history((first,), tmp_path / "library" / "x.md")


def test_a_figure_of_an_answer_outlives_its_document(synced, source_folder, tmp_path):
    writer = PdfWriter()
    writer.title("ACM7000 Motor Driver")
    writer.heading("1 Application")
    writer.paragraph("The application circuit of the ACM7000 is shown below.")
    writer.image(caption="Figure 1. Application circuit of the ACM7000")
    writer.save(source_folder / "acm7000.pdf")
    synced.sync()
    answer = synced.ask(Question("Show the figure of the application circuit of the ACM7000."))
    shown = [item.marker for item in answer.evidence if item.segment.kind is SegmentKind.FIGURE]
    assert shown
    assert shown[0] in {*answer.figures, *(citation.marker for citation in answer.citations)}
    (source_folder / "acm7000.pdf").unlink()
    synced.sync()
    past = synced.history_entry(answer.history_id)
    figure = next(item for item in past.view.evidence if item.marker == shown[0])
    assert (tmp_path / "library" / "history") in Path(figure.figure_path).parents
    assert Path(figure.figure_path).read_bytes().startswith(b"\x89PNG")
    synced.delete_history((answer.history_id,))
    assert Path(figure.figure_path).is_file()
    synced.purge_history()
    assert not Path(figure.figure_path).exists()


def command(capsys, *words):
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_line_lists_shows_exports_and_deletes(synced, tmp_path, capsys):
    number = synced.ask(Question(QUESTION)).history_id
    synced.ask(Question("Price of the ACM9999?"))
    synced.close()
    history = ("history", "--library", tmp_path / "library")

    code, out, _ = command(capsys, *history, "--json")
    listed = json.loads(out)
    assert (code, listed["total"]) == (0, 2)
    assert listed["questions"][1]["question"] == QUESTION
    code, out, _ = command(capsys, *history, "--search", "offset", "--limit", 1)
    assert out.count("\n") == 1
    assert QUESTION in out

    assert command(capsys, *history, "--feedback", number, "down", "--comment", "no")[0] == 0
    code, out, _ = command(capsys, *history, "--show", number, "--json")
    shown = json.loads(out)
    assert (shown["verdict"], shown["comment"]) == (-1, "no")
    assert shown["answer"]["citations"][0]["file"] == "acm4197.pdf"
    code, out, _ = command(capsys, *history, "--show", number)
    assert "[1] acm4197.pdf, page 1" in out

    target = tmp_path / "answer.html"
    code, _, err = command(capsys, *history, "--export", number, target)
    assert (code, str(target) in err) == (0, True)
    assert "25 µV" in target.read_text(encoding="utf-8")
    code, _, err = command(capsys, *history, "--export", number, target)
    assert (code, "already" in err) == (1, True)
    assert command(capsys, *history, "--export", number, target, "--replace")[0] == 0
    code, _, err = command(capsys, *history, "--export-feedback", tmp_path / "t.jsonl")
    assert (code, "1 lines" in err) == (0, True)

    assert command(capsys, *history, "--delete", number)[0] == 0
    code, _, err = command(capsys, *history, "--show", number)
    assert (code, "no question number" in err) == (1, True)
    for words in (("--delete", 99), ("--feedback", 2, "great"), ("--export", "x", target)):
        assert command(capsys, *history, *words)[0] == 1
    assert command(capsys, *history, "--clear")[0] == 0
    code, _, err = command(capsys, *history)
    assert "Nothing was asked yet." in err


def reread(library, document_id, change):
    """Store a document as if a newer parser had read its tables otherwise."""
    store = library._store
    document = store.document(document_id)
    tables = tuple(
        replace(table, cells=tuple(cell for one in table.cells for cell in change(one)))
        for table in document.tables
    )
    blob = compress(pack(replace(document, tables=tables)))
    with store._database.write() as connection:
        connection.execute(
            "UPDATE documents SET fingerprint = 'newer', document = ? WHERE id = ?",
            (blob, document_id),
        )


def test_an_old_answer_says_that_its_cells_are_read_differently_since(synced):
    answer = synced.ask(Question(QUESTION))
    document_id = answer.citations[0].document_id
    reread(synced, document_id, lambda cell: [cell])
    assert synced.history_entry(answer.history_id).since.sentence == ""
    reread(
        synced,
        document_id,
        lambda cell: [replace(cell, text="25 100") if cell.text == "25" else cell],
    )
    since = synced.history_entry(answer.history_id).since
    assert since.differs == ("acm4197.pdf",)
    assert since.sentence == "Read differently since: acm4197.pdf."


def test_a_cell_that_is_in_no_table_any_more_is_read_differently(synced):
    answer = synced.ask(Question(QUESTION))
    reread(synced, answer.citations[0].document_id, lambda _cell: [])
    assert synced.history_entry(answer.history_id).since.differs == ("acm4197.pdf",)
