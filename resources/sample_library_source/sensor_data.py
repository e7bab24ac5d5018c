"""The truth about the temperature sensor, in the two revisions of its datasheet."""

from __future__ import annotations

from dataclasses import dataclass

from sample_library_source.common import Orderable, PackageThermals, Revision
from sample_library_source.digital import BusTiming
from sample_library_source.sheet import Identity

RESOLUTION = 0.0625
ADDRESSES = (("GND", "1001100", "4Ch"), ("V+", "1001101", "4Dh"))


@dataclass(frozen=True, slots=True)
class Sensor:
    """One revision's numbers; pairs are typical and maximum."""

    identity: Identity
    revision: str
    near_c: tuple[float, float]
    near_range: tuple[int, int]
    far_c: tuple[float, float]
    conversion_ms: tuple[int, int]
    average_ua: tuple[float, float]
    shutdown_ua: tuple[float, float]
    supply_v: tuple[float, float]
    rates_hz: tuple[float, float, float, float]
    supply_error: float
    long_term_c: float
    startup_ms: float
    timing: tuple[BusTiming, BusTiming]
    esd: tuple[int, int]
    thermals: tuple[PackageThermals, ...]
    orderables: tuple[Orderable, ...]
    revisions: tuple[Revision, ...]


_TITLE = "ORT112 Low-Power Digital Temperature Sensor With I²C Interface and Alert"
_SOT = PackageThermals("SOT563", "DRL", 6, (210.3, 105.0, 87.5, 6.1, 87.0))
_WSON = PackageThermals("WSON", "DRV", 6, (76.4, 86.9, 40.1, 2.7, 40.3))
_SLOW = BusTiming(400, 600, 100, 100, 100, 100, 1300, 600, 300)
_QUICK = BusTiming(1000, 300, 100, 100, 100, 50, 500, 260, 120)
_QUICK_B = BusTiming(1000, 260, 100, 100, 100, 40, 480, 240, 120)

REVISION_A = Sensor(
    identity=Identity(("ORT112",), _TITLE, "OD7112A", "APRIL 2020", "2020"),
    revision="A",
    near_c=(0.2, 0.5),
    near_range=(-10, 85),
    far_c=(0.4, 1.0),
    conversion_ms=(26, 35),
    average_ua=(7.5, 10),
    shutdown_ua=(0.5, 1),
    supply_v=(1.6, 3.6),
    rates_hz=(0.25, 1, 4, 8),
    supply_error=0.25,
    long_term_c=0.05,
    startup_ms=30,
    timing=(_SLOW, _QUICK),
    esd=(2000, 500),
    thermals=(_SOT,),
    orderables=(Orderable("ORT112AIDRL", "SOT563", "DRL", 6, 4000, "T12"),),
    revisions=(
        Revision(
            "Changes from Original (September 2019) to Revision A (April 2020)",
            ("Changed status from product preview to production data",),
        ),
    ),
)

REVISION_B = Sensor(
    identity=Identity(
        ("ORT112",), _TITLE, "OD7112B", "APRIL 2020 – REVISED MARCH 2023", "2020–2023"
    ),
    revision="B",
    near_c=(0.15, 0.4),
    near_range=(-20, 90),
    far_c=(0.4, 0.9),
    conversion_ms=(21, 28),
    average_ua=(6.2, 8.5),
    shutdown_ua=(0.35, 0.8),
    supply_v=(1.4, 3.6),
    rates_hz=(0.25, 1, 4, 16),
    supply_error=0.2,
    long_term_c=0.03,
    startup_ms=22,
    timing=(_SLOW, _QUICK_B),
    esd=(3000, 1000),
    thermals=(_SOT, _WSON),
    orderables=(
        Orderable("ORT112BIDRL", "SOT563", "DRL", 6, 4000, "T12B"),
        Orderable("ORT112BIDRV", "WSON", "DRV", 6, 3000, "T12W"),
    ),
    revisions=(
        Revision(
            "Changes from Revision A (April 2020) to Revision B (March 2023)",
            (
                "Changed maximum temperature error from ±0.5°C (–10°C to 85°C) to ±0.4°C (–20°C "
                "to 90°C)",
                "Changed typical conversion time from 26 ms to 21 ms",
                "Changed typical average quiescent current from 7.5 µA to 6.2 µA",
                "Changed minimum supply voltage from 1.6 V to 1.4 V",
                "Changed the highest conversion rate from 8 Hz to 16 Hz (CR[1:0] = 11)",
                "Changed HBM rating from ±2000 V to ±3000 V",
                "Added WSON package (DRV)",
            ),
        ),
        Revision(
            "Changes from Original (September 2019) to Revision A (April 2020)",
            ("Changed status from product preview to production data",),
        ),
    ),
)
