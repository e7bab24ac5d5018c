"""Gliding to a place instead of jumping, so that the eye keeps its hold."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation, Signal

_MS = 180
_SHARE = 0.6
"""A far jump glides over this share of the window only: pages between need not be drawn."""


class Glide(QObject):
    """Moves a value to its goal in a short time.

    Signals:
        moved: Where the value is now, in pixels.
    """

    moved = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(_MS)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._on_animation_value_changed)

    @property
    def goal(self) -> int | None:
        """Where it is gliding to; None at rest."""
        is_running = self._animation.state() is QVariantAnimation.State.Running
        return int(self._animation.endValue()) if is_running else None

    def start(self, value: int, goal: int, window_height: int) -> None:
        """Glide from a value, or from near the goal when it is far away."""
        length = round(window_height * _SHARE)
        self._animation.stop()
        self._animation.setStartValue(min(max(value, goal - length), goal + length))
        self._animation.setEndValue(goal)
        self._animation.start()

    def stop(self) -> None:
        """Stay where it is."""
        self._animation.stop()

    def _on_animation_value_changed(self, value: int) -> None:
        self.moved.emit(value)
