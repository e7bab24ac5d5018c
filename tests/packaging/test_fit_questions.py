"""The model that questions are embedded by: where it starts, and that it learns."""

import numpy as np
from safetensors.numpy import load_file

from desktop_qa.paths import asset

SCRIPT = "fit_questions"


def test_fitting_brings_a_question_to_the_segment_that_answers(script, monkeypatch):
    import torch  # not above: another test has to see that the program never imports it

    monkeypatch.setattr(script, "QUESTIONS_A_STEP", 2)
    model = script.QuestionEncoder()
    shipped = load_file(asset("resources/models/questions.safetensors"))
    shapes = {name: values.shape for name, values in model.differences().items()}
    assert {name: values.shape for name, values in shipped.items()} == shapes
    with torch.no_grad():
        vectors = model(["Continuous drain current: max 9.4 A", "Pins", "Weight: 1 g"])
        asked = "How many amps can it switch?"
        before = (model([asked]) @ vectors.T)[0]
        lesson = script.Lesson(asked, False, np.array([2]), np.array([0, 1, 2]))
        torch.set_grad_enabled(True)
        script.fit(model, [lesson] * 4, vectors, goes_on=False)
        after = (model([asked]) @ vectors.T)[0]
    assert after[2] - after[0] > before[2] - before[0]


def test_the_mean_of_two_fits_halves_what_one_of_them_changes(script):
    shipped = load_file(asset("resources/models/questions.safetensors"))
    nothing = {name: np.zeros_like(values) for name, values in shipped.items()}
    mean = script.mean_of(shipped, nothing)
    assert {name: values.shape for name, values in mean.items()} == {
        name: values.shape for name, values in shipped.items()
    }
    first = next(name for name in shipped if name.endswith(".a")).removesuffix(".a")
    whole, half = (one[f"{first}.b"] @ one[f"{first}.a"] for one in (shipped, mean))
    np.testing.assert_allclose(half, whole / 2, atol=1e-3)
