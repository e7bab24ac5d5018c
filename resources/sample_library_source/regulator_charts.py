"""Low-dropout regulators: typical characteristics from simple models of the stated numbers."""

from __future__ import annotations

import math

from sample_library_source.charts import Axis, Chart, Curve, sampled
from sample_library_source.pen import Point
from sample_library_source.regulator_data import Regulator


def typical_characteristics(part: Regulator) -> tuple[tuple[Chart, str, str], ...]:
    """All plots of the section, in order."""
    full = float(part.rated_ma)
    dropout = part.dropout_mv[0] / full
    temperatures = ((0.84, "–40°C"), (1.0, "25°C"), (1.3, "125°C"))
    top = math.ceil(part.dropout_mv[0] * 1.35 / 50) * 50.0
    drop = Chart(
        Axis("Output Current (mA)", 0, full, full / 5),
        Axis("Dropout Voltage (mV)", 0, top, 50),
        tuple(
            Curve(name, ((0, 0), (full, dropout * full * scale))) for scale, name in temperatures
        ),
        legend="nw",
    )

    def change(base: float) -> tuple[Point, ...]:
        return sampled(lambda t: base - 2.2e-5 * (t - 35) ** 2 + 0.05, -40, 125)

    def ground_current_at(scale: float) -> tuple[Point, ...]:
        return sampled(lambda i: scale * (low + (high - low) * (i / full) ** 0.8), 0, full)

    accuracy = Chart(
        Axis("Junction Temperature (°C)", -50, 125, 25),
        Axis("Output Voltage Change (%)", -1, 1, 0.25),
        tuple(
            Curve(name, change(base))
            for base, name in ((0.1, "I_OUT = 1 mA"), (-0.12, f"I_OUT = {part.rated_ma} mA"))
        ),
        legend="sw",
    )
    low, high = part.ground_ua[0], part.ground_full_ua[0]
    top_ground = math.ceil(high * 1.25 / 100) * 100.0
    ground_current = Chart(
        Axis("Output Current (mA)", 0, full, full / 5),
        Axis("Ground Current (µA)", 0, top_ground, top_ground / 5 if top_ground < 500 else 200),
        tuple(
            Curve(
                name,
                ground_current_at(scale),
            )
            for scale, name in ((0.9, "–40°C"), (1.0, "25°C"), (1.14, "125°C"))
        ),
        legend="nw",
    )
    return (
        (drop, "Dropout Voltage vs Output Current", "dropout"),
        (accuracy, "Output Voltage vs Temperature", "accuracy"),
        (ground_current, "Ground Current vs Output Current", "ground-current"),
        (_rejection(part), "Power-Supply Rejection Ratio vs Frequency", "psrr"),
        (_noise(part), "Output Noise Density vs Frequency", "noise"),
        (_fold(part), "Output Voltage vs Output Current in Current Limit", "limit"),
        (_transient(part), "Load Transient Response", "transient"),
        (_startup(part), "Start-Up With EN", "startup"),
    )


def _rejection(part: Regulator) -> Chart:
    # One level a decade from 10 Hz to 10 MHz.
    levels = (part.psrr[0] + 1.0, *map(float, part.psrr), part.psrr[4] - 6.0)

    def curve(shift: float) -> tuple[Point, ...]:
        points = []
        for index in range(61):
            place = index / 10
            left = min(int(place), 5)
            share = place - left
            eased = share * share * (3 - 2 * share)
            level = levels[left] + (levels[left + 1] - levels[left]) * eased
            points.append((10 ** (1 + place), level + shift * (1 - place / 9)))
        return tuple(points)

    return Chart(
        Axis("Frequency (Hz)", 10, 1e7),
        Axis("PSRR (dB)", 0, 100, 20),
        (
            Curve(f"I_OUT = {part.rated_ma // 2} mA", curve(0)),
            Curve(f"I_OUT = {part.rated_ma} mA", curve(-7)),
        ),
    )


def _noise(part: Regulator) -> Chart:
    # White noise and a 1/f corner of 800 Hz that integrate to the stated value.
    corner, low, high = 800.0, 10.0, 1e5
    white = part.noise_uv / math.sqrt(high - low + corner * math.log(high / low))
    return Chart(
        Axis("Frequency (Hz)", 10, 1e6),
        Axis("Noise Density (µV/√Hz)", 0.001, 10),
        (
            Curve(
                f"I_OUT = {part.rated_ma} mA",
                sampled(
                    lambda f: white * math.sqrt((1 + corner / f) / (1 + (f / 2.5e5) ** 2)),
                    10, 1e6, log=True,
                ),
            ),
        ),
    )  # fmt: skip


def _fold(part: Regulator) -> Chart:
    limit = part.limit_ma[1]
    span = math.ceil(part.limit_ma[2] / 200) * 200.0

    def curve(scale: float) -> tuple[Point, ...]:
        knee = limit * scale
        return ((0, 3.3), (knee * 0.97, 3.29), (knee, 3.1), (knee * 0.96, 1.5), (knee * 0.62, 0))

    return Chart(
        Axis("Output Current (mA)", 0, span, span / 5),
        Axis("Output Voltage (V)", 0, 4, 1),
        (
            Curve("–40°C", curve(1.06)),
            Curve("25°C", curve(1.0)),
            Curve("125°C", curve(0.93)),
        ),
        legend="sw",
    )


def _transient(part: Regulator) -> Chart:
    depth = 42.0 if part.soft_start else 68.0

    def deviation(t: float) -> float:
        fall = -depth * math.exp(-(t - 40) / 9) * (1 - math.exp(-(t - 40) / 1.2)) if t > 40 else 0.0
        rise = depth * 0.9 * math.exp(-(t - 120) / 14) * (1 - math.exp(-(t - 120) / 1.2))
        return fall + (rise if t > 120 else 0.0)

    steps = ((0, 10.0), (40, 10.0), (41, float(part.rated_ma)), (120, float(part.rated_ma)),
             (121, 10.0), (200, 10.0))  # fmt: skip
    current_top = part.rated_ma * 4.0
    return Chart(
        Axis("Time (µs)", 0, 200, 40),
        Axis("Output Deviation (mV)", -100, 100, 50),
        (
            Curve("V_OUT", sampled(deviation, 0, 200, 300)),
            Curve("I_OUT", steps, second_axis=True),
        ),
        y2=Axis("Output Current (mA)", 0, current_top, part.rated_ma),
        remarks=(f"10 mA to {part.rated_ma} mA, 1 A/µs",),
        remarks_corner="se",
    )


def _startup(part: Regulator) -> Chart:
    end = float(part.startup_us)

    def output(t: float) -> float:
        if t < 100:
            return 0.0
        share = min((t - 100) / end * 0.95, 1.0)
        return 3.3 * (1 - (1 - share) ** 1.25 if share < 1 else 1.0)

    return Chart(
        Axis("Time (µs)", 0, 800, 100),
        Axis("Voltage (V)", 0, 5, 1),
        (
            Curve("V_EN", ((0, 0), (99, 0), (100, 3.8), (800, 3.8))),
            Curve("V_OUT", sampled(output, 0, 800, 200)),
        ),
        legend="nw",
    )
