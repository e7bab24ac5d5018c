"""The questions, with their answers taken from the data that the documents were drawn from."""

from __future__ import annotations

from sample_library_source.bank_types import Passage, Question
from sample_library_source.converter_data import ORC1204, ORC1604
from sample_library_source.opamp_data import ORA217, ORA218, ORA247
from sample_library_source.regulator_data import ORL3305, ORL3310
from sample_library_source.sensor_data import REVISION_A, REVISION_B

_CHARACTERISTICS = "Electrical Characteristics"
_MANUAL = "ORLUNDA_ORB-1_Users_Manual.pdf"
_A217, _A218, _A247 = (f"ORLUNDA_{name}.pdf" for name in ("ORA217", "ORA218", "ORA247"))
_L05, _L10 = "ORLUNDA_ORL3305.pdf", "ORLUNDA_ORL3310.pdf"
_C12, _C16 = "ORLUNDA_ORC1204.pdf", "ORLUNDA_ORC1604.pdf"
_TA, _TB, _M = "ORLUNDA_ORT112_RevA.pdf", "ORLUNDA_ORT112_RevB.pdf", "ORLUNDA_ORM8236.pdf"


def _cell(file: str, contains: str) -> tuple[Passage, ...]:
    return (Passage(file, contains, _CHARACTERISTICS),)


def _spaced(value: float | str, unit: str) -> tuple[str, ...]:
    return f"{value} {unit}", f"{value}{unit}"


_TABLE = (
    Question(
        "SMP-001", "table", "What is the typical input offset voltage of the ORA217?",
        f"±{ORA217.offset[0]} µV typical (±{ORA217.offset[1]} µV maximum).",
        _spaced(ORA217.offset[0], "µV"), _cell(_A217, "Input offset voltage"),
    ),
    Question(
        "SMP-002", "table", "How much current does the ORC1604 draw in continuous mode at 25°C?",
        f"{ORC1604.supply_ua[0]} µA typical, {ORC1604.supply_ua[1]} µA maximum.",
        _spaced(ORC1604.supply_ua[0], "µA"), _cell(_C16, "Supply current"),
    ),
    Question(
        "SMP-003", "table", "Typical high-side on-resistance of the ORM8236 at 5 V and 25°C?",
        "200 mΩ (V_M = 5 V, I_O = 500 mA, T_J = 25°C).",
        _spaced(200, "mΩ"), _cell(_M, "High-side FET"),
    ),
    Question(
        "SMP-004", "table",
        "At which voltage at the sense pin does the ORM8236 regulate the current?",
        "V_TRIP is 200 mV typical (160 mV to 240 mV).",
        _spaced(200, "mV"), _cell(_M, "xISEN trip voltage"),
    ),
    Question(
        "SMP-005", "table",
        "What is the shortest SCL low period of the ORT112 revision B in fast mode plus?",
        f"{REVISION_B.timing[1].low_ns} ns.",
        _spaced(REVISION_B.timing[1].low_ns, "ns"), (Passage(_TB, "SCL low period"),),
    ),
    Question(
        "SMP-006", "table",
        "How many volts may stand at the VM pin of the ORM8236 at most, absolute maximum?",
        "14.5 V.", _spaced(14.5, "V"), (Passage(_M, "Power supply voltage", "Absolute Maximum"),),
    ),
    Question(
        "SMP-007", "table", "What does the ORC1604's CONFIG register read after reset?",
        f"{ORC1604.config_reset}.", (ORC1604.config_reset, "0x8583"),
        (Passage(_C16, "Register Overview"),),
    ),
)  # fmt: skip

_SIBLING = (
    Question(
        "SMP-010", "sibling", "Slew rate of the ORA218?", f"{ORA218.slew} V/µs.",
        _spaced(ORA218.slew, "V/µs"), _cell(_A218, "Slew rate"),
    ),
    Question(
        "SMP-011", "sibling", "Maximum dropout voltage of the ORL3310 at 1 A?",
        f"{ORL3310.dropout_mv[1]} mV maximum ({ORL3310.dropout_mv[0]} mV typical).",
        _spaced(ORL3310.dropout_mv[1], "mV"), _cell(_L10, "Dropout voltage"),
    ),
    Question(
        "SMP-012", "sibling", "Maximum dropout voltage of the ORL3305 at 500 mA?",
        f"{ORL3305.dropout_mv[1]} mV maximum ({ORL3305.dropout_mv[0]} mV typical).",
        _spaced(ORL3305.dropout_mv[1], "mV"), _cell(_L05, "Dropout voltage"),
    ),
    Question(
        "SMP-013", "sibling", "What is the maximum gain error of the ORC1204?",
        f"±{ORC1204.gain_error[1]}%.", (f"{ORC1204.gain_error[1]}%", f"{ORC1204.gain_error[1]} %"),
        _cell(_C12, "Gain error"),
    ),
    Question(
        "SMP-014", "sibling", "Typical quiescent current per amplifier of the quad ORA4247?",
        "820 nA.", _spaced(820, "nA"), _cell(_A247, "Quiescent current per amplifier"),
    ),
    Question(
        "SMP-015", "sibling",
        "How long does the ORT112 take for a conversion according to revision A?",
        f"{REVISION_A.conversion_ms[0]} ms typical, {REVISION_A.conversion_ms[1]} ms maximum.",
        _spaced(REVISION_A.conversion_ms[0], "ms"), _cell(_TA, "Conversion time"),
    ),
    Question(
        "SMP-016", "sibling",
        "How long does the ORT112 take for a conversion according to revision B?",
        f"{REVISION_B.conversion_ms[0]} ms typical, {REVISION_B.conversion_ms[1]} ms maximum.",
        _spaced(REVISION_B.conversion_ms[0], "ms"), _cell(_TB, "Conversion time"),
    ),
)  # fmt: skip

