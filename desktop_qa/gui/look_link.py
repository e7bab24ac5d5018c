"""How the window looks: light, dark or the system's theme, and how large answers are."""

from __future__ import annotations

from functools import partial

from desktop_qa.gui.widgets.dialog_parts import one_of
from desktop_qa.gui.widgets.theme import ThemeChoice, look
from desktop_qa.gui.window_parts import Deed, Feature, WindowParts

_SIZE_KEY = "answer/size_step"
_LEAST_STEP, _MOST_STEP = -2, 10
_KEY = "window/theme"


class AnswerSize(Feature):
    """Keeps how many pixels larger than the window's own text answers are.

    Attributes:
        step: Pixels added to each kind of text.
    """

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        try:
            kept = int(str(self._settings.value(_SIZE_KEY, 0)))
        except ValueError:  # written by hand, or by another version
            kept = 0
        self.step = min(max(kept, _LEAST_STEP), _MOST_STEP)
        self._dress()

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        return {
            "larger_answer": lambda: self._set(self.step + 1),
            "smaller_answer": lambda: self._set(self.step - 1),
            "usual_answer": lambda: self._set(0),
        }

    def _set(self, step: int) -> None:
        step = min(max(step, _LEAST_STEP), _MOST_STEP)
        if step != self.step:
            self.step = step
            self._settings.setValue(_SIZE_KEY, step)
            self._dress()

    def _dress(self) -> None:
        """Give the labels of the panels their size; what draws for itself asks the theme."""
        sizes = look.answer_sizes = look.sizes.grown(self.step)
        sheet = ""
        if self.step:
            sheet = (
                f"* {{ font-size: {sizes.text_px}px; }}"
                f"#question_label {{ font-size: {sizes.question_px}px; }}"
                f"#answer_text {{ font-size: {sizes.answer_px}px; }}"
                "#meta_label, #caption, #notes_label, #source_label, #read_as_label, #why_label,"
                "#count_label, #table_notes_label, #readings_label, #quiet_link, #meta_row"
                f" QToolButton {{ font-size: {sizes.small_px}px; }}"
            )
        for panel in (self._window.answer_panel, self._window.evidence_panel):
            if panel.styleSheet() != sheet:
                panel.setStyleSheet(sheet)
        look.changed.emit()


class LookLink(Feature):
    """Keeps the choice, the entries of the menu and the theme in step."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        one_of((window.action(f"theme_{choice.value}") for choice in ThemeChoice), self)
        kept = str(self._settings.value(_KEY, ThemeChoice.SYSTEM.value))
        known = kept in {choice.value for choice in ThemeChoice}
        self._show(ThemeChoice(kept) if known else ThemeChoice.SYSTEM)

    def actions(self) -> dict[str, Deed]:
        """See `Feature`."""
        return {f"theme_{choice.value}": partial(self._choose, choice) for choice in ThemeChoice}

    def _choose(self, choice: ThemeChoice, _is_checked: bool = True) -> None:
        self._settings.setValue(_KEY, choice.value)
        self._show(choice)

    def _show(self, choice: ThemeChoice) -> None:
        self._window.keeper.choose(choice)
        self._window.action(f"theme_{choice.value}").setChecked(True)
