"""The pictures of the tour: few, linked, and left as they are while their view is the same."""

from __future__ import annotations

import re

from PIL import Image, ImageDraw

from tests.helpers.command_line import REPOSITORY

FOLDER = REPOSITORY / "docs" / "tour"
MAX_BYTES = 3_000_000


SCRIPT = "make_tour"


def drawn(words: str, seconds: str) -> Image.Image:
    picture = Image.new("RGB", (1366, 768), "white")
    draw = ImageDraw.Draw(picture)
    for line in range(20):
        draw.text((40, 40 + 30 * line), f"{words} " * 12, "black")
    draw.text((40, 700), seconds, "black")
    return picture


def test_a_picture_whose_view_is_the_same_keeps_its_file_byte_for_byte(script, tmp_path):
    file = tmp_path / "03-answer-light.webp"
    script.save(drawn("offset voltage", "0.31 s"), file)
    before = file.read_bytes()
    script.save(drawn("offset voltage", "0.29 s"), file)
    assert file.read_bytes() == before


def test_a_picture_whose_view_changed_is_written_anew(script, tmp_path):
    file = tmp_path / "29-folders-light.webp"
    script.save(drawn("offset voltage", "0.31 s"), file)
    before = file.read_bytes()
    script.save(drawn("supply current", "0.31 s"), file)
    assert file.read_bytes() != before
    changed = file.read_bytes()
    script.save(drawn("supply current", "0.31 s").resize((683, 384)), file)
    assert file.read_bytes() != changed


def test_the_repository_keeps_the_pictures_that_its_pages_show_and_no_others(script):
    kept = {file.stem for file in FOLDER.iterdir()}
    assert kept == script.linked_pictures()
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= MAX_BYTES


def test_each_view_has_one_picture_and_is_one_of_the_tour(script):
    import tour_views

    names = [re.sub(r"-(light|dark)$", "", name) for name in script.linked_pictures()]
    assert len(names) == len(set(names))
    assert set(names) <= {name for name, _view in tour_views.views()}