_FACT = (
    Question(
        "SMP-020", "fact", "At what junction temperature does the ORL3310 shut down?",
        f"{ORL3310.shutdown_c[0]}°C typical, with {ORL3310.shutdown_c[1]}°C of hysteresis.",
        (f"{ORL3310.shutdown_c[0]}°C", f"{ORL3310.shutdown_c[0]} °C"),
        (Passage(_L10, f"At a junction temperature of {ORL3310.shutdown_c[0]}°C"),),
    ),
    Question(
        "SMP-021", "fact",
        "What happens at the nFAULT pin of the ORM8236 during undervoltage lockout?",
        "It is not driven.", ("not driven",), (Passage(_M, "nFAULT is not driven in this state"),),
    ),
    Question(
        "SMP-022", "fact", "How large is the resistor in series with each input of the ORA217?",
        "500 Ω.", _spaced(500, "Ω"), (Passage(_A217, "Each input has a series resistor of 500 Ω"),),
    ),
    Question(
        "SMP-023", "fact", "Which voltage must never be connected to the terminals of the ORB-1?",
        "More than 42 V.", _spaced(42, "V"),
        (Passage(_MANUAL, "Voltages above 42 V must not be connected"),),
    ),
    Question(
        "SMP-024", "fact", "What does error E312 of Bench Studio mean?",
        "Supply overcurrent: the device draws more than 250 mA.",
        ("overcurrent", "250 mA"), (Passage(_MANUAL, "E312"),),
    ),
    Question(
        "SMP-025", "fact", "Which 7-bit address has the ORC1204 with ADDR connected to SDA?",
        "1001010 (4Ah).", ("1001010", "4Ah", "0x4A"),
        (Passage(_C12, "Address Selection by the ADDR Pin", "Programming"),),
    ),
)  # fmt: skip

_COMPARE = (
    Question(
        "SMP-030", "compare",
        "Which draws less ground current without load, the ORL3305 or the ORL3310?",
        f"The ORL3305: {ORL3305.ground_ua[0]} µA against {ORL3310.ground_ua[0]} µA.",
        ("ORL3305",),
        (*_cell(_L05, "Ground pin current"), *_cell(_L10, "Ground pin current")),
        ((f"{ORL3305.ground_ua[0]} µA",), (f"{ORL3310.ground_ua[0]} µA",)),
    ),
    Question(
        "SMP-031", "compare", "Compare the voltage noise density at 1 kHz of ORA217 and ORA218.",
        f"ORA217 {ORA217.noise_nv[1]} nV/√Hz, ORA218 {ORA218.noise_nv[1]} nV/√Hz.",
        (), (*_cell(_A217, "Input voltage noise density"),
             *_cell(_A218, "Input voltage noise density")),
        ((f"{ORA217.noise_nv[1]}",), (f"{ORA218.noise_nv[1]}",)),
    ),
    Question(
        "SMP-032", "compare",
        "What changed in the temperature error of the ORT112 from revision A to B?",
        f"From ±{REVISION_A.near_c[1]}°C (–10°C to 85°C) to ±{REVISION_B.near_c[1]}°C (–20°C to "
        "90°C).",
        (), (Passage(_TB, "Changed maximum temperature error"),),
        ((f"{REVISION_A.near_c[1]}°C",), (f"{REVISION_B.near_c[1]}°C",)),
    ),
    Question(
        "SMP-033", "compare", "Highest data rates of the ORC1204 and the ORC1604?",
        f"{ORC1204.rates[-1]} SPS and {ORC1604.rates[-1]} SPS.",
        (), (*_cell(_C12, "Data rate"), *_cell(_C16, "Data rate")),
        ((f"{ORC1204.rates[-1]}",), (f"{ORC1604.rates[-1]}",)),
    ),
)  # fmt: skip

