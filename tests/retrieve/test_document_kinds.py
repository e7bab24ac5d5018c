import pytest

from desktop_qa.retrieve.document_kinds import document_kind, kinds_asked


@pytest.mark.parametrize(
    ("title", "file", "headings", "kind"),
    [
        ("ORA217 Operational Amplifier", "ORA217.pdf",
         ("Absolute Maximum Ratings", "Electrical Characteristics"), "datasheet"),
        ("ORT112 Product Specification", "x.pdf", (), "datasheet"),
        ("AN-17 Application Note: Grounding", "an17.pdf", ("Installation",), "application note"),
        ("Bench Studio User's Guide", "BS.pdf", ("Electrical Characteristics",), "manual"),
        ("Linkspace", "linkspace_user_manual.pdf", (), "manual"),
        ("ACME Inc. 10-K 2020", "ACME.pdf", ("Risk Factors", "Installation"), "report"),
        ("", "x.pdf", ("Getting Started", "Troubleshooting"), "manual"),
        ("A walk in the park", "walk.pdf", ("The gate", "The pond"), ""),
    ],
)  # fmt: skip
def test_a_document_is_what_it_calls_itself_or_what_its_headings_are(title, file, headings, kind):
    assert document_kind(title, file, headings) == kind


def test_a_document_about_a_part_that_says_nothing_else_is_its_datasheet():
    assert document_kind("ORT112", "ORT112.pdf", (), is_of_part=True) == "datasheet"
    assert document_kind("ORB-1 Manual", "ORB-1.pdf", (), is_of_part=True) == "manual"


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Which manuals explain how to reset the password?", ("manual",)),
        ("What is said about grounding in the application notes?", ("application note",)),
        ("Do any of the annual reports or manuals mention it?", ("manual", "report")),
        ("What is in the manual?", ()),
        ("How often does the sensor report a fault?", ()),
        ("What does the driver do when the sensor reports a fault?", ()),
    ],
)
def test_several_documents_of_a_kind_are_asked_for(question, kinds):
    assert kinds_asked(question) == kinds
