"""The truth about the 12-bit and the 16-bit analogue-to-digital converter."""

from __future__ import annotations

from dataclasses import dataclass

from sample_library_source.common import Orderable, PackageThermals, Revision
from sample_library_source.digital import BusTiming, Field, Register
from sample_library_source.sheet import Identity

RANGES_V = (5.12, 2.56, 1.28, 0.64, 0.32)
FAST = BusTiming(400, 1300, 600, 600, 600, 100, 1300, 600, 300)
FAST_PLUS = BusTiming(1000, 500, 260, 260, 260, 50, 500, 260, 120)


@dataclass(frozen=True, slots=True)
class Converter:
    """One datasheet's numbers; pairs are typical and maximum."""

    identity: Identity
    part: str
    bits: int
    rates: tuple[int, ...]
    default_rate_index: int
    inl_lsb: tuple[float, float]
    offset_lsb: tuple[float, float]
    offset_drift: float
    gain_error: tuple[float, float]
    gain_drift: tuple[float, float]
    noise_floor_uv: float
    supply_ua: tuple[int, int, int]
    powerdown_ua: tuple[float, float]
    wakeup_us: int
    cmrr_db: int
    psrr_db: int
    supply_v: tuple[float, float]
    identification: str
    config_reset: str
    thermals: tuple[PackageThermals, ...]
    orderables: tuple[Orderable, ...]
    revisions: tuple[Revision, ...]

    def lsb_uv(self, range_v: float) -> float:
        """Size of one code in microvolts."""
        return float(range_v / 2 ** (self.bits - 1) * 1e6)

    def noise_uv(self, range_v: float, rate: int) -> float:
        """RMS noise in a range: thermal noise that grows with the rate, and quantization."""
        thermal = (
            self.noise_floor_uv * (0.55 + 0.45 * range_v / 0.32) * (rate / self.rates[0]) ** 0.5
        )
        quantization = self.lsb_uv(range_v) / 12**0.5
        return float((thermal**2 + quantization**2) ** 0.5)


_THERMALS = (
    PackageThermals("VSSOP", "DGS", 10, (168.2, 58.8, 89.4, 8.1, 87.9)),
    PackageThermals("X2QFN", "RUG", 10, (214.6, 72.1, 128.3, 1.9, 127.5)),
)

ORC1204 = Converter(
    identity=Identity(
        ("ORC1204",),
        "ORC1204 12-Bit, 4000-SPS, 4-Channel Delta-Sigma ADC With PGA and I²C Interface",
        "OD6012B",
        "JUNE 2018 – REVISED APRIL 2023",
        "2018–2023",
    ),
    part="ORC1204",
    bits=12,
    rates=(125, 250, 500, 1000, 1600, 2000, 3200, 4000),
    default_rate_index=4,
    inl_lsb=(0.25, 0.5),
    offset_lsb=(0.1, 0.5),
    offset_drift=0.004,
    gain_error=(0.05, 0.25),
    gain_drift=(7, 40),
    noise_floor_uv=9.0,
    supply_ua=(155, 210, 310),
    powerdown_ua=(0.5, 2),
    wakeup_us=25,
    cmrr_db=95,
    psrr_db=85,
    supply_v=(2.0, 5.5),
    identification="1204h",
    config_reset="8583h",
    thermals=_THERMALS,
    orderables=(
        Orderable("ORC1204IDGS", "VSSOP", "DGS", 10, 2500, "C12"),
        Orderable("ORC1204IRUG", "X2QFN", "RUG", 10, 3000, "12C"),
    ),
    revisions=(
        Revision(
            "Changes from Revision A (January 2020) to Revision B (April 2023)",
            (
                "Changed maximum data rate from 3300 SPS to 4000 SPS",
                "Added fast mode plus to the timing requirements",
            ),
        ),
    ),
)

