"""Operational amplifiers: typical characteristics from simple models of the stated numbers."""

from __future__ import annotations

import cmath
import math

from sample_library_source.charts import Axis, Chart, Curve, sampled
from sample_library_source.opamp_data import Amplifier
from sample_library_source.pen import Point

Figure = tuple[Chart, str, str]


def typical_characteristics(part: Amplifier) -> tuple[Figure, ...]:
    """All plots of the section, in order."""
    return (
        (_offset_histogram(part), "Offset Voltage Production Distribution", "histogram"),
        (_offset_over_temperature(part), "Offset Voltage vs Temperature", "offset-temperature"),
        (_open_loop(part), "Open-Loop Gain and Phase vs Frequency", "open-loop"),
        (_rejection(part), "CMRR and PSRR vs Frequency", "rejection"),
        (_noise(part), "Input Voltage Noise Density vs Frequency", "noise"),
        (_quiescent(part), "Quiescent Current vs Temperature", "quiescent"),
        (_swing(part), "Output Voltage Swing vs Output Current", "swing"),
        (_overshoot(part), "Small-Signal Overshoot vs Capacitive Load", "overshoot"),
        (_step(part), "Small-Signal Step Response", "step"),
        (_large_step(part), "Large-Signal Step Response", "large-step"),
    )


def _remarks(part: Amplifier, *more: str) -> tuple[str, ...]:
    return ("V_S = ±18 V" if part.high_voltage else "V_S = 5 V", *more)


def _offset_histogram(part: Amplifier) -> Chart:
    limit = part.offset[1]
    sigma = part.offset[0] * 1.25
    bars = []
    for index in range(-7, 8):
        centre = index * limit / 7.5
        share = math.exp(-((centre / sigma) ** 2) / 2) * 100
        bars.append((centre, share))
    total = sum(share for _, share in bars)
    heights = tuple((centre, max(share / total * 100, 0.05)) for centre, share in bars)
    top = max(5, math.ceil(max(height for _, height in heights) / 5) * 5 + 5)
    return Chart(
        Axis(f"Input Offset Voltage ({part.offset_unit})", -limit, limit, limit / 4),
        Axis("Amplifiers (%)", 0, top, 5 if top <= 40 else 10),
        (),
        bars=heights,
        remarks=_remarks(part, "2450 amplifiers"),
        remarks_corner="ne",
    )


def _offset_over_temperature(part: Amplifier) -> Chart:
    hot = part.offset[2]
    scale = part.drift[0] * (1 if part.offset_unit == "µV" else 1e-3)
    curves = []
    for index, (start, slope, bend) in enumerate(
        ((0.9, 1.0, 0.4), (0.3, -0.9, 0.5), (-0.5, 0.7, -0.6), (-1.2, -1.1, 0.3))
    ):

        def offset(
            t: float, start: float = start, slope: float = slope, bend: float = bend
        ) -> float:
            rise = t - 25
            return start * part.offset[0] + scale * rise * slope + bend * scale * rise**2 / 160

        curves.append(Curve(f"Unit {index + 1}", sampled(offset, -40, 125)))
    limit = _rounded_up(hot * 0.62)
    return Chart(
        Axis("Temperature (°C)", -50, 125, 25),
        Axis(f"Offset Voltage ({part.offset_unit})", -limit, limit, limit / 4),
        tuple(curves),
        legend="nw",
        remarks=_remarks(part, "4 typical units"),
    )


def _rounded_up(value: float) -> float:
    magnitude = 10 ** math.floor(math.log10(value))
    for step in (1, 2, 4, 6, 8, 10):
        if value <= step * magnitude:
            return float(step * magnitude)
    return value


def _open_loop(part: Amplifier) -> Chart:
    gain = 10 ** (part.gain[1] / 20)
    pole = part.bandwidth_hz / gain
    second = part.bandwidth_hz * math.tan(math.radians(part.phase_margin))
    low, high = (0.1, 1e8) if part.high_voltage else (0.01, 1e5)

    def response(f: float) -> complex:
        return gain / ((1 + 1j * f / pole) * (1 + 1j * f / second))

    top = 140
    return Chart(
        Axis("Frequency (Hz)", low, high),
        Axis("Open-Loop Gain (dB)", -20, top, 20),
        (
            Curve(
                "Gain", sampled(lambda f: 20 * math.log10(abs(response(f))), low, high, log=True)
            ),
            Curve(
                "Phase",
                sampled(
                    lambda f: 180 + math.degrees(cmath.phase(response(f))), low, high, log=True
                ),
                dash=(3, 2),
                second_axis=True,
            ),
        ),
        y2=Axis("Phase (°)", 0, 180, 45),
        remarks=_remarks(part, f"C_L = {part.phase_load}"),
    )


def _rejection(part: Amplifier) -> Chart:
    scale = part.bandwidth_hz / 6e6
    supply_db = -20 * math.log10(part.psrr[0] * 1e-6)
    low, high = (10, 1e7) if part.high_voltage else (1, 1e5)

    def falling(level: float, corner: float) -> tuple[Point, ...]:
        def value(f: float) -> float:
            return max(5.0, level - 10 * math.log10(1 + (f / corner) ** 2))

        return sampled(value, low, high, log=True)

    return Chart(
        Axis("Frequency (Hz)", low, high),
        Axis("Rejection Ratio (dB)", 0, 140, 20),
        (
            Curve("CMRR", falling(part.cmrr[1], 900 * scale)),
            Curve("PSRR+", falling(supply_db, 160 * scale)),
            Curve("PSRR–", falling(supply_db - 3, 420 * scale), dash=(3, 2)),
        ),
        remarks=_remarks(part),
    )


