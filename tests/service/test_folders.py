"""Folders followed by the library's real process, with the pauses that users have."""

import shutil
from pathlib import PurePosixPath
from types import SimpleNamespace

import pytest

from desktop_qa.core.folders import FolderChoices, WatchMode
from desktop_qa.core.question import Question
from desktop_qa.index.store import Store
from desktop_qa.service.folders import FolderRequests
from desktop_qa.service.messages import News
from tests.helpers.pdf import write_datasheet

pytestmark = pytest.mark.process


def wait_for_news(client, topic):
    """Return the first news of a kind; a copy that takes its time may be told of twice."""
    while True:
        while not client.news:
            message = client.receive()
            if isinstance(message, News):
                client.news.append((message.topic, message.value))
        told, value = client.news.pop(0)
        if told == topic:
            return value
        assert told == "folder changed"


def test_what_happens_to_a_folder_is_told_taken_up_and_not_told_when_switched_off(
    reader, source_folder, tmp_path
):
    (row,) = reader.ask("folders")
    assert (row.mode, row.n_files) == (WatchMode.NATIVE, 1)

    shutil.copy(write_datasheet(tmp_path / "more.pdf", "ACM4198"), source_folder / "acm4198.pdf")
    assert wait_for_news(reader, "folder changed") == str(source_folder)
    assert reader.ask("sync").documents == 2

    view = reader.ask("set_folder_choices", str(source_folder), FolderChoices(False, ("*98*",)))
    assert view.sources[0].choices == FolderChoices(False, ("*98*",))
    assert reader.ask("sync").documents == 1
    assert reader.ask("folders")[0].mode is WatchMode.OFF
    assert reader.ask("count_exclusions", str(source_folder), ("*",)).n_excluded == 2

    reader.ask("set_folder_choices", str(source_folder), FolderChoices())
    reader.ask("sync")
    source_folder.rename(tmp_path / "aside")
    assert wait_for_news(reader, "folder away") == str(source_folder)
    assert reader.ask("folders")[0].mode is WatchMode.AWAY
    assert len(reader.ask("statuses")) == 2
    (tmp_path / "aside").rename(source_folder)
    assert wait_for_news(reader, "folder back") == str(source_folder)

    dropped = reader.ask("sort_dropped", (str(source_folder / "acm4197.pdf"),), ("https://x.y/z",))
    assert (dropped.n_known, len(dropped.left_out)) == (1, 1)
    assert reader.ask("remove_source", str(source_folder)).sources == ()
    assert reader.ask("sync").documents == 0


@pytest.mark.timeout(180)
def test_what_is_asked_for_last_is_done_before_the_line_is_closed(client, source_folder, tmp_path):
    folder = tmp_path / "library"
    write_datasheet(source_folder / "acm4197.pdf")
    other = tmp_path / "other"
    other.mkdir()
    client.ask("open_library", str(folder), str(source_folder))
    client.ask("add_source", str(other))
    # A question is under way, so that the name has to wait for its turn.
    client.request("ask", Question("What is the offset voltage?"))
    client.request("rename", "Amplifiers")
    client.request("leave_sources", str(tmp_path / "another"), (str(source_folder),))
    client.request("leave_sources", str(folder), (str(other), str(tmp_path / "never")))
    client.close()
    client._process.join()
    store = Store.open(folder)
    assert [source.folder for source in store.sources()] == [str(source_folder)]
    assert store.meta("name") == "Amplifiers"
    store.close()


@pytest.mark.timeout(180)
def test_a_library_that_another_holds_opens_with_its_folders_and_tells_what_it_lacks(
    client, source_folder, tmp_path
):
    folder, foreign = tmp_path / "library", tmp_path / "foreign"
    foreign.mkdir()
    holder = Store.open(folder)
    holder.add_source(source_folder)
    view = client.ask("open_library", str(folder), str(source_folder))
    assert view.read_only
    assert not client.news
    client.ask("open_library", str(folder), str(foreign))
    assert client.news == [("not added", (str(foreign),))]
    holder.close()


@pytest.mark.timeout(180)
def test_a_library_that_cannot_be_opened_leaves_the_one_before_open(
    client, source_folder, tmp_path
):
    client.ask("open_library", str(tmp_path / "library"), str(source_folder))
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "library.sqlite3").write_bytes(b"no database" * 1000)
    assert client.failure_of("open_library", str(broken))
    assert [row.folder for row in client.ask("folders")] == [str(source_folder)]


@pytest.mark.parametrize(
    ("is_watching", "wants", "told"),
    [(True, True, ["/a"]), (True, False, []), (False, True, [])],
)
def test_what_ran_into_a_limit_is_taken_up_as_a_change_of_a_followed_folder(
    is_watching, wants, told
):
    library = SimpleNamespace(
        is_watching=is_watching,
        wants_another_try=wants,
        sources=lambda: (PurePosixPath("/a"), PurePosixPath("/b")),
    )
    news = []
    requests = FolderRequests(
        lambda: library, lambda topic, value: news.append((topic, value)), lambda: True
    )
    assert requests._look_at_given_up(library)
    assert news == [("folder changed", folder) for folder in told]
