"""Folders on a real disk, followed with short pauses."""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from desktop_qa.core.folders import WatchMode
from desktop_qa.service import watching
from desktop_qa.service.watching import FolderNews, FolderWatches, WatchTimes

_TIMES = WatchTimes(quiet_s=0.3, poll_s=0.2, poll_share=1.0, presence_s=0.3, return_s=0.1)
_PATIENCE_S = 60.0


class Heard:
    """The news of a test, waited for without a fixed sleep."""

    def __init__(self) -> None:
        self.news: list[tuple[Path, FolderNews]] = []
        self._more = threading.Condition()

    def __call__(self, folder: Path, news: FolderNews) -> None:
        with self._more:
            self.news.append((folder, news))
            self._more.notify_all()

    def wait_for(self, count: int) -> list[FolderNews]:
        with self._more:
            assert self._more.wait_for(lambda: len(self.news) >= count, _PATIENCE_S), self.news
            return [news for _folder, news in self.news]


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def follow(heard, monkeypatch) -> Iterator[Callable[..., FolderWatches]]:
    monkeypatch.setattr(watching, "TIMES", _TIMES)
    made: list[FolderWatches] = []

    def start(*folders: Path) -> FolderWatches:
        watches = FolderWatches(heard)
        made.append(watches)
        watches.follow(folders)
        for folder in folders:
            _wait_for_begin(watches, folder)
        return watches

    yield start
    for watches in made:
        watches.close()


def _wait_for_begin(watches: FolderWatches, folder: Path) -> None:
    watch = watches._watches[folder]
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        if watch._observer is not None or watch.mode is not WatchMode.NATIVE:
            return
        threading.Event().wait(0.02)
    raise AssertionError("the folder is not followed")


def put(path: Path, content: bytes) -> None:
    """Let a whole file appear at once, as no pause in the middle of writing it can part it."""
    aside = path.with_name(f"{path.stem}.part")
    aside.write_bytes(content)
    aside.replace(path)


@pytest.mark.parametrize("on_network", [False, True])
def test_new_changed_and_removed_documents_are_told(
    source_folder, heard, follow, monkeypatch, on_network
):
    monkeypatch.setattr(watching, "is_on_network", lambda _folder: on_network)
    watches = follow(source_folder)
    expected = WatchMode.POLLED if on_network else WatchMode.NATIVE
    assert watches.modes() == {source_folder: expected}
    file = source_folder / "sub" / "a.pdf"
    file.parent.mkdir()
    for change in (lambda: put(file, b"one"), lambda: put(file, b"another"), file.unlink):
        n_told = len(heard.news)
        change()
        assert set(heard.wait_for(n_told + 1)) == {FolderNews.CHANGED}


def test_a_copy_under_way_is_told_of_once_when_it_is_whole(
    source_folder, heard, follow, monkeypatch
):
    file = source_folder / "large.pdf"
    sizes: list[int] = []
    look = watching._stamps

    def grow_and_look(paths: Iterable[str]) -> dict[str, tuple[int, int]]:
        """Between two looks the copy has gone on, however long they are apart."""
        if file.stat().st_size < 5000:
            with file.open("ab") as stream:
                stream.write(b"x" * 1000)
        stamps = look(paths)
        sizes.append(file.stat().st_size)
        return stamps

    follow(source_folder)
    monkeypatch.setattr(watching, "_stamps", grow_and_look)
    put(file, b"x" * 1000)
    heard.wait_for(1)
    assert sizes[:4] == [2000, 3000, 4000, 5000]
    assert len(sizes) >= 5, "told of before a second look found it unchanged"
    assert heard.news == [(source_folder, FolderNews.CHANGED)]


def test_what_is_no_document_and_what_is_only_read_is_not_told(source_folder, heard, follow):
    (source_folder / "a.pdf").write_bytes(b"one")
    follow(source_folder)
    (source_folder / "note.txt").write_text("no document")
    (source_folder / ".hidden.pdf").write_bytes(b"hidden")
    assert (source_folder / "a.pdf").read_bytes() == b"one"
    put(source_folder / "b.pdf", b"told")
    heard.wait_for(1)
    threading.Event().wait(3 * _TIMES.quiet_s)
    assert heard.news == [(source_folder, FolderNews.CHANGED)]


def test_a_folder_that_goes_away_and_comes_back_is_followed_again(source_folder, heard, follow):
    watches = follow(source_folder)
    aside = source_folder.with_name("aside")
    source_folder.rename(aside)
    assert heard.wait_for(1)[-1] is FolderNews.AWAY
    assert watches.modes() == {source_folder: WatchMode.AWAY}
    aside.rename(source_folder)
    assert heard.wait_for(2)[-1] is FolderNews.BACK
    _wait_for_begin(watches, source_folder)
    (source_folder / "a.pdf").write_bytes(b"one")
    assert heard.wait_for(3)[-1] is FolderNews.CHANGED


def test_too_many_folders_for_the_system_are_looked_at_instead(
    source_folder, heard, follow, monkeypatch
):
    from watchdog.observers.api import BaseObserver

    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr(BaseObserver, "schedule", refuse)
    watches = follow(source_folder)
    assert watches.modes() == {source_folder: WatchMode.POLLED}
    (source_folder / "a.pdf").write_bytes(b"one")
    assert heard.wait_for(1) == [FolderNews.CHANGED]


def test_documents_behind_a_link_are_followed_too(source_folder, tmp_path, heard, follow):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (source_folder / "linked").symlink_to(elsewhere, target_is_directory=True)
    follow(source_folder)
    (elsewhere / "a.pdf").write_bytes(b"one")
    assert heard.wait_for(1) == [FolderNews.CHANGED]


def test_a_folder_that_is_followed_no_more_is_silent(source_folder, tmp_path, heard, follow):
    other = tmp_path / "other"
    other.mkdir()
    watches = follow(source_folder, other)
    watches.follow([other])
    put(source_folder / "a.pdf", b"one")
    put(other / "b.pdf", b"one")
    heard.wait_for(1)
    threading.Event().wait(2 * _TIMES.quiet_s)
    assert heard.news == [(other, FolderNews.CHANGED)]


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
def test_an_observer_stopped_between_two_looks_leaves_no_error_in_the_log(caplog):
    from watchdog.observers.api import ObservedWatch
    from watchdog.observers.inotify import InotifyEmitter

    with caplog.at_level(logging.WARNING):
        InotifyEmitter(queue.Queue(), ObservedWatch("/", recursive=False)).queue_events(0.1)
        logging.getLogger("watchdog.observers.inotify").warning("Inotify queue overflowed")
    assert caplog.messages == ["Inotify queue overflowed"]
