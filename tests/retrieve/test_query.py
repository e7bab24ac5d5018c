from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.directory import Directory, DocumentEntry
from desktop_qa.retrieve.query import build_query

DIRECTORY = Directory(
    (
        DocumentEntry(DocumentId("a"), ("OPA197", "OPA2197", "OPA4197")),
        DocumentEntry(DocumentId("b"), ("DRV8833",)),
        DocumentEntry(DocumentId("c"), ("DRV8833C",)),
    ),
    frozenset({"opa4197", "drv8833", "drv8833c", "bat54"}),
)


def test_a_part_that_is_only_mentioned_is_not_absent():
    assert build_query("Which diode replaces the BAT54?", DIRECTORY).absent == ()


def test_values_of_a_question_are_read():
    assert build_query("supply current at half an amp", DIRECTORY).values == ("0.5a",)


def test_several_documents_are_kept_in_the_order_of_the_question():
    query = build_query("Compare the DRV8833C and the OPA197", DIRECTORY)
    assert query.document_ids == ("c", "a")


def test_options_are_no_part_of_what_is_searched_and_name_no_document():
    query = build_query("Which op amp is quieter? A) OPA197 B) DRV8833", DIRECTORY)
    assert query.options == (("A", "OPA197"), ("B", "DRV8833"))
    assert query.document_ids == ()
    assert query.reformulated == "Which op amp is quieter"


def test_task_words_codes_and_numbers_of_places_are_not_searched():
    query = build_query("Summarise the slew rate rules on page 5 of the OPA197.", DIRECTORY)
    assert query.reformulated == "the slew rate rules on"
    assert build_query("What is on page 5?", DIRECTORY).reformulated == "What is on page 5?"


def test_a_comparison_is_one_question():
    query = build_query("Compare the offset of the OPA197 and the DRV8833C", DIRECTORY)
    assert query.parts == ()
    assert len(query.document_ids) == 2


def test_a_document_is_named_by_its_file():
    entries = (
        DocumentEntry(DocumentId("a"), ("ORT112",), files=("ORT112_RevA.pdf",)),
        DocumentEntry(DocumentId("b"), ("ORT112",), files=("ORT112_RevB.pdf",)),
    )
    directory = Directory(entries, frozenset({"ort112"}))
    assert build_query("Pages of ORT112_RevB.pdf?", directory).document_ids == ("b",)
    assert build_query("Pages of the ORT112?", directory).document_ids == ("a", "b")


def test_a_place_is_asked_of_a_document_by_its_title_or_its_short_code():
    entries = (
        DocumentEntry(DocumentId("a"), ("ORB-1",), "ORB-1 Bench Studio User's Manual"),
        DocumentEntry(DocumentId("b"), ("QTD7200",), "QTD7200 Time-to-Digital Converter"),
        DocumentEntry(DocumentId("c"), ("QRX7001",), "QRX7001 Low-Noise Digital Converter"),
    )
    directory = Directory(entries)
    for question, named in (
        ("List the sections of the ORB-1 manual", ("a",)),
        ("What is in section 4 of the time-to-digital converter datasheet?", ("b",)),
        ("What is in section 4 of the digital converter datasheet?", ()),
        ("What is on page 5?", ()),
        ("How fast is the time-to-digital converter?", ("b",)),
        ("How fast is the digital converter?", ()),
    ):
        assert build_query(question, directory).document_ids == named, question
    assert build_query("What is on page 5?", directory, ("c",)).document_ids == ("c",)
