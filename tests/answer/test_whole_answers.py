"""Procedures, lists, summaries and kinds, from a document of our own through the whole library."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest

from desktop_qa.core.answer import Answer, AnswerStatus
from desktop_qa.core.question import Question
from desktop_qa.library.facade import Library
from tests.helpers.citation_oracle import check_citation
from tests.helpers.libraries import open_library
from tests.helpers.pdf import PdfWriter

pytestmark = pytest.mark.process

STEPS = (
    "Connect the supply to the QRX7001 board.",
    "Press the calibration button for two seconds.",
    "Wait until the status lamp is green.",
    "Write the offset value to register 0x1E.",
    "Remove the supply from the board.",
)


def write_manual(path: Path) -> None:
    writer = PdfWriter(running_footer="Acme")
    writer.title("QRX7001 Pressure Sensor")
    writer.heading("1 Features")
    writer.list_items(["Range up to 10 bar", "Low noise", "Small package"], numbered=False)
    writer.heading("2 Description")
    writer.paragraph("The QRX7001 is a digital pressure sensor for industrial pumps.")
    writer.heading("3 Operating Modes")
    writer.paragraph("The four operating modes of the QRX7001 are idle, active, burst and sleep.")
    writer.heading("4 Calibration")
    writer.paragraph("The offset drifts with age. To calibrate the sensor, do the following:")
    writer.y = writer.height - writer.margin - 40  # the list runs over the end of the page
    writer.list_items(STEPS)
    writer.heading("5 Power Supply")
    writer.heading("5.1 Startup", 2)
    writer.paragraph("After power on the sensor loads its coefficients by itself. It is then idle.")
    writer.heading("5.2 Shutdown", 2)
    writer.paragraph("The sensor keeps its coefficients when the supply is removed.")
    writer.heading("6 Ordering Information")
    writer.ruled_table(
        [
            ["Order code", "Temperature range", "Package"],
            ["QRX7001A", "-40 to 125", "LGA"],
            ["QRX7001B", "-40 to 85", "LGA"],
            ["QRX7001C", "-40 to 125", "QFN"],
        ],
        caption="Table 1. Order codes",
    )
    writer.save(path)


@pytest.fixture(scope="module")
def library(tmp_path_factory, model) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("manuals")
    write_manual(folder / "QRX7001.pdf")
    embedder = Mock(wraps=model, close=Mock())
    with open_library(tmp_path_factory.mktemp("library"), folder, embedder=embedder) as opened:
        yield opened


def lines_of(answer: Answer) -> list[str]:
    assert answer.status is AnswerStatus.ANSWERED, answer.text
    return [line.rsplit(" [", 1)[0] for line in answer.text.splitlines() if line.strip()]


def test_steps_come_whole_and_in_order_over_the_end_of_a_page(library):
    answer = library.ask(Question("How do I calibrate the sensor QRX7001?"))
    lines = lines_of(answer)
    steps = [line for line in lines if line[0].isdigit()]
    assert steps == [f"{number}. {step}" for number, step in enumerate(STEPS, start=1)]
    pages = {place.page_no for citation in answer.citations for place in citation.places}
    assert len(pages) == 2


def test_every_line_of_a_procedure_stands_under_its_citation(library):
    answer = library.ask(Question("How do I calibrate the sensor QRX7001?"))
    for citation in answer.citations:
        check = check_citation(Path(library.path_of(citation.document_id)), citation)
        assert check.is_right, check


def test_features_are_not_given_for_a_how_to(library):
    answer = library.ask(Question("How do I mount the QRX7001 on a wall?"))
    assert "Low noise" not in answer.text


def test_an_enumeration_is_quoted_whole(library):
    lines = lines_of(library.ask(Question("List all four operating modes of the QRX7001")))
    (line,) = (line for line in lines if line != "Most likely:")
    assert line.endswith("are idle, active, burst and sleep.")


def test_a_list_is_given_whole(library):
    answer = library.ask(Question("List the features of the QRX7001"))
    lines = lines_of(answer)
    assert lines[-3:] == ["- Range up to 10 bar", "- Low noise", "- Small package"]


def test_rows_that_fit_are_listed_with_their_table(library):
    answer = library.ask(
        Question("List all order codes of the QRX7001 for a temperature of 125 °C")
    )
    assert "QRX7001A" in answer.text
    assert "QRX7001C" in answer.text
    assert [table.use for table in answer.tables] == ["rows"]


def test_a_summary_quotes_each_sub_section_under_its_title(library):
    answer = library.ask(Question("Summarize section 5 of the QRX7001 datasheet"))
    text = "\n".join(lines_of(answer))
    assert "**5.1 Startup**: After power on the sensor loads its coefficients" in text
    assert "**5.2 Shutdown**: The sensor keeps its coefficients" in text


def test_a_rewritten_section_says_that_it_is_quoted(library):
    lines = lines_of(
        library.ask(Question("Please rewrite section 5.1 of the QRX7001 as a numbered list"))
    )
    assert "quoted, not reworded" in lines[0]
    assert lines[1].startswith("1. After power on")
    assert lines[2].startswith("2. It is then idle.")
