"""Answers and tables for the clipboard: plain functions, no window needed."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_qa.answer_export.content import ExportedCell, ExportedTable, Run
from desktop_qa.answer_export.gathering import gather, question_of
from desktop_qa.answer_export.html_form import as_fragment
from desktop_qa.answer_export.markdown_form import as_note_list, table_lines
from desktop_qa.core.answer_table import AnswerTable
from desktop_qa.core.document import Table
from desktop_qa.core.view import AnswerView, PastQuestion


@dataclass(frozen=True, slots=True)
class Copied:
    """The same content for programs that take plain text and for those that take HTML."""

    text: str
    html: str = ""


def copied_answer(answer: AnswerView | PastQuestion) -> Copied:
    """Return an answer with its citations, as Markdown and as HTML."""
    question = answer if isinstance(answer, PastQuestion) else question_of(answer)
    answers = gather((question,), "")
    return Copied(as_note_list(answers), as_fragment(answers))


def table_as_tsv(table: AnswerTable | Table) -> str:
    """Return a table with a tab between cells and a line for each row, as spreadsheets take it."""
    exported = _exported(table)
    rows = [list(exported.headers)] if exported.headers else []
    rows += [[cell.text for cell in row] for row in exported.rows]
    return "\n".join("\t".join(" ".join(text.split()) for text in row) for row in rows) + "\n"


def table_as_markdown(table: AnswerTable | Table) -> str:
    """Return a table as Markdown, without citations."""
    exported = _exported(table)
    title = "".join(run.text for run in exported.title)
    head = f"**{title}**\n\n" if title else ""
    return head + "\n".join(table_lines(exported, with_notes=False)) + "\n"


def _exported(table: AnswerTable | Table) -> ExportedTable:
    if isinstance(table, AnswerTable):
        rows = tuple(tuple(ExportedCell((Run(c.text),)) for c in row) for row in table.rows)
        title = (Run(table.title),) if table.title else ()
        return ExportedTable(title, table.headers, rows)
    return _of_document(table)


def _of_document(table: Table) -> ExportedTable:
    """A document's table: header rows joined into one, a cell over several repeated in each."""
    grid = [[""] * table.n_columns for _ in range(table.n_rows)]
    is_header = [False] * table.n_rows
    for cell in table.cells:
        for row in range(cell.row, min(cell.row + cell.row_span, table.n_rows)):
            for column in range(cell.column, min(cell.column + cell.column_span, table.n_columns)):
                grid[row][column] = cell.text
            is_header[row] = is_header[row] or cell.is_header
    n_headers = next((i for i, header in enumerate(is_header) if not header), table.n_rows)
    columns = zip(*grid[:n_headers], strict=True) if n_headers else ()
    headers = tuple(" / ".join(dict.fromkeys(filter(None, column))) for column in columns)
    body = tuple(tuple(ExportedCell((Run(t),)) for t in row) for row in grid[n_headers:])
    title = " ".join(filter(None, (table.label, table.caption)))
    return ExportedTable((Run(title),) if title else (), headers, body)