def _noise(part: Amplifier) -> Chart:
    at_100, at_1k = part.noise_nv
    corner = (at_100**2 - at_1k**2) / (1 / 100 - 1 / 1000)
    white = math.sqrt(at_1k**2 - corner / 1000)
    low, high = (1, 1e5) if part.high_voltage else (0.1, 1e4)
    bounds = (1, 1000) if part.high_voltage else (100, 1e4)
    return Chart(
        Axis("Frequency (Hz)", low, high),
        Axis("Noise Density (nV/√Hz)", *bounds),
        (
            Curve(
                "",
                sampled(lambda f: math.sqrt(white**2 + corner / f), low, high, log=True),
            ),
        ),
        remarks=_remarks(part),
        remarks_corner="ne",
    )


def _quiescent(part: Amplifier) -> Chart:
    typical, _, hot = part.quiescent
    step = {True: 50.0, False: 100.0}[typical < 800]
    low = math.floor(typical * 0.75 / step) * step
    high = math.ceil(hot / step) * step
    step = (high - low) / 5

    def current(share: float) -> tuple[Point, ...]:
        return sampled(
            lambda t: typical * (share + 0.0011 * (t - 25) + 1.6e-6 * (t - 25) ** 2), -40, 125
        )

    if part.high_voltage:
        curves = [Curve("V_S = ±18 V", current(1.0)), Curve("V_S = ±2.25 V", current(0.93))]
    else:
        curves = [
            Curve("ORA247", current(1.0)),
            Curve("ORA2247", current(850 / 900)),
            Curve("ORA4247", current(820 / 900)),
        ]
    return Chart(
        Axis("Temperature (°C)", -50, 125, 25),
        Axis(f"Quiescent Current ({part.quiescent_unit})", low, high, step),
        tuple(curves),
        legend="nw",
    )


def _swing(part: Amplifier) -> Chart:
    limit = part.short_circuit_ma
    rail = 18.0 if part.high_voltage else 2.5

    def headroom(factor: float) -> tuple[Point, ...]:
        # The output saturates softly as the load reaches the short-circuit current.
        def value(current: float) -> float:
            share = min(current / (limit * factor), 0.999)
            return max(0.0, rail * (1 - 0.16 * share - 0.84 * share**7))

        return sampled(value, 0, limit * factor)

    top, step = (20.0, 5.0) if part.high_voltage else (3.0, 0.5)
    span = math.ceil(limit * 1.25 / 10) * 10
    return Chart(
        Axis("Output Current (mA)", 0, span, span / 5),
        Axis("Output Voltage (V)", 0, top, step),
        (
            Curve("–40°C", headroom(1.14)),
            Curve("25°C", headroom(1.0)),
            Curve("125°C", headroom(0.82)),
        ),
        remarks=("V_S = ±18 V, sourcing" if part.high_voltage else "V_S = ±2.5 V, sourcing",),
    )


def _overshoot(part: Amplifier) -> Chart:
    limit_pf = float(part.capacitive_load) * 1000

    def overshoot(gain: float) -> tuple[Point, ...]:
        # Scaled so that a gain of 1 reaches 50 % at the stated capacitive load.
        def value(c: float) -> float:
            return float(4 + 46 * (c / limit_pf) ** 0.62 / gain)

        return sampled(value, 20, limit_pf)

    return Chart(
        Axis("Capacitive Load (pF)", 0, limit_pf, limit_pf / 5),
        Axis("Overshoot (%)", 0, 60, 10),
        (Curve("G = 1", overshoot(1)), Curve("G = –1", overshoot(1.7))),
        legend="nw",
        remarks=_remarks(part, "10-mV step"),
        remarks_corner="se",
    )


def _step(part: Amplifier) -> Chart:
    factor = 1e6
    damping = (
        math.tan(math.radians(part.phase_margin))
        / 2
        / math.sqrt(1 / math.cos(math.radians(part.phase_margin)))
    )
    damping = min(damping, 0.85)
    omega = 2 * math.pi * part.bandwidth_hz
    span = 1.0 if part.bandwidth_hz == 6e6 else 0.3 if part.high_voltage else 600.0
    start = span * 0.15

    def value(t: float) -> float:
        if t < start:
            return -5
        elapsed = (t - start) / factor
        ringing = omega * math.sqrt(1 - damping**2)
        decay = math.exp(-damping * omega * elapsed)
        phase = math.acos(damping)
        return -5 + 10 * (
            1 - decay / math.sqrt(1 - damping**2) * math.sin(ringing * elapsed + phase)
        )

    return Chart(
        Axis("Time (µs)", 0, span, span / 5),
        Axis("Output Voltage (mV)", -8, 8, 2),
        (Curve("", sampled(value, 0, span, 220)),),
        remarks=_remarks(part, f"G = 1, C_L = {part.phase_load}"),
        remarks_corner="se",
    )


def _large_step(part: Amplifier) -> Chart:
    amplitude, unit = (5.0, "µs") if part.high_voltage else (1.0, "ms")
    ramp = 2 * amplitude / part.slew
    span = 5.0 if part.slew == 9 else 2.0
    start = span * 0.1
    back = span * 0.55

    def value(t: float) -> float:
        if t < back:
            return min(amplitude, max(-amplitude, -amplitude + (t - start) / ramp * 2 * amplitude))
        return max(-amplitude, amplitude - (t - back) / ramp * 2 * amplitude)

    top = amplitude * 1.6
    return Chart(
        Axis(f"Time ({unit})", 0, span, span / 5),
        Axis("Output Voltage (V)", -top, top, top / 4),
        (Curve("", sampled(value, 0, span, 400)),),
        remarks=_remarks(part, "G = 1"),
        remarks_corner="se",
    )
