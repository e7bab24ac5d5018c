"""Writes TOML as `tomllib` reads it, which cannot write."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator, Mapping
from typing import Any


def toml_text(content: Mapping[str, Any]) -> str:
    """Return a document: values first, then tables and arrays of tables, deeper ones in line.

    Args:
        content: As `tomllib.loads` returns it.
    """
    return "\n".join(_lines(content)) + "\n"


def _lines(content: Mapping[str, Any]) -> Iterator[str]:
    tables = {
        name: value
        for name, value in content.items()
        if isinstance(value, Mapping) or (_is_array_of_tables(value))
    }
    for name, value in content.items():
        if name not in tables:
            yield f"{_text(name)} = {_value(value)}"
    for name, value in tables.items():
        is_array = isinstance(value, list)
        for table in value if is_array else [value]:
            yield f"\n[[{_text(name)}]]" if is_array else f"\n[{_text(name)}]"
            for key, inner in table.items():
                yield f"{_text(key)} = {_value(inner)}"


def _is_array_of_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, Mapping) for v in value)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        pairs = (f"{_text(key)} = {_value(inner)}" for key, inner in value.items())
        return f"{{ {', '.join(pairs)} }}" if value else "{}"
    return _text(str(value))


def _text(text: str) -> str:
    # The escapes of JSON are those of TOML, which wants one more.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
