"""The truth about the three operational amplifier datasheets."""

from __future__ import annotations

from dataclasses import dataclass

from sample_library_source.common import Orderable, PackageThermals, Revision
from sample_library_source.sheet import Identity


@dataclass(frozen=True, slots=True)
class Amplifier:
    """One datasheet's numbers; names say the unit where the field does not.

    `offset_*` are in `offset_unit`, `quiescent_*` in `quiescent_unit`, `slew` in `slew_unit`.
    """

    identity: Identity
    part: str
    family: str
    supply: tuple[float, float]
    supply_maximum: float
    offset_unit: str
    offset: tuple[float, float, float]
    drift: tuple[float, float]
    psrr: tuple[float, float]
    bias_pa: tuple[float, float]
    bias_hot_na: float
    noise_pp_uv: float
    noise_nv: tuple[float, float]
    cmrr: tuple[int, int]
    gain: tuple[int, int]
    bandwidth_hz: float
    bandwidth: str
    slew: float
    slew_unit: str
    settling: str
    overload: str
    thd: str
    swing_light: tuple[float, float]
    swing_heavy: tuple[float, float]
    light_load: str
    heavy_load: str
    short_circuit_ma: float
    capacitive_load: str
    quiescent: tuple[float, float, float]
    quiescent_unit: str
    phase_margin: int
    phase_load: str
    esd: tuple[int, int]
    thermals: tuple[PackageThermals, ...]
    orderables: tuple[Orderable, ...]
    revisions: tuple[Revision, ...]

    @property
    def high_voltage(self) -> bool:
        """Whether this is one of the 36-V parts."""
        return self.supply[1] > 10


_SOT = PackageThermals("SOT-23", "DBV", 5, (188.4, 97.2, 55.1, 29.8, 54.7))
_SOIC = PackageThermals("SOIC", "D", 8, (121.7, 64.3, 62.5, 17.9, 61.8))

ORA217 = Amplifier(
    identity=Identity(
        ("ORA217",),
        "ORA217 36-V, 6-MHz, Low-Offset, Rail-to-Rail Precision Operational Amplifier",
        "OD5021C",
        "MARCH 2019 – REVISED JUNE 2024",
        "2019–2024",
    ),
    part="ORA217",
    family="ORA217",
    supply=(4.5, 36),
    supply_maximum=40,
    offset_unit="µV",
    offset=(12, 60, 95),
    drift=(0.2, 0.6),
    psrr=(0.4, 1.5),
    bias_pa=(8, 25),
    bias_hot_na=4,
    noise_pp_uv=1.1,
    noise_nv=(11.5, 7.2),
    cmrr=(112, 128),
    gain=(118, 132),
    bandwidth_hz=6e6,
    bandwidth="6",
    slew=9,
    slew_unit="V/µs",
    settling="2.1",
    overload="350",
    thd="0.0003",
    swing_light=(28, 45),
    swing_heavy=(110, 165),
    light_load="10 kΩ",
    heavy_load="2 kΩ",
    short_circuit_ma=48,
    capacitive_load="1",
    quiescent=(620, 760, 890),
    quiescent_unit="µA",
    phase_margin=58,
    phase_load="20 pF",
    esd=(4000, 1000),
    thermals=(_SOIC, _SOT),
    orderables=(
        Orderable("ORA217ID", "SOIC", "D", 8, 2500, "ORA217"),
        Orderable("ORA217IDBV", "SOT-23", "DBV", 5, 3000, "A17"),
    ),
    revisions=(
        Revision(
            "Changes from Revision B (November 2021) to Revision C (June 2024)",
            (
                "Changed maximum input offset voltage from ±75 µV to ±60 µV",
                "Changed typical quiescent current from 650 µA to 620 µA",
                "Added capacitive-load figure to the Typical Characteristics",
            ),
        ),
        Revision(
            "Changes from Revision A (May 2020) to Revision B (November 2021)",
            ("Added SOT-23 package (DBV)", "Changed HBM rating from ±2000 V to ±4000 V"),
        ),
    ),
)

