from desktop_qa.core.folding import fold, fold_for_matching


def test_case_space_and_markdown_marks_do_not_count():
    assert fold("**Supply  Current** | `VDD_IO`") == "supplycurrentvddio"


def test_dashes_and_minus_signs_are_one():
    assert fold("–40 °C") == fold("−40 °C") == fold("-40°C")


def test_micro_sign_and_greek_mu_are_one():
    assert fold("25 µA") == fold("25 μA")


def test_hyphenation_at_a_line_end_is_undone():
    assert fold("tempera-\nture") == "temperature"


def test_a_hyphen_before_a_capital_at_a_line_end_stays():
    assert fold("I2C-\nBus") == "i2c-bus"


def test_matching_ignores_dashes_altogether():
    assert fold_for_matching("low-drop-out") == fold_for_matching("low-drop- out")
