"""The library in its own process."""

import pytest

from tests.helpers.pdf import write_datasheet


@pytest.fixture
def reader(client, source_folder, tmp_path):
    """A process with a library of one document that is read."""
    write_datasheet(source_folder / "acm4197.pdf")
    client.ask("open_library", str(tmp_path / "library"), str(source_folder))
    client.ask("sync")
    return client
