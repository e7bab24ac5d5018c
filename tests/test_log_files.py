"""The log on the disk: what stands in it, and above all what does not."""

import logging
import sys
import threading

import pytest

from desktop_qa import log_files
from desktop_qa.core.errors import LibraryError, QuestionError
from desktop_qa.core.question import Question
from desktop_qa.diagnostics import diagnostics
from desktop_qa.log_files import LogLine, log_state, read_log, shorten_home, start_logging
from desktop_qa.paths import log_folder
from tests.helpers.pdf import write_datasheet

_SECRET = "zyzzogeton"


@pytest.fixture
def log(monkeypatch):
    """A log of this process; hooks and levels are as they were afterwards."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    own = logging.getLogger("desktop_qa")
    level = own.level
    levels = {handler: handler.level for handler in logging.getLogger().handlers}
    started = start_logging("window")
    for handler, before in levels.items():
        handler.setLevel(before)
    yield started
    started.stop()
    own.setLevel(level)


def whole_log():
    return "\n".join(p.read_text(encoding="utf-8") for p in log_folder().glob("*.log*"))


def test_a_line_has_its_time_level_process_and_message(log):
    logging.getLogger("desktop_qa.gui").info("%d documents", 7)
    (line,) = read_log()
    assert (line.level, line.role, line.logger) == (logging.INFO, "window", "desktop_qa.gui")
    assert line.message == "7 documents"
    assert line.time[4] == "-"


def test_the_texts_of_exceptions_and_of_foreign_libraries_are_not_written(log, caplog):
    with caplog.at_level(logging.WARNING):
        try:
            raise KeyError(_SECRET)
        except KeyError as error:
            logging.getLogger("desktop_qa.x").exception("Request %s failed", "ask")
            logging.getLogger("desktop_qa.x").warning("It failed: %s", error)
        logging.getLogger("desktop_qa.x").warning("Asked: %s", QuestionError(_SECRET))
        logging.getLogger("foreign").warning("about %s", _SECRET)
        logging.getLogger("foreign").warning(f"about {_SECRET}")  # noqa: G004
        logging.getLogger("desktop_qa.x").warning("Disk: %s", LibraryError("The disk is full."))
    text = whole_log()
    assert _SECRET not in text
    assert "KeyError at test_log_files.py" in text
    assert "about %s" in text
    assert "(message withheld)" in text
    assert "The disk is full." in text
    assert len(read_log()) == 6


def test_what_nobody_caught_is_logged_without_its_text(log, caplog, monkeypatch):
    monkeypatch.setattr(sys, "__excepthook__", lambda *_: None)
    with caplog.at_level(logging.WARNING):
        try:
            raise ValueError(_SECRET)
        except ValueError as error:
            sys.excepthook(ValueError, error, error.__traceback__)
    (line,) = read_log()
    assert line.level == logging.ERROR
    assert "ValueError at" in line.message
    assert _SECRET not in line.message


def test_the_users_folder_is_written_as_a_tilde(log, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    logging.getLogger("desktop_qa.x").info("%s is read", tmp_path / "a.pdf")
    assert read_log()[0].message == "~/a.pdf is read"
    assert shorten_home(f"{tmp_path}/b") == "~/b"


def test_a_log_rotates_and_stays_small(monkeypatch, log):
    log.handler.maxBytes = 2000
    for number in range(200):
        logging.getLogger("desktop_qa.x").info("line %d of many that fill the file", number)
    files = list(log_folder().glob("window.log*"))
    assert len(files) == 1 + log_files._N_BACKUPS
    assert all(file.stat().st_size <= 2100 for file in files)
    assert read_log()[-1].message.startswith("line 199 ")


def test_lines_of_one_millisecond_stay_in_order_over_a_rotation(monkeypatch, log):
    monkeypatch.setattr(logging.Formatter, "formatTime", lambda *_: "2026-01-01 00:00:00")
    log.handler.maxBytes = 1000
    for number in range(40):
        record = logging.LogRecord("desktop_qa.x", logging.INFO, "", 0, "line %d", (number,), None)
        record.msecs = 0.0
        log.handler.handle(record)
    numbers = [int(line.message.split()[1]) for line in read_log()]
    assert len(list(log_folder().glob("window.log*"))) > 2
    assert numbers == sorted(numbers)


def test_two_processes_write_two_files_and_are_read_as_one(log):
    second = log_files._free_file(log_folder(), "window")
    assert second[0].name == "window-2.log"
    second[1].release()
    (log_folder() / "library.log").write_text(
        "2020-01-01 00:00:00.000 | INFO | library | desktop_qa.service | sync done\nbroken line\n"
    )
    logging.getLogger("desktop_qa.x").info("later")
    assert [line.message for line in read_log()] == ["sync done", "later"]
    assert [name for name, _size in log_state()] == ["library.log", "window.log"]


def test_a_log_folder_that_cannot_be_made_costs_only_the_log(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").touch()
    monkeypatch.setattr(log_files, "log_folder", lambda: tmp_path / "file" / "log")
    with caplog.at_level(logging.WARNING):
        assert start_logging("window") is None


@pytest.mark.process
def test_neither_log_nor_report_holds_a_word_of_documents_or_questions(
    source_folder, tmp_path, client
):
    write_datasheet(source_folder / "acm4197.pdf", notes=f"The {_SECRET} mode is off.")
    client.ask("open_library", str(tmp_path / "library"), str(source_folder))
    client.ask("sync")
    for question in (f"What is the {_SECRET} mode?", "Typical offset of the ACM4197?", "", "?"):
        client.end_of(client.request("ask", Question(question)))
    client.ask("history_page", _SECRET)
    client.failure_of("no_such_method", _SECRET)
    client.failure_of("export_markdown", _SECRET, str(tmp_path))
    view = client.ask("open_library", str(tmp_path / "library"))
    client.close()
    text = whole_log()
    assert "open_library done in" in text
    assert "ask ended with QuestionError" in text
    assert "1 documents" in text
    report = diagnostics(["Qt"], view)
    assert "1 documents (1 ready)" in report
    for secret in (_SECRET, "offset", "amplifier", "Acme", "ACM4197"):
        assert secret.lower() not in text.lower()
        assert secret.lower() not in report.lower()


@pytest.mark.process
def test_the_report_lists_the_last_errors(log, caplog):
    with caplog.at_level(logging.WARNING):
        logging.getLogger("desktop_qa.x").error("The pump stopped")
    report = diagnostics(["Qt 6"], None)
    assert "The pump stopped" in report
    assert "none is open" in report
    assert "PySide6" in report


def test_lines_read_as_text():
    line = LogLine("2026-01-01 00:00:00.000", logging.WARNING, "window", "x", "careful")
    assert str(line) == "2026-01-01 00:00:00.000  WARNING  window   careful"
