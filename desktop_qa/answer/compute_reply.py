"""How a calculation is shown: the formula with its numbers, the result, then each input cited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from desktop_qa.answer.compute_inputs import BOUND_NAMES, Reading
from desktop_qa.answer.conditions import differing_conditions
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement

_MAX_INPUTS = 6
_NAMED = 0.99


def calculated(
    task: AnswerTask,
    equation: Sequence[str],
    inputs: Sequence[Reading],
    notes: Sequence[str] = (),
) -> Reply:
    """Return the reply of a calculation.

    Args:
        task: The question.
        equation: Its sides: what is computed, with names, with numbers; the result last.
        inputs: What it was made of, in the order of the equation.
        notes: Sentences on what is missing, assumed or different.
    """
    cited = [reading.statement for reading in inputs if reading.statement is not None]
    given = [reading for reading in inputs if reading.statement is None]
    remarks = [*notes, *_remarks(inputs)]
    sides = (*equation[:-1], f"**{equation[-1]}**")
    text = f"{' = '.join(sides)}."
    if cited and given:
        named = dict.fromkeys(str(r.measure) for r in given)
        verb = "comes" if len(named) == 1 else "come"
        text += f" {' and '.join(named)} {verb} from the question."
    text = " ".join((text, *dict.fromkeys(remarks)))
    if not cited:
        return Reply(text, equation=sides, is_sure=True)
    main = Statement(
        text, cited[0].evidence, (), (), max(s.coverage for s in cited), 1.0,
        rests_on=tuple(cited), equation=sides,
    )  # fmt: skip
    listed = list(dict.fromkeys(cited))[:_MAX_INPUTS]
    return Reply(statements=(main, *listed), is_sure=_is_sure(task, inputs))


def _is_sure(task: AnswerTask, inputs: Sequence[Reading]) -> bool:
    """Tell whether the question names each input, and the document that each is read from."""
    named = set(task.query.document_ids)
    return all(
        r.statement is None
        or (r.named >= _NAMED and r.statement.evidence.segment.document_id in named)
        for r in inputs
    )


def missing(sentence: str, inputs: Sequence[Reading]) -> Reply | None:
    """Say what a calculation lacks, with the inputs that were found; None when none was."""
    cited = [reading.statement for reading in inputs if reading.statement is not None]
    if not cited:
        return None
    main = Statement(
        sentence, cited[0].evidence, (), (), max(s.coverage for s in cited), 1.0,
        rests_on=tuple(cited),
    )  # fmt: skip
    return Reply(statements=(main, *dict.fromkeys(cited)))


def _remarks(inputs: Sequence[Reading]) -> list[str]:
    """Say which inputs are not the bound asked for, and which hold under other conditions."""
    remarks = [
        f"No other value of the {r.name} is given than its {BOUND_NAMES[r.bound]}."
        for r in inputs
        if r.bound is not None and not r.is_as_asked
    ]
    for one, other in combinations([r for r in inputs if r.statement is not None], 2):
        different = differing_conditions(one.condition, other.condition)
        if different:
            remarks.append(
                f"Note that the two values hold under different conditions: {'; '.join(different)}."
            )
    return remarks


def in_words(symbols: Mapping[str, Reading]) -> str:
    """Name the symbols of a formula: "V is the maximum dropout voltage"."""
    named = [
        f"{symbol} is the {reading.described}"
        for symbol, reading in symbols.items()
        if reading.statement is not None
    ]
    return "; ".join(named)
