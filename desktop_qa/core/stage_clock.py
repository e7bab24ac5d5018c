"""How long each stage of an answer took."""

from __future__ import annotations

import time


class StageClock:
    """Seconds by stage; one that comes again adds up."""

    def __init__(self) -> None:
        self._started = self._last = time.perf_counter()
        self._seconds: dict[str, float] = {}

    def end(self, stage: str) -> None:
        """Count the time since the last stage ended to this one."""
        now = time.perf_counter()
        self._seconds[stage] = self._seconds.get(stage, 0.0) + now - self._last
        self._last = now

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds by stage, to the tenth of a millisecond."""
        return {stage: round(seconds, 4) for stage, seconds in self._seconds.items()}

    @property
    def total(self) -> float:
        """Seconds since it was made."""
        return time.perf_counter() - self._started
