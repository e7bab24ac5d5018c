"""One parameter at a time, as the tables of hybrid-retrieval (Tables 1 to 3) study theirs."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_qa.core.errors import QuestionError
from desktop_qa.evaluate.variant_library import Cutting
from desktop_qa.evaluate.variants import Variant
from desktop_qa.settings import Settings

WEIGHTS: Mapping[str, tuple[float, ...]] = {
    "alpha": tuple(n / 10 for n in range(11)),
    "beta": (0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 2.0),
    "source": (0.0, 0.1, 0.3, 0.6, 1.0),
    "document": (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0, 1.5),
}
"""Values by setting; those of the source boost are hybrid-retrieval's (Table 3)."""

SIZES = (100, 150, 200, 254)
"""Tokens of what is embedded, context line included; the last is all that the model reads."""

STUDIES = (*WEIGHTS, "size")


def study_variants(name: str, settings: Settings) -> tuple[Variant, ...]:
    """Return the program as it is, then with each value of a parameter.

    Args:
        name: Of `STUDIES`.
        settings: The user's; a value that is set already is not measured twice.

    Raises:
        QuestionError: When there is no study of this name.
    """
    if name == "size":
        smaller = [size for size in SIZES if size != Cutting().max_tokens]
        return (
            Variant("full", f"size {Cutting().max_tokens} (shipped)"),
            *(Variant(f"size-{n}", f"size {n}", Cutting(max_tokens=n)) for n in smaller),
        )
    if name not in WEIGHTS:
        raise QuestionError(f"There is no study {name}.", f"Studies are {', '.join(STUDIES)}.")
    is_source = name == "source"
    shipped = settings.sources.boost if is_source else float(getattr(settings.retrieval, name))
    return (
        Variant("full", f"{name} {shipped:g} (shipped)"),
        *(
            Variant(
                f"{name}-{value:g}",
                f"{name} {value:g}",
                weights={} if is_source else {name: value},
                source_boost=value if is_source else None,
            )
            for value in WEIGHTS[name]
            if value != shipped
        ),
    )
