"""Plots and waveforms of the motor driver."""

from __future__ import annotations

import math

from sample_library_source.charts import Axis, Chart, Curve, sampled
from sample_library_source.house import CURVES, MUTED, TEXT_WIDTH
from sample_library_source.pen import Pen, Point, Sketch


def typical_characteristics() -> tuple[tuple[Chart, str, str], ...]:
    """Plots of the section, in order."""

    def warmed(at_25_c: float) -> tuple[Point, ...]:
        return sampled(lambda t: at_25_c * (1 + 0.0039 * (t - 25)), -40, 125)

    def resistance(at_5_v: float, at_2_v7: float) -> tuple[Curve, ...]:
        return tuple(
            Curve(name, warmed(value))
            for name, value in (("V_M = 2.7 V", at_2_v7), ("V_M = 5 V", at_5_v))
        )

    temperature = Axis("Junction Temperature (°C)", -50, 125, 25)
    return (
        (Chart(temperature, Axis("On-Resistance (mΩ)", 100, 400, 50), resistance(200, 250),
               legend="nw"), "High-Side On-Resistance vs Temperature", "rds-high"),
        (Chart(temperature, Axis("On-Resistance (mΩ)", 50, 350, 50), resistance(160, 200),
               legend="nw"), "Low-Side On-Resistance vs Temperature", "rds-low"),
        (_sleep(), "Sleep Current vs Supply Voltage", "sleep"),
        (_derating(), "Allowed RMS Current per Bridge vs Ambient Temperature", "derating"),
    )  # fmt: skip


def _sleep() -> Chart:
    def current(scale: float) -> tuple[Point, ...]:
        return sampled(lambda v: scale * (0.9 + 0.08 * v), 2.7, 13.2)

    return Chart(
        Axis("Supply Voltage (V)", 2, 14, 2),
        Axis("Sleep Current (µA)", 0, 6, 1),
        tuple(
            Curve(name, current(scale))
            for name, scale in (("–40°C", 0.7), ("25°C", 1.0), ("85°C", 1.8))
        ),
        legend="nw",
    )


def _derating() -> Chart:
    def allowed(theta: float) -> tuple[Point, ...]:
        def current(ambient: float) -> float:
            # Both bridges on, FETs at 1.39 times their resistance at 25°C, junction at 125°C.
            return min(1.4, math.sqrt((125 - ambient) / theta / (2 * 0.36 * 1.39)))

        return sampled(current, -40, 85)

    return Chart(
        Axis("Ambient Temperature (°C)", -50, 100, 25),
        Axis("RMS Current (A)", 0, 2, 0.5),
        (Curve("PWP, 4-layer board", allowed(40.5)), Curve("PWP, 2-layer board", allowed(92.0))),
        legend="sw",
    )


def waveforms() -> Sketch:
    """Draw inputs and motor current for slow and fast decay."""
    return Sketch(TEXT_WIDTH, 126, _waveforms)


def _waveforms(pen: Pen) -> None:
    for start, title, fixed_high, decay in (
        (40.0, "Slow decay: xIN1 = 1, PWM at xIN2", True, 0.25),
        (276.0, "Fast decay: PWM at xIN1, xIN2 = 0", False, 0.85),
    ):
        pen.text(start + 95, 117, title, size=7.4, bold=True)
        pwm, steady = (start, 92.0), (start, 64.0)
        rows = (("xIN1", steady if fixed_high else pwm), ("xIN2", pwm if fixed_high else steady))
        for name, (_, y) in rows:
            pen.text(start - 5, y + 3, name, size=6.6, anchor="end")
        level = 12.0 if fixed_high else 0.0
        pen.line((start, steady[1] + level), (start + 190, steady[1] + level), width=1)
        _pulses(pen, start, 92.0, inverted=fixed_high)
        _current(pen, start, decay)
        pen.text(start - 5, 26, "I_MOTOR", size=6.6, anchor="end")
        pen.line((start, 12), (start + 190, 12), width=0.4, colour=MUTED)
        for index in range(5):
            for share in (0.0, 0.6):
                x = start + (index + share) * 38
                pen.line((x, 10), (x, 108), width=0.3, colour=MUTED, dash=(2, 2))


def _pulses(pen: Pen, start: float, y: float, *, inverted: bool) -> None:
    points: list[Point] = []
    for index in range(5):
        x = start + index * 38
        on, off = (y, y + 12.0) if inverted else (y + 12.0, y)
        points += [(x, on), (x + 22.8, on), (x + 22.8, off), (x + 38, off)]
    pen.line(*points, width=1)


def _current(pen: Pen, start: float, decay: float) -> None:
    level, points = 20.0, [(start, 20.0)]
    for index in range(5):
        x = start + index * 38
        peak = level + (48 - level) * 0.42
        points.append((x + 22.8, peak))
        level = max(12.0, peak - (peak - 12) * decay * 0.55)
        points.append((x + 38, level))
    pen.line(*points, width=1.1, colour=CURVES[1])