_PROCEDURE = (
    Question(
        "SMP-040", "procedure", "How do I calibrate the inputs of the ORB-1?",
        "Warm up, Tools > Calibration, zero at GND, span at 5.000 V, check, save to board.",
        ("Calibration",),
        (Passage(_MANUAL, "Let the board warm up for 20 minutes", "Calibrating"),),
        procedure="calibrate",
    ),
    Question(
        "SMP-041", "procedure", "How do I update the firmware of the board?",
        "Tools > Firmware update over USB, then calibrate the inputs.",
        ("Firmware update",), (Passage(_MANUAL, "Download the firmware file", "Updating"),),
        procedure="update",
    ),
    Question(
        "SMP-042", "procedure", "How do I connect a board over USB in Bench Studio?",
        "Insert the device, set J4, connect J1, Board > Connect, select the board.",
        ("Board > Connect", "Ctrl+B"), (Passage(_MANUAL, "Insert a device into the socket"),),
        procedure="connect",
    ),
    Question(
        "SMP-043", "procedure", "How do I start a data log with a trigger?",
        "Log > Settings, file and channels, interval, trigger, Start log.",
        ("Start log",), (Passage(_MANUAL, "Enter the trigger", "Logging"),),
        procedure="trigger",
    ),
)  # fmt: skip

_FIGURE = (
    Question(
        "SMP-050", "figure",
        "Which figure shows the power-supply rejection of the ORL3310 over frequency?",
        "Figure 6-4, Power-Supply Rejection Ratio vs Frequency.",
        ("Figure 6-4", "Power-Supply Rejection Ratio vs Frequency"),
        (Passage(_L10, "Power-Supply Rejection Ratio vs Frequency"),),
    ),
    Question(
        "SMP-051", "figure", "Show the thermal image of the ORM8236 evaluation board.",
        "Figure 8-1, Thermal Image of the Evaluation Board at 2 × 1.4 A RMS.",
        ("Figure 8-1", "Thermal Image"),
        (Passage(_M, "Thermal Image of the Evaluation Board at 2"),),
    ),
    Question(
        "SMP-052", "figure", "Is there an I²C timing diagram for the ORC1604?",
        "Figure 6-1, I²C Timing Diagram.", ("Figure 6-1", "Timing Diagram"),
        (Passage(_C16, "I²C Timing Diagram"),),
    ),
)  # fmt: skip

_STRUCTURE = (
    Question(
        "SMP-060", "structure", "What is in section 8.3 of the ORA217 datasheet?",
        "Feature Description: inputs, phase reversal, capacitive load, thermal protection.",
        ("Feature Description", "Phase-Reversal Protection"),
        (Passage(_A217, "Input Protection and EMI Filter"),),
    ),
    Question(
        "SMP-061", "structure", "What does Table 7-1 of the ORL3305 datasheet list?",
        "The device functional modes.", ("Device Functional Modes", "Dropout mode"),
        (Passage(_L05, "Table 7-1"),),
    ),
)  # fmt: skip

_IMPLICIT = (
    Question(
        "SMP-070", "implicit", "my readings jump around like crazy on the bench board, what now",
        "Lower the data rate, supply through J5, twist the wires; look for a ground loop.",
        ("data rate", "twist"), (Passage(_MANUAL, "Lower the data rate"),),
    ),
    Question(
        "SMP-071", "implicit",
        "The light on the board is still red since I tried to load new firmware.",
        "Use recovery: hold BOOT (S2) while connecting USB, then Tools > Recover board.",
        ("Recover board", "BOOT"), (Passage(_MANUAL, "Hold the BOOT button S2"),),
        procedure="recover",
    ),
    Question(
        "SMP-072", "implicit",
        "I want an op amp that lives for years on a coin cell. What does it need?",
        f"The ORAx247: {ORA247.quiescent[0]} nA typical for each amplifier.",
        ("ORA247", "ORAx247"), (Passage(_A247, "draws less than 1 µA for each amplifier"),),
    ),
)  # fmt: skip

_NOT_FOUND = "Not found in this library."
_NEGATIVE = (
    Question("SMP-080", "negative", "What is the dropout voltage of the ORL3320?", _NOT_FOUND,
             kind="absent"),
    Question("SMP-081", "negative", "Offset voltage of the ORA219?", _NOT_FOUND, kind="absent"),
    Question("SMP-082", "negative", "What does error E999 of Bench Studio mean?", _NOT_FOUND,
             kind="absent"),
    Question("SMP-083", "negative", "What does the ORM8236 cost for 1000 pieces?", _NOT_FOUND,
             kind="unstated"),
    Question("SMP-084", "negative", "Who won the football world cup in 2014?", _NOT_FOUND,
             kind="offtopic"),
)  # fmt: skip

BANK: tuple[Question, ...] = (
    *_TABLE, *_SIBLING, *_FACT, *_COMPARE, *_PROCEDURE, *_FIGURE, *_STRUCTURE, *_IMPLICIT,
    *_NEGATIVE,
)  # fmt: skip

SUGGESTIONS = ("SMP-001", "SMP-011", "SMP-030", "SMP-041", "SMP-024", "SMP-051")
"""One of each kind: a value, a sibling's value, a comparison, steps, a code, a picture."""