ORA218 = Amplifier(
    identity=Identity(
        ("ORA218",),
        "ORA218 36-V, 18-MHz, Low-Noise, Rail-to-Rail Precision Operational Amplifier",
        "OD5022B",
        "SEPTEMBER 2020 – REVISED FEBRUARY 2024",
        "2020–2024",
    ),
    part="ORA218",
    family="ORA218",
    supply=(4.5, 36),
    supply_maximum=40,
    offset_unit="µV",
    offset=(20, 120, 180),
    drift=(0.4, 1.1),
    psrr=(0.8, 2.5),
    bias_pa=(12, 40),
    bias_hot_na=7,
    noise_pp_uv=0.9,
    noise_nv=(8.4, 4.6),
    cmrr=(106, 120),
    gain=(114, 126),
    bandwidth_hz=18e6,
    bandwidth="18",
    slew=24,
    slew_unit="V/µs",
    settling="0.9",
    overload="180",
    thd="0.00012",
    swing_light=(22, 40),
    swing_heavy=(95, 150),
    light_load="10 kΩ",
    heavy_load="2 kΩ",
    short_circuit_ma=70,
    capacitive_load="0.47",
    quiescent=(1150, 1380, 1600),
    quiescent_unit="µA",
    phase_margin=52,
    phase_load="20 pF",
    esd=(3000, 1000),
    thermals=(_SOIC, _SOT),
    orderables=(
        Orderable("ORA218ID", "SOIC", "D", 8, 2500, "ORA218"),
        Orderable("ORA218IDBV", "SOT-23", "DBV", 5, 3000, "A18"),
    ),
    revisions=(
        Revision(
            "Changes from Revision A (April 2022) to Revision B (February 2024)",
            (
                "Changed typical voltage noise density at 1 kHz from 5.1 nV/√Hz to 4.6 nV/√Hz",
                "Changed slew rate from 22 V/µs to 24 V/µs",
            ),
        ),
        Revision(
            "Changes from Original (September 2020) to Revision A (April 2022)",
            ("Changed status from advance information to production data",),
        ),
    ),
)

ORA247 = Amplifier(
    identity=Identity(
        ("ORA247", "ORA2247", "ORA4247"),
        "ORAx247 5.5-V, 900-nA, Rail-to-Rail Nanopower Operational Amplifiers",
        "OD5030D",
        "JANUARY 2018 – REVISED AUGUST 2023",
        "2018–2023",
    ),
    part="ORA247",
    family="ORAx247",
    supply=(1.6, 5.5),
    supply_maximum=6,
    offset_unit="mV",
    offset=(0.35, 1.6, 1.9),
    drift=(1.8, 5),
    psrr=(18, 60),
    bias_pa=(0.5, 10),
    bias_hot_na=0.3,
    noise_pp_uv=4.8,
    noise_nv=(290, 190),
    cmrr=(72, 90),
    gain=(96, 112),
    bandwidth_hz=9e3,
    bandwidth="9",
    slew=4.2,
    slew_unit="V/ms",
    settling="510",
    overload="95",
    thd="0.02",
    swing_light=(4, 9),
    swing_heavy=(18, 32),
    light_load="1 MΩ",
    heavy_load="50 kΩ",
    short_circuit_ma=11,
    capacitive_load="0.15",
    quiescent=(900, 1300, 1650),
    quiescent_unit="nA",
    phase_margin=64,
    phase_load="60 pF",
    esd=(2000, 750),
    thermals=(
        PackageThermals("SC70", "DCK", 5, (236.9, 131.5, 63.0, 36.2, 62.4)),
        PackageThermals("VSSOP", "DGK", 8, (172.3, 66.1, 93.8, 9.4, 92.2)),
        PackageThermals("TSSOP", "PW", 14, (118.6, 47.3, 61.9, 5.5, 61.2)),
    ),
    orderables=(
        Orderable("ORA247IDCK", "SC70", "DCK", 5, 3000, "N47"),
        Orderable("ORA247IDBV", "SOT-23", "DBV", 5, 3000, "O247"),
        Orderable("ORA2247IDGK", "VSSOP", "DGK", 8, 2500, "N2247"),
        Orderable("ORA2247ID", "SOIC", "D", 8, 2500, "O2247"),
        Orderable("ORA4247IPW", "TSSOP", "PW", 14, 2000, "ORA4247"),
    ),
    revisions=(
        Revision(
            "Changes from Revision C (July 2021) to Revision D (August 2023)",
            (
                "Added SC70 package (DCK) for ORA247",
                "Changed typical quiescent current of ORA4247 from 850 nA to 820 nA per amplifier",
            ),
        ),
        Revision(
            "Changes from Revision B (February 2020) to Revision C (July 2021)",
            ("Added quad version ORA4247", "Changed minimum supply voltage from 1.8 V to 1.6 V"),
        ),
    ),
)
