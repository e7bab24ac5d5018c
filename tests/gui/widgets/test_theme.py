from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from desktop_qa import paths
from desktop_qa.gui.widgets import theme as themes
from tests.gui.pdf_files import contrast


@pytest.fixture
def keeper(qapp: QApplication, plain_looks: None) -> themes.ThemeKeeper:
    return themes.ThemeKeeper(qapp)


@pytest.mark.parametrize("theme", [themes.LIGHT, themes.DARK], ids=lambda t: t.name)
def test_words_can_be_read_on_what_they_stand_on(theme: themes.Theme) -> None:
    pairs = {
        "text on panel": (theme.text, theme.panel),
        "text on background": (theme.text, theme.background),
        "text on evidence": (theme.text, theme.evidence),
        "text on selection": (theme.text, theme.accent_soft),
        "dim on panel": (theme.dim, theme.panel),
        "dim on background": (theme.dim, theme.background),
        "accent on panel": (theme.accent, theme.panel),
        "accent on its chip": (theme.accent, theme.accent_soft),
        "button": (theme.on_accent, theme.accent),
        "text on a right verdict": (theme.text, theme.ok_soft),
        "text on a wrong verdict": (theme.text, theme.error_soft),
        "text on a warning": (theme.text, theme.warning_soft),
        "sign of what is right": (theme.ok, theme.panel),
        "warning on panel": (theme.warning, theme.panel),
        "warning on its chip": (theme.warning, theme.warning_soft),
        "error on panel": (theme.error, theme.panel),
    }
    assert {
        name: round(contrast(*pair), 1) for name, pair in pairs.items() if contrast(*pair) < 4.5
    } == {}


@pytest.mark.parametrize("theme", [themes.LIGHT, themes.DARK], ids=lambda t: t.name)
def test_every_token_of_the_style_sheet_is_filled_in(theme: themes.Theme) -> None:
    sheet = themes.style_sheet(theme, themes.TextSizes.around(13))
    assert "$" not in sheet
    assert theme.accent in sheet


def test_text_grows_with_the_systems_font() -> None:
    assert themes.TextSizes.around(12).text_px == 13
    assert themes.TextSizes.around(18).text_px == 18


def test_the_theme_follows_the_system_while_the_window_is_open(
    qtbot: QtBot, qapp: QApplication, keeper: themes.ThemeKeeper
) -> None:
    with qtbot.waitSignal(themes.look.changed):
        keeper.use(themes.DARK)
    assert themes.look.theme is themes.DARK
    assert themes.DARK.panel in qapp.styleSheet()
    with qtbot.waitSignal(themes.look.changed):
        qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert themes.look.theme is themes.LIGHT


@pytest.mark.parametrize(
    "name", sorted(path.stem for path in paths.asset("resources/icons").glob("*.svg"))
)
def test_icons_are_drawn_in_the_colour_asked_for(qapp: QApplication, name: str) -> None:
    image = themes.icon_pixmap(name, "#ff0000", 16, 2.0).toImage()
    assert image.width() == 32
    drawn = [
        image.pixelColor(x, y)
        for x in range(32)
        for y in range(32)
        if image.pixelColor(x, y).alpha() > 200
    ]
    assert drawn
    if name != "desktop_qa":
        assert all(colour.red() > 200 and colour.blue() < 60 for colour in drawn)


def test_icons_are_drawings_without_foreign_references() -> None:
    icons = list(paths.asset("resources/icons").glob("*.svg"))
    assert icons
    for path in icons:
        source = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|<image|<script", source), path.name


@pytest.mark.parametrize("theme", [themes.LIGHT, themes.DARK], ids=lambda t: t.name)
def test_what_stands_in_an_empty_field_can_be_read(
    keeper: themes.ThemeKeeper, qtbot: QtBot, theme: themes.Theme
) -> None:
    # Qt would fade it out of the colour of the text, to 3.5 : 1 on light.
    keeper.use(theme)
    edit = QLineEdit()
    qtbot.addWidget(edit)
    edit.setPlaceholderText("Name, vendor, part …")
    edit.show()
    qtbot.waitExposed(edit)
    colour = edit.palette().color(QPalette.ColorRole.PlaceholderText)
    assert colour.alpha() == 255
    assert contrast(colour.name(), theme.background) >= 4.5


@pytest.mark.parametrize("theme", [themes.LIGHT, themes.DARK], ids=lambda t: t.name)
def test_what_cannot_be_used_is_seen_and_stands_back(theme: themes.Theme) -> None:
    assert 2 <= contrast(theme.faint, theme.panel) < contrast(theme.dim, theme.panel)
