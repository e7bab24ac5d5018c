from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from desktop_qa.answer_export.files import (
    ExportForm,
    export_answers,
    form_of,
    suggested_name,
)
from desktop_qa.answer_export.gathering import gather
from desktop_qa.core.errors import AlreadyThereError, ExportError
from tests.answer_export.samples import conversation, png


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What is V_CM/2 at 5 °C?", "What is V CM 2 at 5 °C"),
        ('a<b>c:"d"|e*', "a b c d e"),
        ("...", "answer"),
        ("", "answer"),
        ("con", "_con"),
        ("LPT1.", "_LPT1"),
        ("line\nbreak\tand\x00more", "line break and more"),
        ("word " * 40, ("word " * 16).strip()),
        ("x" * 300, "x" * 80),
        ("电压是多少?", "电压是多少"),
        ("😀" * 70, "😀" * 50),
    ],
)
def test_names_are_such_as_every_system_takes(question, name):
    assert suggested_name(question) == name
    assert len(suggested_name(question)) <= 81


def test_the_ending_says_the_form():
    assert form_of(Path("a.b.HTML")) is ExportForm.HTML
    assert form_of(Path("a.htm")) is ExportForm.HTML
    with pytest.raises(ExportError, match="no ending"):
        form_of(Path("answer.txt"))


@pytest.mark.parametrize("form", list(ExportForm))
def test_a_file_is_written_and_replaced_only_when_that_is_said(tmp_path, form):
    answers = gather(conversation(png(tmp_path / "f.png")), "lib")
    target = tmp_path / f"out.{form.value}"
    report = export_answers(answers, target, tmp_path / "library")
    assert report.file == str(target)
    assert target.stat().st_size > 1000
    assert bool(report.images_folder) is (form is ExportForm.MARKDOWN)
    with pytest.raises(AlreadyThereError):
        export_answers(answers, target, tmp_path / "library")
    export_answers(answers, target, tmp_path / "library", replace=True)
    beside = {path.name for path in tmp_path.iterdir()} - {"f.png", target.name, "out_files"}
    assert beside == set()


def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch):
    target = tmp_path / "out.html"
    target.write_text("before")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ExportError, match="disk is full, so the answer"):
        export_answers(gather(conversation(None), "lib"), target, tmp_path / "l", replace=True)
    assert target.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["out.html"]


def test_places_that_cannot_be_written_say_so(tmp_path):
    answers = gather(conversation(None), "lib")
    (tmp_path / "folder.pdf").mkdir()
    (tmp_path / "library" / "deep").mkdir(parents=True)
    for target, words in (
        (tmp_path / "none" / "a.pdf", "no folder"),
        (tmp_path / "folder.pdf", "is a folder"),
        (tmp_path / "library" / "deep" / "a.pdf", "library itself"),
        (tmp_path / f"{'x' * 300}.pdf", "name is too long"),
    ):
        with pytest.raises(ExportError, match=words):
            export_answers(answers, target, tmp_path / "library", replace=True)
