"""How large answers and their evidence are set: larger, smaller, as usual; remembered."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QWidget

from desktop_qa.gui.widgets.theme import look

_KEY = "answer/size_step"
_LEAST_STEP, _MOST_STEP = -2, 10


class AnswerSize(QObject):
    """Keeps how many pixels larger than the window's own text answers are.

    Attributes:
        step: Pixels added to each kind of text.
        changed: The user chose another size.
    """

    changed = Signal()

    def __init__(self, settings: QSettings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        try:
            kept = int(str(settings.value(_KEY, 0)))
        except ValueError:  # written by hand, or by another version
            kept = 0
        self.step = min(max(kept, _LEAST_STEP), _MOST_STEP)
        look.answer_sizes = look.sizes.grown(self.step)

    def grow(self) -> None:
        """Set answers larger."""
        self._set(self.step + 1)

    def shrink(self) -> None:
        """Set answers smaller."""
        self._set(self.step - 1)

    def reset(self) -> None:
        """Set answers as large as the rest."""
        self._set(0)

    def _set(self, step: int) -> None:
        step = min(max(step, _LEAST_STEP), _MOST_STEP)
        if step != self.step:
            self.step = step
            look.answer_sizes = look.sizes.grown(step)
            self._settings.setValue(_KEY, step)
            self.changed.emit()

    def dress(self, *panels: QWidget) -> None:
        """Give the labels of panels their size; what draws for itself asks the theme."""
        sizes = look.answer_sizes
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
        for panel in panels:
            if panel.styleSheet() != sheet:
                panel.setStyleSheet(sheet)
