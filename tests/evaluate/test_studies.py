from dataclasses import replace

import pytest

from desktop_qa.core.errors import QuestionError
from desktop_qa.evaluate.ablation import STUDIES, WEIGHTS, study_variants
from desktop_qa.settings import RetrievalSettings, Settings


@pytest.mark.parametrize("name", STUDIES)
def test_study_begins_with_the_program_as_it_is_and_changes_one_thing(name):
    own = Settings()
    first, *others = study_variants(name, own)
    assert first.settings(own) == own
    assert first.cutting.max_tokens == max(v.cutting.max_tokens for v in (first, *others))
    seen = {(v.cutting, v.settings(own)) for v in (first, *others)}
    assert len(seen) == 1 + len(others)
    for variant in others:
        changed = variant.settings(own)
        if name == "source":
            changed = replace(changed, sources=own.sources)
        elif name != "size":
            shipped = {name: getattr(own.retrieval, name)}
            changed = replace(changed, retrieval=replace(changed.retrieval, **shipped))
        assert changed == own


def test_value_that_is_set_already_is_measured_once():
    settings = Settings(retrieval=RetrievalSettings(alpha=0.3))
    variants = study_variants("alpha", settings)
    assert variants[0].name == "alpha 0.3 (shipped)"
    assert len(variants) == len(WEIGHTS["alpha"])


def test_unknown_study_is_refused_with_the_known_ones():
    with pytest.raises(QuestionError, match="alpha, beta, source, document, size"):
        study_variants("gamma", Settings())
