from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.query import (
    Directory,
    DocumentEntry,
    build_query,
    document_codes,
    question_type,
)

DIRECTORY = Directory(
    (
        DocumentEntry(DocumentId("a"), ("OPA197", "OPA2197", "OPA4197")),
        DocumentEntry(DocumentId("b"), ("DRV8833",)),
        DocumentEntry(DocumentId("c"), ("DRV8833C",)),
    ),
    frozenset({"opa4197", "drv8833", "drv8833c", "bat54"}),
)


def test_a_part_is_named_however_it_is_spelled():
    for spelling in ("OPA4197", "opa 4197", "OPA-4197"):
        query = build_query(f"Offset voltage of the {spelling}?", DIRECTORY)
        assert query.document_ids == ("a",), spelling
        assert query.absent == ()


def test_a_near_part_is_not_the_part():
    assert build_query("Current of the DRV8833C?", DIRECTORY).document_ids == ("c",)
    query = build_query("Dropout of the OPA4198?", DIRECTORY)
    assert query.document_ids == ()
    assert [code.upper() for code in query.absent] == ["OPA4198"]


def test_a_part_that_is_only_mentioned_is_not_absent():
    assert build_query("Which diode replaces the BAT54?", DIRECTORY).absent == ()


def test_several_documents_are_kept_in_the_order_of_the_question():
    query = build_query("Compare the DRV8833C and the OPA197", DIRECTORY)
    assert query.document_ids == ("c", "a")


def test_questions_have_a_type():
    assert question_type("How do I calibrate the sensor?") == "procedure"
    assert question_type("Which figure shows the termination?") == "figure"
    assert question_type("What is on page 22 of the OPT3007?") == "structure"
    assert question_type("OPT3001 versus OPT3007 accuracy") == "compare"
    assert question_type("What is the supply current?") == "fact"


def test_codes_come_from_the_pages_and_from_file_names():
    assert document_codes(("OPA197",), ("sub/TI_OPA4197.pdf",)) == ("OPA197", "OPA4197")