ORC1604 = Converter(
    identity=Identity(
        ("ORC1604",),
        "ORC1604 16-Bit, 1000-SPS, 4-Channel Delta-Sigma ADC With PGA and I²C Interface",
        "OD6016C",
        "AUGUST 2018 – REVISED MAY 2024",
        "2018–2024",
    ),
    part="ORC1604",
    bits=16,
    rates=(10, 20, 40, 80, 160, 320, 640, 1000),
    default_rate_index=4,
    inl_lsb=(0.6, 1.5),
    offset_lsb=(1, 4),
    offset_drift=0.006,
    gain_error=(0.02, 0.12),
    gain_drift=(5, 30),
    noise_floor_uv=2.4,
    supply_ua=(180, 240, 350),
    powerdown_ua=(0.5, 2),
    wakeup_us=30,
    cmrr_db=108,
    psrr_db=96,
    supply_v=(2.0, 5.5),
    identification="1604h",
    config_reset="8583h",
    thermals=_THERMALS,
    orderables=(
        Orderable("ORC1604IDGS", "VSSOP", "DGS", 10, 2500, "C16"),
        Orderable("ORC1604IRUG", "X2QFN", "RUG", 10, 3000, "16C"),
    ),
    revisions=(
        Revision(
            "Changes from Revision B (October 2021) to Revision C (May 2024)",
            (
                "Changed maximum gain error from 0.15% to 0.12%",
                "Changed typical supply current in continuous mode from 195 µA to 180 µA",
                "Added IDENT register at address 04h",
            ),
        ),
        Revision(
            "Changes from Revision A (June 2019) to Revision B (October 2021)",
            ("Added X2QFN package (RUG)",),
        ),
    ),
)

_MUX = (
    "Input multiplexer. 000: AIN0–AIN1 (default), 001: AIN0–AIN3, 010: AIN1–AIN3, "
    "011: AIN2–AIN3, 100: AIN0–GND, 101: AIN1–GND, 110: AIN2–GND, 111: AIN3–GND"
)


def registers(part: Converter) -> tuple[Register, ...]:
    """Register map of a converter."""
    unused = 16 - part.bits
    rates = ", ".join(
        f"{index:03b}: {rate} SPS" + (" (default)" if index == part.default_rate_index else "")
        for index, rate in enumerate(part.rates)
    )
    ranges = ", ".join(
        f"{index:03b}: ±{value:g} V" + (" (default)" if index == 2 else "")
        for index, value in enumerate(RANGES_V)
    )
    data = [Field(15, unused, f"D[{part.bits - 1}:0]", "R", "0", "Result in two's complement")]
    if unused:
        data.append(Field(unused - 1, 0, "Reserved", "R", "0", "Always 0"))
    result = f"{part.bits}-bit result of the last conversion"
    return (
        Register("00h", "RESULT", "Conversion Result", "R", "0000h", tuple(data),
                 f"Holds the {result}, left-aligned."),
        Register("01h", "CONFIG", "Configuration", "R/W", part.config_reset, (
            Field(15, 15, "OS", "R/W", "1", "Write 1: start a single conversion (in power-down). "
                  "Read 0: converting, 1: idle"),
            Field(14, 12, "MUX[2:0]", "R/W", "000", _MUX),
            Field(11, 9, "RNG[2:0]", "R/W", "010",
                  f"Full-scale range. {ranges}, others: ±0.32 V"),
            Field(8, 8, "MODE", "R/W", "1", "0: continuous conversion, 1: single conversion"),
            Field(7, 5, "DR[2:0]", "R/W", "100", f"Data rate. {rates}"),
            Field(4, 4, "CMOD", "R/W", "0", "Comparator. 0: traditional, 1: window"),
            Field(3, 3, "CPOL", "R/W", "0", "ALERT polarity. 0: active low, 1: active high"),
            Field(2, 2, "CLAT", "R/W", "0", "Comparator. 0: not latching, 1: latching"),
            Field(1, 0, "CQUE[1:0]", "R/W", "11", "Assert ALERT after 00: one, 01: two, "
                  "10: four conversions; 11: comparator off (default)"),
        ), "Selects input, range, mode and data rate, and starts conversions."),
        Register("02h", "LOTHR", "Low Threshold", "R/W", "8000h",
                 (Field(15, 0, "LO[15:0]", "R/W", "8000h", "Lower limit of the comparator"),),
                 "Lower limit of the comparator, aligned like the result."),
        Register("03h", "HITHR", "High Threshold", "R/W", "7FFFh",
                 (Field(15, 0, "HI[15:0]", "R/W", "7FFFh", "Upper limit of the comparator"),),
                 "Upper limit of the comparator, aligned like the result."),
        Register("04h", "IDENT", "Device Identification", "R", part.identification,
                 (Field(15, 0, "ID[15:0]", "R", part.identification, "Fixed identification"),),
                 "Lets a host find out which converter it talks to."),
    )  # fmt: skip
