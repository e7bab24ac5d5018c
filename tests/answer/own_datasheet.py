"""A small made-up datasheet with tables and prose at known places, to be asked about."""

from __future__ import annotations

import math

from desktop_qa.answer.citing import cited_answer
from desktop_qa.answer.reply import AnswerTask, Reply
from desktop_qa.answer.statement import Statement
from desktop_qa.core.answer import Answer, Query, QuestionType, Route
from desktop_qa.index.terms import terms_of
from desktop_qa.retrieve.question_kinds import kind_model
from desktop_qa.retrieve.question_type import question_type
from desktop_qa.retrieve.structure_refs import find_structure_refs
from desktop_qa.retrieve.task_words import split_options
from tests.helpers.meanings import WordMeaning
from tests.helpers.tables import Sheet, Sheets, as_evidence, task_over


def task_of(question: str, *sheets: Sheet, kind: QuestionType | None = None) -> AnswerTask:
    """Ask with all segments as evidence, those that share most words with the question first."""
    source = Sheets(*sheets)
    choice = split_options(question)
    refs = find_structure_refs(choice.stem)
    named = {sheet.name: sheet.id for sheet in sheets if sheet.name in question}
    documents = tuple(named[name] for name in sorted(named, key=question.find))
    query = Query(
        text=question,
        type=kind
        or question_type(
            question, kind_model().scores(choice.stem), refs, choice, n_documents=len(documents)
        ),
        options=choice.options,
        document_ids=documents,
        structure_refs=refs,
        keywords=tuple(name.casefold() for name in named),
    )
    found = [item.segment for item in source.evidence()]
    found.sort(key=lambda s: -_cosine(question, s.lexical_text))
    # Of a document that is named the first segment has some 2.
    evidence = as_evidence(found, 2.0, Route.STRUCTURE if refs else Route.VECTOR)
    return task_over(query, source, evidence, WordMeaning())


def _cosine(one: str, other: str) -> float:
    """A cosine of bags of words, in place of the model's."""
    a, b = set(terms_of(one)), set(terms_of(other))
    return len(a & b) / math.sqrt(len(a) * len(b)) if a and b else 0.0


def shown(task: AnswerTask, reply: Reply | None) -> Answer:
    """Cite a reply, which must be there."""
    assert reply is not None
    return cited_answer(task.query, reply, task.evidence)


BRACKETED = "Set CTRL[1] and V[2] as told in [1] there."


def bracketed_answer() -> Answer:
    """An answer that cites words with brackets of their own, like those of markers."""
    task = task_of("How is CTRL[1] set?", Sheet("AB100").add_text(BRACKETED, "Control"))
    (item,) = task.evidence
    words = tuple(task.source.words(item.segment))
    return shown(task, Reply("Of CTRL[1]:", (Statement(BRACKETED, item, (words,), (), 1.0, 1.0),)))


HEADER = ("PARAMETER", "TEST CONDITIONS", "MIN", "TYP", "MAX", "UNIT")


def regulator(name: str = "QRX7001", *, dropout: tuple[str, str] = ("95", "180")) -> Sheet:
    """Return a datasheet of a voltage regulator with what most questions need."""
    return (
        Sheet(name)
        .add_table(
            (
                HEADER,
                ("Dropout voltage", "IOUT = 500 mA, VOUT ≥ 3.3 V", "", *dropout, "mV"),
                ("Quiescent current in normal mode", "TA = 25 °C", "", "30", "55", "µA"),
                ("Quiescent current in sleep mode", "TA = 25 °C", "", "2", "4", "µA"),
                ("Reference voltage", "", "0.78", "0.8", "0.82", "V"),
                ("Leakage current", "", "", "0", "", "µA"),
                ("Start-up delay", "", "", "120", "", "µs"),
            ),
            "6.5 Electrical Characteristics",
        )
        .add_table(
            (
                ("THERMAL METRIC", "SOT-23", "UNIT"),
                ("Junction-to-ambient thermal resistance", "200", "°C/W"),
            ),
            "6.4 Thermal Information",
        )
        .add_text(
            "A capacitor on the SS pin sets the soft-start time.\n"
            "The internal current source is 2 µA.\n"
            "Use Equation 1 to calculate the soft-start time.\n"
            "TSS = CSS × VREF / ISS (1)",
            "7.3 Soft Start",
        )
    )
