"""The menu of the pages: how they are set out, and going from one to the next."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QActionGroup, QKeySequence

from desktop_qa.core.page_names import page_label
from desktop_qa.gui.focus_order import bring_focus
from desktop_qa.gui.viewer.page_colours import PageColours
from desktop_qa.gui.viewer.page_layout import PageMode, Zoom, ZoomMode
from desktop_qa.gui.window_parts import Feature, Slot, WindowParts

_MODES = {
    "page_continuous": PageMode.CONTINUOUS,
    "page_single": PageMode.SINGLE,
    "page_pairs": PageMode.PAIRS,
    "page_book": PageMode.COVER_AND_PAIRS,
}
_ZOOMS = {
    "fit_width": Zoom(ZoomMode.FIT_WIDTH),
    "fit_page": Zoom(ZoomMode.FIT_PAGE),
    "actual_size": Zoom(ZoomMode.FACTOR, 1.0),
}
_FACTORS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 4.0, 8.0)
_COLOURS = {f"page_colours_{colours.value}": colours for colours in PageColours}
_COLOURS_KEY = "viewer/page_colours"


class PageLink(Feature):
    """Connects the entries of the menu with the pages, and shows what they are at."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._panel = panel = window.pdf_panel
        self._view = panel.view
        self._action = action = window.action
        self._group(tuple(_MODES))
        self._group(tuple(_COLOURS))
        for name in _ZOOMS:
            action(name).setCheckable(True)
        # Where "+" needs Shift, nobody presses it.
        action("zoom_in").setShortcuts([*action("zoom_in").shortcuts(), QKeySequence("Ctrl+=")])
        self._fill_size_menu()
        self._view.arrangement_changed.connect(self._show_arrangement)
        self._view.current_page_changed.connect(self.changed)
        panel.document_shown.connect(self._on_panel_document_shown)
        panel.document_left.connect(self.changed)
        self._show_arrangement()
        kept = f"page_colours_{self._settings.value(_COLOURS_KEY, PageColours.PRINTED.value)}"
        self._show_colours(_COLOURS.get(kept, PageColours.PRINTED))

    def _group(self, names: tuple[str, ...]) -> None:
        group = QActionGroup(self)
        for name in names:
            self._action(name).setCheckable(True)
            group.addAction(self._action(name))

    def _fill_size_menu(self) -> None:
        """Offer modes and rotation where the size is chosen: the toolbar has no room for more."""
        toolbar, fits = self._panel.toolbar, ("fit_width", "fit_page")
        toolbar.fit_width.clicked.connect(self._action("fit_width").trigger)
        toolbar.fit_page.clicked.connect(self._action("fit_page").trigger)
        menu = toolbar.size_menu
        for factor in _FACTORS:
            zoom = partial(self._set_zoom, Zoom(ZoomMode.FACTOR, factor))
            menu.addAction(f"{factor:.0%}".replace("%", " %"), zoom)
        for names in (fits, tuple(_MODES), ("rotate_right", "rotate_left"), tuple(_COLOURS)):
            menu.addSeparator()
            for name in names:
                menu.addAction(self._action(name))

    def actions(self) -> dict[str, Slot]:
        """See `Feature`."""
        view = self._view
        modes = {name: lambda _on, mode=mode: view.set_mode(mode) for name, mode in _MODES.items()}
        zooms = {name: partial(self._set_zoom, zoom) for name, zoom in _ZOOMS.items()}
        colours = {name: partial(self._choose_colours, one) for name, one in _COLOURS.items()}
        return {
            **modes,
            **zooms,
            **colours,
            "zoom_in": lambda: view.zoom_in(),
            "zoom_out": lambda: view.zoom_out(),
            "rotate_right": lambda: view.rotate(1),
            "rotate_left": lambda: view.rotate(-1),
            "next_page": lambda: view.turn(1),
            "previous_page": lambda: view.turn(-1),
            "first_page": lambda: self._panel.jump_to(1),
            "last_page": lambda: self._panel.jump_to(view.n_pages),
            "go_to_page": self._go_to_page,
        }

    def available(self) -> dict[str, bool]:
        """See `Feature`."""
        view = self._view
        has_pages = view.n_pages > 0 and not self._panel.message
        names = (*_MODES, *_ZOOMS, *_COLOURS, "zoom_in", "zoom_out", "rotate_right", "rotate_left")
        pages = view.page_layout.spread_of(view.current_page - 1) if has_pages else range(0)
        return {
            **dict.fromkeys((*names, "go_to_page"), has_pages),
            **dict.fromkeys(("next_page", "last_page"), has_pages and pages[-1] < view.n_pages - 1),
            **dict.fromkeys(("previous_page", "first_page"), has_pages and pages[0] > 0),
        }

    def _on_panel_document_shown(self) -> None:
        document = self._view.document
        labels, status = document.page_labels, self._session.status(document.document_id)
        if status is not None and status.page_starts:
            # The library knows the numbers that are printed and not only those of the file.
            starts, n_pages = status.page_starts, len(labels)
            labels = tuple(page_label(starts, page_no) for page_no in range(1, n_pages + 1))
        self._panel.toolbar.set_labels(labels)
        self.changed.emit()

    def _set_zoom(self, zoom: Zoom, _is_checked: bool = True) -> None:
        self._view.set_zoom(zoom)
        # Also when nothing has changed: choosing it has switched the entry.
        self._show_arrangement()

    def _choose_colours(self, colours: PageColours, _is_checked: bool = True) -> None:
        self._settings.setValue(_COLOURS_KEY, colours.value)
        self._show_colours(colours)

    def _show_colours(self, colours: PageColours) -> None:
        self._view.set_colours(colours)
        self._action(f"page_colours_{colours.value}").setChecked(True)

    def _go_to_page(self) -> None:
        edit = self._panel.toolbar.page
        bring_focus(edit)
        edit.selectAll()

    def _show_arrangement(self) -> None:
        arrangement = self._view.arrangement
        for name, mode in _MODES.items():
            self._action(name).setChecked(mode is arrangement.mode)
        for name, zoom in _ZOOMS.items():
            self._action(name).setChecked(zoom == arrangement.zoom)
        self._panel.toolbar.set_zoom(arrangement.zoom, self._view.factor)
