"""The truth about the two low-dropout regulator datasheets."""

from __future__ import annotations

from dataclasses import dataclass

from sample_library_source.common import Orderable, PackageThermals, Revision
from sample_library_source.sheet import Identity


@dataclass(frozen=True, slots=True)
class Regulator:
    """One datasheet's numbers; (typical, maximum) pairs unless said otherwise.

    `limit_ma` is minimum, typical, maximum; `psrr` in dB at 100 Hz, 1 kHz, 10 kHz, 100 kHz, 1 MHz.
    """

    identity: Identity
    part: str
    rated_ma: int
    input_v: tuple[float, float]
    input_maximum: float
    reference_v: float
    accuracy: tuple[float, float]
    dropout_mv: tuple[int, int]
    dropout_half_mv: tuple[int, int]
    line: float
    load: float
    ground_ua: tuple[int, int]
    ground_full_ua: tuple[int, int]
    shutdown_ua: tuple[float, float]
    limit_ma: tuple[int, int, int]
    psrr: tuple[int, int, int, int, int]
    noise_uv: float
    startup_us: int
    discharge_ohm: int
    uvlo_v: tuple[float, float, float]
    enable_v: tuple[float, float]
    shutdown_c: tuple[int, int]
    output_uf: tuple[float, float]
    package: str
    n_pins: int
    soft_start: bool
    thermals: tuple[PackageThermals, ...]
    orderables: tuple[Orderable, ...]
    revisions: tuple[Revision, ...]


ORL3305 = Regulator(
    identity=Identity(
        ("ORL3305",),
        "ORL3305 500-mA, 38-µA, Low-Dropout Linear Regulator With Output Discharge",
        "OD4105B",
        "MAY 2017 – REVISED OCTOBER 2022",
        "2017–2022",
    ),
    part="ORL3305",
    rated_ma=500,
    input_v=(2.2, 6.0),
    input_maximum=6.5,
    reference_v=0.6,
    accuracy=(1.5, 2.5),
    dropout_mv=(145, 240),
    dropout_half_mv=(70, 120),
    line=0.02,
    load=8,
    ground_ua=(38, 60),
    ground_full_ua=(215, 320),
    shutdown_ua=(0.1, 1),
    limit_ma=(620, 800, 1000),
    psrr=(72, 68, 58, 46, 32),
    noise_uv=48,
    startup_us=450,
    discharge_ohm=120,
    uvlo_v=(1.8, 1.95, 2.1),
    enable_v=(0.4, 1.2),
    shutdown_c=(160, 20),
    output_uf=(1, 47),
    package="SOT-23",
    n_pins=5,
    soft_start=False,
    thermals=(
        PackageThermals("SOT-23", "DBV", 5, (186.2, 95.4, 52.7, 28.1, 52.3)),
        PackageThermals("WSON", "DRV", 6, (74.8, 88.3, 38.5, 2.4, 38.7)),
    ),
    orderables=(
        Orderable("ORL3305-12IDBV", "SOT-23", "DBV", 5, 3000, "L5A"),
        Orderable("ORL3305-18IDBV", "SOT-23", "DBV", 5, 3000, "L5B"),
        Orderable("ORL3305-33IDBV", "SOT-23", "DBV", 5, 3000, "L5D"),
        Orderable("ORL3305-ADJIDRV", "WSON", "DRV", 6, 3000, "L5X"),
    ),
    revisions=(
        Revision(
            "Changes from Revision A (March 2019) to Revision B (October 2022)",
            (
                "Changed maximum dropout voltage at 500 mA from 260 mV to 240 mV",
                "Added WSON package (DRV) for the adjustable version",
            ),
        ),
    ),
)

ORL3310 = Regulator(
    identity=Identity(
        ("ORL3310",),
        "ORL3310 1-A, Low-Noise, High-PSRR, Low-Dropout Linear Regulator With Soft Start",
        "OD4110A",
        "FEBRUARY 2021 – REVISED JANUARY 2024",
        "2021–2024",
    ),
    part="ORL3310",
    rated_ma=1000,
    input_v=(1.7, 6.0),
    input_maximum=7,
    reference_v=0.8,
    accuracy=(1.0, 1.75),
    dropout_mv=(175, 290),
    dropout_half_mv=(88, 150),
    line=0.01,
    load=5,
    ground_ua=(95, 140),
    ground_full_ua=(640, 900),
    shutdown_ua=(0.2, 2),
    limit_ma=(1150, 1450, 1800),
    psrr=(82, 76, 66, 54, 41),
    noise_uv=6.5,
    startup_us=320,
    discharge_ohm=85,
    uvlo_v=(1.42, 1.55, 1.66),
    enable_v=(0.35, 1.1),
    shutdown_c=(165, 15),
    output_uf=(4.7, 100),
    package="WSON",
    n_pins=8,
    soft_start=True,
    thermals=(
        PackageThermals("WSON", "DSG", 8, (61.3, 71.9, 29.4, 1.6, 29.5)),
        PackageThermals("SOIC PowerPAD", "DDA", 8, (45.7, 52.8, 25.9, 8.2, 25.8)),
    ),
    orderables=(
        Orderable("ORL3310-18IDSG", "WSON", "DSG", 8, 3000, "10B"),
        Orderable("ORL3310-33IDSG", "WSON", "DSG", 8, 3000, "10D"),
        Orderable("ORL3310-ADJIDSG", "WSON", "DSG", 8, 3000, "10X"),
        Orderable("ORL3310-ADJIDDA", "SOIC PowerPAD", "DDA", 8, 2500, "ORL3310"),
    ),
    revisions=(
        Revision(
            "Changes from Original (February 2021) to Revision A (January 2024)",
            (
                "Added SOIC PowerPAD package (DDA)",
                "Changed typical power-supply rejection at 1 kHz from 74 dB to 76 dB",
                "Changed minimum output capacitance from 10 µF to 4.7 µF",
            ),
        ),
    ),
)
