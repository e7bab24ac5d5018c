"""The documents of the library, each with its file name, identity and writer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from sample_library_source import (
    converter_text,
    manual_text,
    motor_text,
    opamp_text,
    regulator_text,
    sensor_text,
)
from sample_library_source.converter_data import ORC1204, ORC1604
from sample_library_source.house import register_fonts
from sample_library_source.opamp_data import ORA217, ORA218, ORA247
from sample_library_source.publish import publish
from sample_library_source.questions import Published, write_questions
from sample_library_source.regulator_data import ORL3305, ORL3310
from sample_library_source.sensor_data import REVISION_A, REVISION_B
from sample_library_source.sheet import Identity, Sheet

Writer = Callable[[Sheet], None]


def documents() -> tuple[tuple[str, Identity, Writer], ...]:
    """All documents in the order of their file names."""
    amplifiers = [
        (f"ORLUNDA_{part.part}.pdf", part.identity, partial(opamp_text.write, part=part))
        for part in (ORA217, ORA218, ORA247)
    ]
    regulators = [
        (f"ORLUNDA_{part.part}.pdf", part.identity, partial(regulator_text.write, part=part))
        for part in (ORL3305, ORL3310)
    ]
    converters = [
        (f"ORLUNDA_{part.part}.pdf", part.identity, partial(converter_text.write, part=part))
        for part in (ORC1204, ORC1604)
    ]
    sensors = [
        (f"ORLUNDA_ORT112_Rev{part.revision}.pdf", part.identity,
         partial(sensor_text.write, part=part))
        for part in (REVISION_A, REVISION_B)
    ]  # fmt: skip
    motor = ("ORLUNDA_ORM8236.pdf", motor_text.IDENTITY, motor_text.write)
    manual = ("ORLUNDA_ORB-1_Users_Manual.pdf", manual_text.IDENTITY, manual_text.write)
    return (*amplifiers, manual, *converters, *regulators, motor, *sensors)


def write_library(folder: Path) -> Iterator[Path]:
    """Write every document and the questions; yield each path when it is written."""
    register_fonts()
    published: dict[str, Published] = {}
    for name, identity, write in documents():
        path = folder / name
        published[name] = Published.read(publish(path, identity, write), path)
        yield path
    yield from write_questions(folder, published)
