"""What answers promise of themselves, against what came true."""

from xml.etree import ElementTree

import pytest

from desktop_qa.evaluate.metrics import calibration_error, reliability_svg, risk_coverage


def test_the_calibration_error_is_the_mean_distance_of_promise_and_share():
    assert calibration_error([], []) is None
    assert calibration_error([0.95] * 10, [True] * 10) == pytest.approx(0.05)
    assert calibration_error([0.9, 0.9, 0.1, 0.1], [True, False, False, False]) == pytest.approx(
        (0.8 + 0.2) / 4
    )


def test_the_curve_of_risk_tells_how_many_of_the_surest_are_wrong():
    assert risk_coverage([], []) == ()
    curve = risk_coverage([0.1, 0.9, 0.5, 0.7], [False, True, False, True])
    assert curve[-1] == (1.0, 0.5)
    assert dict(curve)[0.5] == 0.0
    assert dict(curve)[0.75] == pytest.approx(1 / 3)


def test_the_diagram_has_a_point_for_each_promise_that_was_made():
    drawn = ElementTree.fromstring(reliability_svg([0.95, 0.95, 0.2], [True, False, False]))
    points = drawn.findall(".//{http://www.w3.org/2000/svg}circle")
    assert len(points) == 2
