from __future__ import annotations

import pytest

from desktop_qa.core.answer import Query
from desktop_qa.core.document import DocumentId
from desktop_qa.core.progress import DocumentStatus
from desktop_qa.retrieve.scope import (
    document_pattern,
    folders_of,
    label_of,
    select,
    source_scores,
    why_unmatched,
)
from tests.helpers.sample_documents import make_status


def status(file: str, vendor: str = "", parts: tuple[str, ...] = ()) -> DocumentStatus:
    path = f"/home/me/Sheets/{file}"
    return make_status(file, f"id-{file}", path=path, vendor=vendor, part_numbers=parts)


LIBRARY = (
    status("amps/TI_OPA4197.pdf", "Texas Instruments", ("OPA197", "OPA4197")),
    status("amps/old/TI_LM324.pdf", "Texas Instruments", ("LM324-N",)),
    status("sensors/BOSCH_BME280.pdf", "Bosch Sensortec", ("BME280",)),
    status("sensors/INVENSENSE_MPU-6500.pdf", "TDK InvenSense", ("MPU-6500",)),
    status("ST_L78XX.pdf", "STMicroelectronics", ("L78",)),
    status("25AA640 [rev D].pdf", "Microchip", ("25AA640",)),
    status("quote.pdf"),
)


def chosen(*patterns: str) -> list[str]:
    found = set(select(patterns, LIBRARY).document_ids)
    return [one.file for one in LIBRARY if one.document_id in found]


@pytest.mark.parametrize(
    ("pattern", "files"),
    [
        ("TI_OPA4197.pdf", ["amps/TI_OPA4197.pdf"]),
        ("ti_opa4197", ["amps/TI_OPA4197.pdf"]),
        ("opa 4197", ["amps/TI_OPA4197.pdf"]),
        ("id-quote.pdf", ["quote.pdf"]),
        ("/amps", ["amps/TI_OPA4197.pdf", "amps/old/TI_LM324.pdf"]),
        ("AMPS/", ["amps/TI_OPA4197.pdf", "amps/old/TI_LM324.pdf"]),
        ("/amps/old/", ["amps/old/TI_LM324.pdf"]),
        ("/amp", []),
        ("/quote.pdf", ["quote.pdf"]),
        ("/TI_OPA4197.pdf", []),
        ("amps\\old", ["amps/old/TI_LM324.pdf"]),
        (
            "/home/me/Sheets/sensors",
            ["sensors/BOSCH_BME280.pdf", "sensors/INVENSENSE_MPU-6500.pdf"],
        ),
        ("TI_*.pdf", ["amps/TI_OPA4197.pdf", "amps/old/TI_LM324.pdf"]),
        ("/amps/*.pdf", ["amps/TI_OPA4197.pdf", "amps/old/TI_LM324.pdf"]),
        ("25AA640 [rev D].pdf", ["25AA640 [rev D].pdf"]),
        ("vendor:texas instruments", ["amps/TI_OPA4197.pdf", "amps/old/TI_LM324.pdf"]),
        ("Vendor: TI", ["amps/TI_OPA4197.pdf", "amps/old/TI_LM324.pdf"]),
        ("vendor:bosch", ["sensors/BOSCH_BME280.pdf"]),
        ("vendor:InvenSense", ["sensors/INVENSENSE_MPU-6500.pdf"]),
        ("vendor:micro", ["25AA640 [rev D].pdf"]),
        ("vendor:*semi*", []),
        ("vendor:st*", ["ST_L78XX.pdf"]),
        ("vendor:", []),
        ("", []),
    ],
)
def test_a_pattern_means(pattern, files):
    assert chosen(pattern) == files


def test_a_short_name_of_two_vendors_is_whose_files_are_called_so():
    files = ("TI_1.pdf", "X_2.pdf")
    library = (status(files[0], "Texas Instruments"), status(files[1], "TDK InvenSense"))
    assert select(("vendor:ti",), library).document_ids == (library[0].document_id,)
    unnamed = (status("1.pdf", "Texas Instruments"), status("2.pdf", "TDK InvenSense"))
    assert len(select(("vendor:ti",), unnamed).document_ids) == 2


def test_a_beginning_that_two_vendors_share_means_neither():
    library = (status("1.pdf", "Maxim Integrated"), status("2.pdf", "Maxwell"))
    assert select(("vendor:max",), library).document_ids == ()


def test_any_mix_is_one_scope_and_says_what_it_lacks():
    found = select(("vendor:bosch", "/amps/old", "nothere.pdf", "vendor:bosch"), LIBRARY)
    assert len(found.document_ids) == 2
    assert found.unmatched == ("nothere.pdf",)


def test_accents_are_one_however_they_are_stored():
    library = (status("Me\u0301thode.pdf"),)
    assert select(("m\u00e9thode.pdf",), library).document_ids == (library[0].document_id,)


@pytest.mark.parametrize("one", LIBRARY)
def test_the_pattern_of_a_document_means_it_alone(one):
    assert select((document_pattern(one),), LIBRARY).document_ids == (one.document_id,)


def test_folders_are_listed_with_those_above_them():
    assert folders_of(LIBRARY) == ("/amps", "/amps/old", "/sensors")


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("vendor:Boch", "The nearest is Bosch Sensortec."),
        ("vendor:Zilog", "The vendors are Bosch Sensortec, Microchip"),
        ("/sensor", "The nearest is /sensors."),
        ("TI_OPA4179.pdf", "The nearest is TI_OPA4197.pdf"),
        ("BME820", "The nearest is BME280."),
        ("zzz", "and 2 more."),
    ],
)
def test_what_nothing_fits_is_told_with_the_nearest(pattern, hint):
    assert hint in why_unmatched(pattern, LIBRARY)


def test_a_label_is_what_people_say():
    assert [label_of(p) for p in ("vendor:TI", "/a/b/", "/a/x.pdf", "/")] == [
        "TI",
        "b",
        "x.pdf",
        "/",
    ]


def test_preferred_gains_and_outdated_loses():
    a, b, c = (DocumentId(name) for name in "abc")
    query = Query("q", preferred=(a, b), outdated=(b, c))
    assert source_scores(query) == {a: 1.0, b: 0.0, c: -1.0}
