"""Colours, sizes and icons of the window, light and dark, as the system or the user asks for."""

from __future__ import annotations

import string
from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache
from weakref import WeakKeyDictionary

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontInfo, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget
from shiboken6 import isValid

from desktop_qa import paths

_SMALLEST_TEXT_PX = 13
_ICON_SCALES = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Theme:
    """The colour tokens; each name stands in `ui/style.qss` as `$name`.

    Attributes:
        faint: What cannot be used now, the handles of scroll bars: seen, and no more.
        canvas: Behind the pages of the viewer.
        on_accent: Text on the accent colour.
        accent_soft: A selected row, a quiet chip.
        evidence: Fill of what is cited; amber is used for nothing else.
    """

    name: str
    background: str
    panel: str
    line: str
    faint: str
    hover: str
    canvas: str
    text: str
    dim: str
    accent: str
    accent_strong: str
    on_accent: str
    accent_soft: str
    evidence: str
    evidence_border: str
    ok: str
    warning: str
    error: str
    ok_soft: str
    warning_soft: str
    error_soft: str

    @property
    def is_dark(self) -> bool:
        """True for the theme with light text on dark panels."""
        return self.name == "dark"


LIGHT = Theme(
    name="light",
    background="#f4f5f7",
    panel="#ffffff",
    line="#dfe2e8",
    faint="#a7adb8",
    hover="#eceef2",
    canvas="#d9dce4",
    text="#1b1f27",
    dim="#5d6675",
    accent="#1f5fd6",
    accent_strong="#194fb5",
    on_accent="#ffffff",
    accent_soft="#e6eefc",
    evidence="#ffe794",
    evidence_border="#d99a00",
    ok="#277e4e",
    warning="#9c5c00",
    error="#b3372f",
    ok_soft="#e6f4ec",
    warning_soft="#fdf3e1",
    error_soft="#fcebe9",
)
DARK = Theme(
    name="dark",
    background="#16181d",
    panel="#1e2128",
    line="#323743",
    faint="#5c6474",
    hover="#2a2e38",
    canvas="#111317",
    text="#e6e9ef",
    dim="#9aa3b2",
    accent="#7fb0ff",
    accent_strong="#a3c6ff",
    on_accent="#10141c",
    accent_soft="#23324e",
    evidence="#7a6420",
    evidence_border="#d99a00",
    ok="#5fbf8b",
    warning="#e0a44a",
    error="#e8837b",
    ok_soft="#1d3529",
    warning_soft="#352c1c",
    error_soft="#3a2525",
)


@dataclass(frozen=True, slots=True)
class TextSizes:
    """Pixel sizes of the kinds of text, grown with the system's own font."""

    small_px: int
    text_px: int
    answer_px: int
    question_px: int
    title_px: int

    @classmethod
    def around(cls, system_px: int) -> TextSizes:
        """Return the sizes for a system font; 13 px is the smallest body text."""
        text = max(system_px, _SMALLEST_TEXT_PX)
        return cls(text - 1, text, text + 1, text + 3, text + 9)

    def grown(self, by_px: int) -> TextSizes:
        """Return all sizes larger by so many pixels."""
        return TextSizes(*(getattr(self, field.name) + by_px for field in fields(self)))


