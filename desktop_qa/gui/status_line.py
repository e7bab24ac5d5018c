"""The quiet line at the bottom: what is going on, how far it is, and what needs attention."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QProgressBar, QSizePolicy, QToolButton, QWidget

from desktop_qa.core.progress import DocumentStatus, IngestProgress
from desktop_qa.gui.library.library_words import needs_attention
from desktop_qa.gui.widgets.boxes import in_row, put
from desktop_qa.gui.widgets.labels import ElidedLabel, n_of, told
from desktop_qa.gui.widgets.theme import restyle, tint

_BAR_WIDTH_PX = 150
_BAR_STEPS = 1000
_LEAST_ACTIVITY_PX = 60
_LEAST_WITH_BAR_PX = 760
_LEAST_WITH_WORDS_PX = 560
"""Below these the line does without the bar, and its buttons without their words."""
_LEAST_PX = 320


def duration_text(seconds: float) -> str:
    """Return a duration as people say it: "1 min 20 s", coarser when it is long."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(round(whole, -1), 60)
    if minutes < 10:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def progress_text(progress: IngestProgress) -> str:
    """Return "31 of 51 documents · 14 pages/s · 1 min 20 s left"."""
    parts = [f"{progress.n_done} of {progress.n_documents} documents"]
    if progress.paused:
        parts.append("paused")
        return " · ".join(parts)
    if progress.pages_per_second > 0:
        digits = 0 if progress.pages_per_second >= 3 else 1
        parts.append(f"{progress.pages_per_second:.{digits}f} pages/s")
    if progress.seconds_left is not None:
        parts.append(f"{duration_text(progress.seconds_left)} left")
    return " · ".join(parts)


def summary_text(statuses: tuple[DocumentStatus, ...]) -> str:
    """Return what stands at the bottom while nothing goes on: "51 documents · 2183 pages"."""
    n_pages = sum(status.n_pages for status in statuses)
    n_ready = sum(status.state.is_searchable for status in statuses)
    if not statuses:
        return ""
    of = f"{n_ready} of " if n_ready < len(statuses) else ""
    pages = f" · {n_of(n_pages, 'page')}" if n_pages else ""
    return f"{of}{n_of(len(statuses), 'document')} ready{pages}"


class StatusLine(QFrame):
    """Shows the progress it is given.

    Its buttons do nothing by themselves: who can do it listens to them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        told(self, "status_line", "Status")
        self.setMinimumWidth(_LEAST_PX)  # the window may be narrow while it indexes
        self.activity_label = _label(Qt.TextElideMode.ElideMiddle)
        self.bar = told(QProgressBar(self, textVisible=False), spoken="Progress of the indexing")
        self.progress_label = _label(Qt.TextElideMode.ElideRight)
        self.pause_button = self._button("Pause", "Pause indexing")
        self.cancel_button = self._button("Cancel", "Cancel indexing")
        self.attention_button = self._button("", "Show the documents that need attention")
        self.privacy_button = self._button("Offline", "")
        tint(self.cancel_button, "close")
        tint(self.attention_button, "warning", "warning")
        tint(self.privacy_button, "lock")
        self._build()
        self.show_idle(())

    def _button(self, text: str, tool_tip: str) -> QToolButton:
        button = told(QToolButton(self), "status_button")
        button.setText(text)
        told(button, spoken=tool_tip, tip=tool_tip)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _build(self) -> None:
        self.bar.setRange(0, _BAR_STEPS)
        self.bar.setFixedSize(_BAR_WIDTH_PX, 4)
        self.privacy_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        layout = in_row(self, margins=(14, 0, 14, 0), spacing=12)
        put(layout, self.activity_label, self.bar, self.progress_label)
        put(in_row(spacing=2, inside=layout), self.pause_button, self.cancel_button)
        put(layout, None, self.privacy_button, self.attention_button)

    def show_privacy(self, words: str, tip: str, *, text_leaves: bool) -> None:
        """Say whether text leaves this machine, in the colour of a warning when it does."""
        self.privacy_button.setText(words)
        told(self.privacy_button, spoken=f"{words}. {tip}", tip=tip)
        restyle(self.privacy_button, "leaves", text_leaves)
        icon, colour = ("export", "warning") if text_leaves else ("lock", "dim")
        tint(self.privacy_button, icon, colour)

    def show_progress(
        self, progress: IngestProgress, what: str = "indexing", *, can_pause: bool = True
    ) -> None:
        """Show a moment of an ingest, or of another work on the pages of documents."""
        total = progress.n_pages or progress.n_documents
        done = progress.n_pages_done if progress.n_pages else progress.n_done
        self.bar.setValue(round(_BAR_STEPS * done / total) if total else 0)
        self.activity_label.setText("Paused" if progress.paused else progress.activity)
        self.activity_label.setToolTip(progress.activity)
        self.progress_label.setText(progress_text(progress))
        self._show_controls(is_working=True)
        self.show_paused(progress.paused)
        self.pause_button.setVisible(can_pause)
        told(self.cancel_button, spoken=f"Cancel {what}", tip=f"Cancel {what}")

    def show_working(self) -> None:
        """Show that the indexing begins."""
        self.bar.setValue(0)
        self.activity_label.setText("Looking at the folders …")
        self.progress_label.clear()
        self._show_controls(is_working=True)
        self.show_paused(False)

    def show_paused(self, is_paused: bool) -> None:
        """Turn Pause into Resume, at once: the service confirms later."""
        self.pause_button.setText("Resume" if is_paused else "Pause")
        act = "Go on with the indexing" if is_paused else "Pause indexing"
        told(self.pause_button, spoken=act, tip=act)
        tint(self.pause_button, "resume" if is_paused else "pause")

    def show_idle(self, statuses: tuple[DocumentStatus, ...], text: str = "") -> None:
        """Show that nothing is going on: a text, or how many documents there are."""
        self.activity_label.setText(text or summary_text(statuses))
        self.progress_label.clear()
        self._show_controls(is_working=False)
        self.show_attention(statuses)

    def show_attention(self, statuses: tuple[DocumentStatus, ...]) -> None:
        """Show how many documents failed or lack pages."""
        count = sum(map(needs_attention, statuses))
        verb = "needs" if count == 1 else "need"
        self.attention_button.setText(f"{count} {verb} attention")
        self.attention_button.setVisible(bool(count))

    def _show_controls(self, *, is_working: bool) -> None:
        for widget in (self.progress_label, self.pause_button, self.cancel_button):
            widget.setVisible(is_working)
        self._fit()

    def _fit(self) -> None:
        """Leave out what a narrow window has no room for; the numbers tell what the bar shows."""
        is_working = not self.cancel_button.isHidden()
        self.bar.setVisible(is_working and self.width() >= _LEAST_WITH_BAR_PX)
        has_words = self.width() >= _LEAST_WITH_WORDS_PX
        style = Qt.ToolButtonStyle
        for button in (self.pause_button, self.cancel_button):
            button.setToolButtonStyle(
                style.ToolButtonTextBesideIcon if has_words else style.ToolButtonIconOnly
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as much as there is room for."""
        super().resizeEvent(event)
        self._fit()


def _label(mode: Qt.TextElideMode) -> ElidedLabel:
    label = ElidedLabel(mode, _LEAST_ACTIVITY_PX, QSizePolicy.Policy.Maximum)
    label.setObjectName("activity_label")
    return label
