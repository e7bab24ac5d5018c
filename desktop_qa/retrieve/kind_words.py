"""What kinds of part are called in titles and in questions: "op amp", "operational amplifier"."""

from __future__ import annotations

import re
from functools import lru_cache

from desktop_qa.index.terms import terms_of

_SAME: tuple[tuple[str, str], ...] = (
    (r"op[- ]?amps?|operational\s+amplifiers?|运算放大器", "op amp opamp operational amplifier"),
    (r"a/d\s+converters?|adcs?|analog[- ]to[- ]digital\s+converters?|模数转换器",
     "adc analog to digital converter"),
    (r"d/a\s+converters?|dacs?|digital[- ]to[- ]analog\s+converters?|数模转换器",
     "dac digital to analog converter"),
    (r"ldos?|low[- ]drop-?out(?:\s+\w+)*\s+regulators?|低压降稳压器",
     "ldo low dropout linear voltage regulator"),
    (r"rtcs?|real[- ]time\s+clocks?|实时时钟", "rtc real time clock"),
    (r"step[- ]down|buck|降压", "step down buck converter regulator"),
    (r"step[- ]up|boost|升压", "step up boost converter regulator"),
    (r"imus?|6-axis|inertial", "imu inertial sensor accelerometer gyroscope"),
    (r"h[- ]bridge|电机驱动器|motor\s+drivers?", "motor driver h bridge"),
    (r"温度传感器", "temperature sensor"),
    (r"环境光传感器", "ambient light sensor"),
    (r"压力传感器", "pressure sensor"),
    (r"霍尔", "hall effect sensor"),
    (r"充电器", "charger"),
    (r"收发器", "transceiver"),
    (r"比较器", "comparator"),
    (r"稳压器", "voltage regulator"),
    (r"电池", "battery"),
    (r"双路", "dual"),
    (r"四路", "quad"),
    (r"数字", "digital"),
    (r"线性", "linear"),
    (r"精密", "precision"),
    (r"低功耗", "low power"),
)  # fmt: skip
"""A kind as titles print it, and all the words that a person may use for it."""

_PATTERNS = tuple(
    (re.compile(rf"(?<![A-Za-z])(?:{pattern})(?![A-Za-z])", re.IGNORECASE), words)
    for pattern, words in _SAME
)
ONE_WORD_KINDS = frozenset(
    term
    for word in (
        "adc", "dac", "ldo", "rtc", "imu", "opamp", "eeprom", "accelerometer", "magnetometer",
        "gyroscope", "microphone", "transceiver", "isolator", "comparator", "potentiometer",
        "multiplexer", "charger", "e-compass", "barometer",
    )
    for term in terms_of(word)
)  # fmt: skip
"""Words that name a kind of part by themselves."""


@lru_cache(maxsize=16384)
def kind_terms(title: str) -> frozenset[str]:
    """Return the terms of a title with those that its kind of part is called by as well."""
    found = set(terms_of(title))
    for pattern, words in _PATTERNS:
        if pattern.search(title):
            found.update(terms_of(words))
    return frozenset(found)