class Look(QObject):
    """What the application wears now, for all that is drawn by hand; `ThemeKeeper` sets it.

    Attributes:
        changed: It is another one; what is only painted follows by itself.
        sizes: Of the window's own text.
        answer_sizes: Of answers and their evidence, as large as the reader wants them.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.theme = LIGHT
        self.sizes = self.answer_sizes = TextSizes.around(_SMALLEST_TEXT_PX)


look = Look()


def style_sheet(theme: Theme, sizes: TextSizes) -> str:
    """Return `ui/style.qss` with colours and sizes filled in."""
    tokens: dict[str, str] = {field.name: getattr(theme, field.name) for field in fields(theme)}
    tokens |= {field.name: f"{getattr(sizes, field.name)}px" for field in fields(sizes)}
    tokens["veil"] = f"#f2{theme.panel[1:]}"  # not quite opaque
    # A style sheet takes images from files only, and those keep their colours.
    for name in ("tick", "down"):
        tokens[f"{name}_image"] = paths.asset(f"ui/{name}_{theme.name}.svg").as_posix()
    source = paths.asset("ui/style.qss").read_text(encoding="utf-8")
    return string.Template(source).substitute(tokens)


def palette(theme: Theme) -> QPalette:
    """Return the palette for what style sheets do not reach: selections, links, tool tips."""
    colours = {
        QPalette.ColorRole.Window: theme.background,
        QPalette.ColorRole.WindowText: theme.text,
        QPalette.ColorRole.Base: theme.panel,
        QPalette.ColorRole.AlternateBase: theme.background,
        QPalette.ColorRole.Text: theme.text,
        QPalette.ColorRole.Button: theme.panel,
        QPalette.ColorRole.ButtonText: theme.text,
        QPalette.ColorRole.BrightText: theme.error,
        QPalette.ColorRole.PlaceholderText: theme.dim,
        QPalette.ColorRole.Highlight: theme.accent,
        QPalette.ColorRole.HighlightedText: theme.on_accent,
        QPalette.ColorRole.Link: theme.accent,
        QPalette.ColorRole.ToolTipBase: theme.panel,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.Mid: theme.line,
        QPalette.ColorRole.Dark: theme.line,
        QPalette.ColorRole.Light: theme.hover,
    }
    result = QPalette()
    for role, colour in colours.items():
        result.setColor(role, QColor(colour))
    disabled = QPalette.ColorGroup.Disabled
    for role in (
        QPalette.ColorRole.Text,
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.ButtonText,
    ):
        result.setColor(disabled, role, QColor(theme.dim))
    return result


@lru_cache(maxsize=256)
def _svg_source(name: str) -> str:
    return paths.asset(f"resources/icons/{name}.svg").read_text(encoding="utf-8")


def draw_icon(painter: QPainter, name: str, colour: str, place: QRectF) -> None:
    """Draw an icon of `resources/icons` in one colour."""
    source = _svg_source(name).replace("currentColor", colour)
    QSvgRenderer(QByteArray(source.encode())).render(painter, place)


def icon_pixmap(name: str, colour: str, size_px: int, scale: float = 1.0) -> QPixmap:
    """Draw an icon of `resources/icons` in one colour at a device pixel ratio."""
    pixmap = QPixmap(QSize(round(size_px * scale), round(size_px * scale)))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    draw_icon(painter, name, colour, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(scale)
    return pixmap


def icon(name: str, colour: str, disabled: str | None = None, size_px: int = 16) -> QIcon:
    """Return a tinted icon, sharp at the usual device pixel ratios."""
    result = QIcon()
    for scale in _ICON_SCALES:
        result.addPixmap(icon_pixmap(name, colour, size_px, scale))
        if disabled is not None:
            faded = icon_pixmap(name, disabled, size_px, scale)
            result.addPixmap(faded, QIcon.Mode.Disabled)
    return result


_tints: WeakKeyDictionary[QWidget, tuple[str, str, str, int]] = WeakKeyDictionary()


def tint(
    widget: QWidget, name: str, colour: str = "dim", disabled: str = "", size_px: int = 16
) -> None:
    """Give a button, a label or a field, there in front, an icon in a colour of the theme worn.

    Colours are tokens of the theme; unless one is given Qt fades a button that is disabled.
    """
    _tints[widget] = name, colour, disabled, size_px
    _draw_tint(widget)


def _draw_tint(widget: QWidget) -> None:
    name, colour, disabled, size_px = _tints[widget]
    ink = getattr(look.theme, colour)
    if isinstance(widget, QLabel):
        widget.setPixmap(icon_pixmap(name, ink, size_px, widget.devicePixelRatioF()))
        return
    faded = getattr(look.theme, disabled) if disabled else None
    drawn = icon(name, ink, faded, size_px)
    if isinstance(widget, QAbstractButton):
        widget.setIcon(drawn)
    elif widget.actions():
        widget.actions()[0].setIcon(drawn)
    elif isinstance(widget, QLineEdit):
        widget.addAction(drawn, QLineEdit.ActionPosition.LeadingPosition)


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet asks for, and dress the widget by it."""
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class ThemeChoice(Enum):
    """What the theme follows; the values are kept in the settings."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


_SCHEMES = {
    ThemeChoice.SYSTEM: Qt.ColorScheme.Unknown,
    ThemeChoice.LIGHT: Qt.ColorScheme.Light,
    ThemeChoice.DARK: Qt.ColorScheme.Dark,
}
_CHOSEN = {ThemeChoice.LIGHT: LIGHT, ThemeChoice.DARK: DARK}


class ThemeKeeper(QObject):
    """Dresses the application, and what its widgets draw for themselves."""

    def __init__(self, application: QApplication) -> None:
        super().__init__()
        self._application = application
        look.sizes = look.answer_sizes = TextSizes.around(QFontInfo(application.font()).pixelSize())
        self.choice = ThemeChoice.SYSTEM
        self._wear(self._of_system())
        application.styleHints().colorSchemeChanged.connect(self._follow)

    def _of_system(self) -> Theme:
        scheme = self._application.styleHints().colorScheme()
        return DARK if scheme == Qt.ColorScheme.Dark else LIGHT

    def choose(self, choice: ThemeChoice) -> None:
        """Follow the system from now on, or stay light or dark whatever it says."""
        self.choice = choice
        # So that the dialogs and frames that the system draws follow too.
        self._application.styleHints().setColorScheme(_SCHEMES[choice])
        self._follow()

    def _follow(self) -> None:
        self.use(_CHOSEN.get(self.choice) or self._of_system())

    def use(self, theme: Theme) -> None:
        """Dress the application in a theme until another is chosen or the system changes."""
        if theme is not look.theme:
            self._wear(theme)

    def _wear(self, theme: Theme) -> None:
        look.theme = theme
        self._application.setPalette(palette(theme))
        self._application.setStyleSheet(style_sheet(theme, look.sizes))
        for widget in list(_tints):
            if isValid(widget):
                _draw_tint(widget)
        look.changed.emit()
