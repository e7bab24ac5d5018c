"""What is taken from the folders of a library, and what stays when they go away."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from desktop_qa.cli.output import report_json
from desktop_qa.core.errors import FolderError
from desktop_qa.core.file_kinds import FileCount, FileKind, PassedOver
from desktop_qa.core.folders import FolderChoices, WatchMode
from desktop_qa.core.question import Question
from desktop_qa.exclusions import Exclusions, only
from desktop_qa.library import source_drives
from desktop_qa.library import sync as synchronizer
from desktop_qa.paths import default_library_folder
from tests.helpers.pdf import write_datasheet
from tests.helpers.text_pages import write_scan
from tests.library.test_library import files


@pytest.mark.parametrize(
    ("patterns", "left_out"),
    [
        (("*draft*",), {"Draft-1.pdf", "old/draft.pdf"}),
        (("old/",), {"old/draft.pdf", "old/b.pdf", "new/old/c.pdf"}),
        (("/old/",), {"old/draft.pdf", "old/b.pdf"}),
        (("*", r"!/a \[1].pdf"), {"Draft-1.pdf", "old/draft.pdf", "old/b.pdf", "new/old/c.pdf"}),
        (("*.pdf", "!/old/*"), {"a [1].pdf", "Draft-1.pdf", "new/old/c.pdf"}),
        ((), set()),
    ],
)
def test_patterns_are_read_as_in_a_gitignore(patterns, left_out):
    paths = ("a [1].pdf", "Draft-1.pdf", "old/draft.pdf", "old/b.pdf", "new/old/c.pdf")
    chosen = Exclusions(patterns)
    assert {path for path in paths if chosen.leave_out(path)} == left_out


@pytest.mark.parametrize("name", ["a.pdf", "[x] *?!#.pdf", "!a.pdf", "#a.pdf", "a b\\c.pdf"])
def test_a_single_file_is_let_in_whatever_its_name(name):
    chosen = Exclusions(only([name]))
    assert not chosen.leave_out(name)
    assert chosen.leave_out(f"x{name}")


@pytest.mark.parametrize("pattern", ["[", "!", "/"])
def test_a_pattern_that_means_nothing_is_refused(synced, source_folder, pattern):
    with pytest.raises(FolderError, match="cannot be understood"):
        synced.set_folder_choices(source_folder, FolderChoices(excluded=(pattern,)))
    assert synced.count_exclusions(source_folder, (pattern,)).bad_pattern == pattern


def test_what_patterns_leave_out_is_counted_before_and_leaves_after(synced, source_folder):
    count = synced.count_exclusions(source_folder, ("*98*",))
    assert (count.n_taken, count.n_excluded, count.examples) == (1, 1, ("acm4198.pdf",))
    synced.set_folder_choices(source_folder, FolderChoices(False, ("*98*", " ", "*98*")))
    synced.sync()
    assert files(synced) == ["acm4197.pdf"]
    (row,) = synced.folders()
    assert (row.n_files, row.n_excluded, row.mode) == (1, 1, WatchMode.OFF)
    assert row.not_read == (FileCount(FileKind.PDF, (".pdf",), 1, PassedOver.EXCLUDED),)
    assert row.choices == FolderChoices(False, ("*98*",))
    synced.set_folder_choices(source_folder, FolderChoices())
    synced.sync()
    assert files(synced) == ["acm4197.pdf", "acm4198.pdf"]


def test_files_of_kinds_that_are_not_read_are_told_by_the_ingest_and_by_the_folder(
    library, source_folder
):
    write_datasheet(source_folder / "acm4197.pdf")
    write_scan(source_folder / "scan.pdf")
    for name in ("a.html", "b.md", "c.md"):
        (source_folder / name).write_text("words")
    library.add_source(source_folder)
    report = library.sync()
    others = (
        FileCount(FileKind.MARKDOWN, (".md",), 2, PassedOver.KIND),
        FileCount(FileKind.PAGE, (".html",), 1, PassedOver.KIND),
    )
    assert report.not_read == others
    assert report.read == (FileCount(FileKind.PDF, (".pdf",), 1),)
    assert [row.file for row in report.scans] == ["scan.pdf"]
    (row,) = library.folders()
    assert (row.n_files, row.n_scans, row.not_read) == (2, 1, others)
    assert library.count_exclusions(source_folder, ()).not_read == others
    printed = report_json(report)
    assert printed["not_read"][0] == {
        "kind": "Markdown file",
        "extensions": [".md"],
        "n_files": 2,
        "reason": "only PDF is read so far",
    }
    assert (printed["scans"], printed["read"][0]["n_files"]) == (["scan.pdf"], 1)


def test_single_files_are_taken_without_their_folder_and_the_folder_later(library, source_folder):
    for part in ("ACM4197", "ACM4198", "ACM4199"):
        write_datasheet(source_folder / f"{part.lower()}.pdf", part)
    chosen = [source_folder / "acm4197.pdf", source_folder / "acm4199.pdf"]
    library.add_files(chosen)
    library.sync()
    assert files(library) == ["acm4197.pdf", "acm4199.pdf"]
    chosen_before = library.folders()[0].choices
    library.add_files(chosen)
    assert library.folders()[0].choices == chosen_before
    library.add_files([source_folder / "acm4198.pdf"])
    library.sync()
    assert len(files(library)) == 3
    library.add_source(source_folder)
    assert library.folders()[0].choices.excluded == ()


def test_a_file_that_patterns_left_out_is_let_in_when_it_is_added(synced, source_folder):
    synced.set_folder_choices(source_folder, FolderChoices(excluded=("*98*",)))
    synced.sync()
    synced.add_files([source_folder / "acm4198.pdf"])
    synced.sync()
    assert files(synced) == ["acm4197.pdf", "acm4198.pdf"]


def test_a_folder_that_is_gone_keeps_its_documents(synced, source_folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    write_datasheet(other / "acm5000.pdf", "ACM5000")
    synced.add_source(other)
    source_folder.rename(tmp_path / "aside")
    synced.sync()
    assert files(synced) == ["acm4197.pdf", "acm4198.pdf", "acm5000.pdf"]
    assert [row.mode for row in synced.folders()] == [WatchMode.AWAY, WatchMode.NATIVE]
    assert "60 µV" in synced.ask(Question("Typical input offset voltage of the ACM4198?")).text
    (tmp_path / "aside").rename(source_folder)
    (source_folder / "acm4197.pdf").unlink()
    synced.sync()
    assert files(synced) == ["acm4198.pdf", "acm5000.pdf"]


def test_a_folder_that_lost_all_its_documents_at_once_keeps_them(synced, source_folder):
    for file in source_folder.iterdir():
        file.unlink()
    with pytest.raises(FolderError, match="All 2 documents"):
        synced.sync()
    assert len(files(synced)) == 2
    assert not synced.view().sources[0].exists
    assert "All 2 documents" in synced.folders()[0].problem
    synced.remove_source(source_folder)
    synced.sync()
    assert files(synced) == []


def test_the_empty_mount_point_of_a_drive_that_is_away_is_no_empty_folder(
    synced, source_folder, monkeypatch, tmp_path
):
    drive = tmp_path / "drive"
    monkeypatch.setattr(source_drives, "mount_point", lambda _folder: drive)
    synced.sync()
    monkeypatch.undo()
    (source_folder / "acm4197.pdf").unlink()
    with pytest.raises(FolderError, match="is not connected"):
        synced.sync()
    assert len(files(synced)) == 2


def test_a_linked_folder_that_leads_nowhere_keeps_its_documents(synced, source_folder, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    write_datasheet(elsewhere / "acm5000.pdf", "ACM5000")
    (source_folder / "linked").symlink_to(elsewhere, target_is_directory=True)
    synced.sync()
    shutil.move(elsewhere, tmp_path / "aside")
    report = synced.sync()
    assert "linked/acm5000.pdf" in files(synced)
    assert any("link" in row.reason for row in report.failed)


def test_a_folder_is_not_pointed_to_where_another_is(synced, source_folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    synced.add_source(other)
    with pytest.raises(FolderError, match="already"):
        synced.relocate_source(source_folder, other)


def test_names_and_the_watching_of_all_are_kept(synced, tmp_path):
    synced.rename("  Power   parts ")
    synced.set_watching(False)
    view = synced.view()
    assert (view.name, view.is_watching) == ("Power parts", False)
    assert synced.folders()[0].mode is WatchMode.OFF


def test_a_folder_may_be_removed_while_it_is_looked_through(synced, source_folder, monkeypatch):
    look = synchronizer.scan
    write_datasheet(source_folder / "acm7777.pdf", "ACM7777")

    def look_while_somebody_removes(*arguments):
        found = look(*arguments)
        synced.remove_source(source_folder)
        return found

    monkeypatch.setattr(synchronizer, "scan", look_while_somebody_removes)
    synced.sync()
    assert synced.sources() == ()
    assert synced.sync().documents == 0


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are text there")
def test_a_folder_whose_name_is_no_text_is_refused_with_a_reason(library, tmp_path):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/latin\xe9"))
    folder.mkdir()
    write_datasheet(tmp_path / "a.pdf").rename(folder / "a.pdf")
    assert default_library_folder(folder).name.startswith("latin")
    with pytest.raises(FolderError, match="cannot read"):
        library.add_source(folder)
    with pytest.raises(FolderError, match="cannot read"):
        library.add_files([folder / "a.pdf"])
