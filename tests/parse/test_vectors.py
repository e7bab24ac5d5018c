"""Lines of a bitmap, told from letters, bars and shaded areas."""

from __future__ import annotations

import numpy as np

from desktop_qa.parse.vectors import DPI, find_rules

PX = DPI / 72
"""Pixels in a point."""


def _page() -> np.ndarray:
    return np.full((400, 500), 255, dtype=np.uint8)


def test_thin_lines_across_and_upright_are_found_where_they_stand():
    ink = _page()
    ink[100, 50:450] = 0
    ink[60:300, 200:202] = 60
    rules = list(find_rules(ink))
    (across,) = {(r.start, r.end) for r in rules if r.horizontal}
    assert across == (50 / PX, 450 / PX)
    assert {round(r.position * PX) for r in rules if not r.horizontal} <= {200, 201, 202}


def test_letters_and_areas_of_ink_are_no_lines():
    ink = _page()
    ink[100:110, 50:60] = 0
    ink[200:300, 100:400] = 0
    assert list(find_rules(ink)) == []


def test_line_goes_on_where_another_crosses_it():
    ink = _page()
    ink[100, 50:450] = 0
    ink[50:150, 250] = 0
    assert {r.horizontal for r in find_rules(ink)} == {True, False}
    across = [r for r in find_rules(ink) if r.horizontal]
    assert [round((r.end - r.start) * PX) for r in across] == [400]
