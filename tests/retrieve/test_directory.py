"""Codes as people type them over a library of several makers; none of it is a real library."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from desktop_qa.augment.codes import codes_match, normalize_code
from desktop_qa.core.asked_code import AskedCode, Standing
from desktop_qa.core.document import DocumentId
from desktop_qa.retrieve.directory import Directory, DocumentEntry, document_codes
from desktop_qa.retrieve.part_index import PartIndex
from desktop_qa.retrieve.query import build_query

MEMBERS = {Standing.PART, Standing.FAMILY, Standing.LISTED, Standing.READ_AS}
PARTS: dict[str, tuple[str, ...]] = {
    "stm32": ("STM32F103x8", "STM32F103xB"),
    "atmega": ("ATmega328P",),
    "ne555": ("NA555", "NE555", "SA555", "SE555"),
    "hc595": ("SN54HC595", "SN74HC595"),
    "nxp595": ("74HC595", "74HCT595"),
    "irf540": ("IRF540N",),
    "bc547": ("BC546", "BC547", "BC548"),
    "lt3045": ("LT3045",),
    "max3232": ("MAX3222", "MAX3232", "MAX3237", "MAX3241"),
    "lvc1g08": ("SN74LVC1G08",),
    "rp2040": ("RP2040",),
    "w25q64": ("W25Q64JV",),
    "cc2640": ("CC2640R2F",),
    "nrf52840": ("nRF52840",),
    "ina219": ("INA219",),
    "ad8221": ("AD8221",),
    "tlv700": ("TLV700xx",),
    "lm1117": ("LM1117",),
    "tps7a47": ("TPS7A4700", "TPS7A4701"),
    "2n3904": ("2N3904",),
    "1n4148": ("1N4148W",),
    "tps281": ("TPS281C100x",),
    "afe": ("AFEx8201", "AFE78201", "AFE88201"),
    "mcp47": ("MCP4706", "MCP4716", "MCP4726"),
    "mcp4725": ("MCP4725",),
    "drv": ("DRV8833",),
    "drvc": ("DRV8833C",),
    "lm158": ("LM158-N", "LM258-N", "LM358-N", "LM2904-N"),
    "l78": ("L78XX",),
    "tja": ("TJA1050",),
    "esp": ("ESP32-C3",),
    "q1": ("TMP235-Q1",),
    "zx": ("ZXQ7714", "ZXQ7715"),
}
TEXTS: dict[str, dict[str, int]] = {
    # Variants that a sheet prints, ordering tables, and cross references to other parts.
    "lm158": {"lm358n": 9, "lm158a": 6, "lm358a": 7, "lm2904": 3},
    "l78": {"l7805cv": 2, "l7805c": 12, "l7806c": 9, "l7812cv": 4, "l7815c": 3},
    "drv": {"drv8833pwpr": 3, "drv8835": 2, "drv8834": 1},
    "ne555": {"ne555p": 4, "ne555d": 6},
    "tja": {"tja1050t": 5, "tja1050u": 4, "tja1040": 3},
    "zx": {"zxq7714": 30, "zxq7714k": 4, "zxq7715": 20, "zxq7719": 1, "bat54": 2},
    "tlv700": {"tlv70033": 3, "tlv70018": 3, "tlv70030": 2},
}
ORDERED = {
    # Ordering tables, each code in one segment.
    "stm32": "stm32f103c8t6 stm32f103rbt6 stm32f103cbt6",
    "atmega": "atmega328pau atmega328p20pu",
    "ne555": "ne555d ne555dr ne555pw ne555pwr sa555dr na555dr na555dbvr",
    "hc595": "sn74hc595d sn74hc595dr sn74hc595pwr sn74hc595dbvr sn54hc595j",
    "nxp595": "74hc595pw 74hct595pw 74hc595d",
    "irf540": "irf540npbf irf540nstrlpbf",
    "lt3045": "lt3045edd lt3045eddtrpbf lt3045imse",
    "max3232": "max3232cse+ max3232eue+t max3222cse+ max3222eue+t",
    "lvc1g08": "sn74lvc1g08dbvr sn74lvc1g08dckr sn74lvc1g08dckt",
    "w25q64": "w25q64jvssiq w25q64jvzpiq",
    "cc2640": "cc2640r2frgzr cc2640r2frhbr",
    "nrf52840": "nrf52840qiaar7 nrf52840qiaar",
    "ina219": "ina219aid",
    "ad8221": "ad8221arz ad8221arzrl ad8221armz ad8221armzr7 ad8221brz",
    "mcp4725": "mcp4725a0tech",
    "tlv700": "tlv70033ddcr tlv70018ddcr tlv70018dset",
    "lm1117": "lm111733 lm1117mp33nopb",
    "tps7a47": "tps7a4700rgwr tps7a4701rgwr",
    "1n4148": "1n4148w7f",
    "drv": "drv8833pwpr drv8833rtyr",
    "drvc": "drv8833cpwp",
    "lm158": "lm358mxnopb",
    "zx": "zxq7714q1",
}
LISTED: dict[str, dict[str, int]] = {
    key: dict.fromkeys(codes.split(), 1) for key, codes in ORDERED.items()
}
for _key, _codes in LISTED.items():
    TEXTS[_key] = _codes | TEXTS.get(_key, {})
ENTRIES = tuple(DocumentEntry(DocumentId(key), codes) for key, codes in PARTS.items())
VOCABULARY = {code: 1 for text in TEXTS.values() for code in text} | {
    normalize_code(code): 1 for codes in PARTS.values() for code in codes
}


def _holders(keyword: str) -> Mapping[DocumentId, int]:
    return {DocumentId(key): text[keyword] for key, text in TEXTS.items() if keyword in text}


LIBRARY = Directory(ENTRIES, VOCABULARY, holders=_holders)


def _of_parts(**codes: str) -> Directory:
    """A library of documents with these part numbers."""
    return Directory([DocumentEntry(DocumentId(k), tuple(c.split())) for k, c in codes.items()])


SPELLINGS = [
    ("STM32F103C8T6", "stm32"), ("stm32f103x8", "stm32"), ("STM32F103RBT6", "stm32"),
    ("STM32F103C8", "stm32"), ("stm32 f103cb", "stm32"),
    ("ATmega328P-AU", "atmega"), ("atmega328p", "atmega"), ("ATMEGA328P-20PU", "atmega"),
    ("ATmega 328P", "atmega"),
    ("NE555P", "ne555"), ("ne555", "ne555"), ("NE555DR", "ne555"), ("ne 555", "ne555"),
    ("74HC595", "nxp595"), ("74hc595", "nxp595"), ("74HC595PW,118", "nxp595"),
    ("SN74HC595", "hc595"), ("SN74HC595DR", "hc595"), ("sn74hc595pwr", "hc595"),
    ("74HCT595", "nxp595"),
    ("IRF540N", "irf540"), ("irf540n", "irf540"), ("IRF540NPBF", "irf540"),
    ("IRF-540N", "irf540"), ("BC547", "bc547"), ("bc 547", "bc547"),
    ("LT3045", "lt3045"), ("LT3045EDD#PBF", "lt3045"), ("lt3045edd#trpbf", "lt3045"),
    ("LT-3045", "lt3045"),
    ("MAX3232CSE+", "max3232"), ("max3232", "max3232"),
    ("MAX 3232", "max3232"), ("max 3232", "max3232"), ("MAX3232EUE+T", "max3232"),
    ("SN74LVC1G08DBVR", "lvc1g08"), ("sn74lvc1g08", "lvc1g08"), ("SN74LVC1G08DCKT", "lvc1g08"),
    ("RP2040", "rp2040"), ("rp 2040", "rp2040"),
    ("W25Q64JVSSIQ", "w25q64"), ("w25q64jv", "w25q64"),
    ("CC2640R2F", "cc2640"), ("cc2640r2f", "cc2640"), ("CC2640R2FRGZR", "cc2640"),
    ("nRF52840-QIAA", "nrf52840"), ("nrf 52840", "nrf52840"), ("NRF52840-QIAA-R7", "nrf52840"),
    ("INA219AID", "ina219"), ("INA219", "ina219"), ("ina-219", "ina219"), ("INA219DR", "ina219"),
    ("AD8221ARMZ-R7", "ad8221"), ("ad8221ARZ", "ad8221"), ("AD 8221", "ad8221"),
    ("AD8221BRZ-RL", "ad8221"),
    ("TLV70033DDCR", "tlv700"), ("tlv70033", "tlv700"), ("TLV700xx", "tlv700"),
    ("TLV70018DSET", "tlv700"),
    ("LM1117", "lm1117"), ("LM1117-3.3", "lm1117"), ("lm 1117", "lm1117"),
    ("TPS7A4700", "tps7a47"), ("TPS7A47xx", "tps7a47"), ("tps7a4701rgwr", "tps7a47"),
    ("2N3904", "2n3904"), ("2n3904", "2n3904"), ("1N4148W", "1n4148"), ("1N4148W-7-F", "1n4148"),
    ("TPS281C100A", "tps281"), ("TPS281C100x", "tps281"),
    ("AFE78201", "afe"), ("AFEx8201", "afe"), ("MCP47x6", "mcp47"), ("mcp4716", "mcp47"),
    ("MCP4725A0T-E/CH", "mcp4725"), ("MCP4725T-E/CH", "mcp4725"), ("mcp 4725", "mcp4725"),
    ("DRV8833", "drv"), ("DRV8833PWPR", "drv"), ("DRV8833CPWPR", "drvc"), ("drv8833-c", "drvc"),
    ("LM158", "lm158"), ("LM358", "lm158"), ("LM158A", "lm158"), ("lm358a", "lm158"),
    ("LM2904DR", "lm158"), ("LM158/LM258/LM358", "lm158"),
    ("L7805", "l78"), ("7805", "l78"), ("L7812CV", "l78"), ("l78 xx", "l78"),
    ("TJA1050T", "tja"), ("tja1050", "tja"), ("TJA 1050", "tja"),
    ("esp32 c3", "esp"), ("TMP235", "q1"), ("TMP235-Q1", "q1"),
    ("ZXQ7714K", "zx"), ("zxq 7715", "zx"), ("25Q64JV", "w25q64"),
    ("CD74HC595", "nxp595"), ("TPS281C100", "tps281"), ("TLV700", "tlv700"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "document"), SPELLINGS)
def test_a_spelling_leads_to_the_document_of_its_part(code, document):
    query = build_query(f"What is the supply current of the {code}?", LIBRARY)
    assert query.document_ids == (document,)
    assert query.absent == ()


ABSENT = [
    "STM32F407VGT6", "STM32F104C8", "ATmega329P", "NE556", "74HC596", "74HC165",
    "IRF541N", "BC557", "LT3042", "LT3046EDD#PBF", "MAX3233",
    "SN74LVC1G09DBVR", "RP2350", "W25Q128JV", "W25Q64FV", "CC2650", "nRF52833-QIAA",
    "INA220", "AD8222ARMZ", "TPS7A4800", "2N3906", "1N4149W",
    "AFE98201", "AFEx8301", "MCP4736", "MCP4727", "LM159", "L7807", "7905",
    "L7905", "25Q64FV", "25Q65JV", "XX74HC595", "STM32F10",
    "TJA1051", "ESP32-C6", "TMP236", "ZXQ7716", "LM1118", "TLV70133",
]  # fmt: skip


@pytest.mark.parametrize("code", ABSENT)
def test_a_near_code_is_absent_and_nothing_takes_its_place(code):
    query = build_query(f"Absolute maximum ratings of {code}?", LIBRARY)
    assert query.absent == (code,)
    assert query.document_ids == ()


@pytest.mark.parametrize(
    ("code", "document"),
    [
        ("MAX3232ECAE+", "max3232"), ("nRF52840X", "nrf52840"), ("AD8221K", "ad8221"),
        ("INA219XQ", "ina219"), ("DRV8833B", "drv"), ("DRV8833CX", "drvc"), ("ZXQ7714-Q1", "zx"),
        ("LM2904DBVR", "lm158"),
    ],
)  # fmt: skip
def test_what_goes_on_from_a_part_is_read_as_that_part(code, document):
    found = LIBRARY.find(code)
    assert found.documents == (document,)
    assert found.standing in (Standing.READ_AS, Standing.LISTED)


def test_a_code_that_no_document_prints_is_told_from_one_that_some_do():
    entries = tuple(DocumentEntry(DocumentId(key), ("INA219",)) for key in "ab")
    unprinted = Directory(entries, {"ina219": 1})
    assert unprinted.find("INA219AIDR") == AskedCode(
        "INA219AIDR", Standing.READ_AS, (DocumentId("a"), DocumentId("b")), "INA219", "aidr"
    )
    printed = Directory(
        entries,
        {"ina219": 1, "ina219aidr": 1},
        holders=lambda code: {DocumentId("b"): 2} if code == "ina219aidr" else {},
    )
    assert printed.find("INA219AIDR").standing is Standing.LISTED
    assert printed.named_by("INA219AIDR") == ("b",)


@pytest.mark.parametrize(
    ("code", "standing", "part", "rest"),
    [
        ("opa 4197", Standing.UNKNOWN, "", ""),
        ("LM358", Standing.PART, "", ""),
        ("TPS281C100A", Standing.FAMILY, "", ""),
        ("NE555DR", Standing.LISTED, "NE555", "dr"),
        ("AD8221K", Standing.READ_AS, "AD8221", "k"),
        ("LM359", Standing.OTHER_BASE, "LM358", ""),
        ("ESP32", Standing.SHORT, "ESP32-C3", "-C3"),
    ],
)
def test_a_code_has_a_standing_and_its_reason(code, standing, part, rest):
    found = LIBRARY.find(code)
    assert (found.standing, found.part, found.rest) == (standing, part, rest)
    assert bool(found.documents) == (standing in MEMBERS)


def test_a_whole_number_means_the_parts_that_letters_end():
    library = _of_parts(a="CD4511BC", b="CD4511BM", c="CD45117")
    found = library.find("CD4511")
    assert (found.standing, found.part, found.rest) == (Standing.SHORT, "CD4511BC", "BC")
    assert found.documents == ("a", "b")
    # Less than a number, and a number that goes on with digits, are other parts.
    assert library.named_by("CD451") == ()
    assert library.named_by("CD") == ()


def test_a_code_without_maker_and_range_means_the_parts_that_end_so():
    library = _of_parts(a="DM74LS166", b="SN54LS166", c="MM74HC4538", d="LM1166")
    found = library.find("ls166")
    assert (found.standing, found.documents) == (Standing.SHORT, ("a", "b"))
    assert library.named_by("HC4538") == ("c",)
    assert library.named_by("166") == library.named_by("C4538") == ()


def test_letters_go_on_from_letters_where_the_sheet_prints_both():
    own = DocumentId("tip31")
    entries = (DocumentEntry(own, ("TIP31G", "TIP31AG", "TIP31CG")),)
    printed = Directory(entries, holders=lambda code: {own: 3} if code == "tip31c" else {})
    found = printed.find("TIP31C")
    assert (found.standing, found.documents, found.part) == (Standing.SHORT, (own,), "TIP31CG")
    assert printed.find("TIP31A").documents == ()
    assert printed.find("TIP31/32").documents == (own,)


def test_the_part_of_an_order_code_is_looked_for_too():
    assert {"ne555dr", "ne555"} <= set(build_query("supply of the NE555DR?", LIBRARY).keywords)


def test_a_number_with_the_letters_of_another_maker_is_another_part():
    library = _of_parts(a="MC74HC257 74HC257", b="MM74HC257")
    assert library.named_by("74HC257") == ("a",)
    assert library.named_by("MM74HC257") == ("b",)
    assert library.named_by("SN74HC257") == library.named_by("SN74HC257N") == ()


def test_a_part_of_several_makers_is_several_documents():
    library = _of_parts(a="SN74LS20", b="DM74LS20", c="SN74LS21")
    assert library.named_by("74LS20") == ("a", "b")
    assert library.find("74LS20").standing is Standing.FAMILY
    assert library.named_by("74LS22") == ()


def test_the_longest_part_that_a_code_starts_with_is_meant():
    both = {DocumentId("drv"): 4, DocumentId("drvc"): 4}
    library = Directory(ENTRIES, {"drv8833crtyz": 1}, holders=lambda _code: both)
    assert library.named_by("DRV8833CRTYZ") == ("drvc",)


def test_a_family_has_the_members_that_its_text_lists():
    assert LIBRARY.named_by("L7806") == ("l78",)
    assert LIBRARY.named_by("L7807") == ()
    silent = Directory(ENTRIES, VOCABULARY)
    assert silent.named_by("L7807") == ("l78",)


def test_a_family_whose_members_are_part_numbers_has_no_others():
    library = _of_parts(bq="BQ24072 BQ24074 BQ24075 BQ2407x")
    assert library.named_by("bq 24074") == library.named_by("BQ2407x") == ("bq",)
    assert library.named_by("BQ24077") == ()


def test_a_part_that_another_sheet_refers_to_has_no_datasheet_here():
    query = build_query("What is the supply current of the DRV8835?", LIBRARY)
    assert query.document_ids == ()
    assert query.absent == ("DRV8835",)
    assert query.mentioned == (("DRV8835", ("drv",)),)


@pytest.mark.parametrize(
    "question",
    [
        "Is there a part that is pin compatible with the DRV8835?",
        "Which documents mention the DRV8835?",
        "What is the forward voltage of the BAT54?",
    ],
)
def test_what_documents_say_of_a_mentioned_part_can_be_asked(question):
    query = build_query(question, LIBRARY)
    assert query.absent == ()
    assert query.mentioned


def test_a_named_document_is_asked_what_it_says_of_a_mentioned_part():
    query = build_query("How does the DRV8833 differ from the DRV8835?", LIBRARY)
    assert query.document_ids == ("drv",)
    assert query.absent == ()
    assert query.mentioned == (("DRV8835", ("drv",)),)


def test_another_number_that_is_printed_is_another_part():
    assert LIBRARY.named_by("DRV8834") == ()
    assert LIBRARY.named_by("ZXQ7719") == ()


@pytest.mark.parametrize(
    ("code", "nearest"),
    [
        ("ZXQ7716", ("ZXQ7714", "ZXQ7715")),
        ("DRV8833B", ("DRV8833", "DRV8833C")),
        ("LM359", ("LM358",)),
        ("NRF52480", ("nRF52840",)),
        ("QQQ123456", ()),
    ],
)
def test_the_nearest_parts_are_named(code, nearest):
    assert LIBRARY.parts.nearest(code) == nearest


def test_absent_codes_carry_their_nearest():
    query = build_query("Compare the ZXQ7716 with the QQQ123456", LIBRARY)
    assert query.absent == ("ZXQ7716", "QQQ123456")
    assert query.nearest == (("ZXQ7716", ("ZXQ7714", "ZXQ7715")),)


def test_the_index_finds_what_a_look_at_every_document_finds():
    index = PartIndex(ENTRIES)
    codes = [code for code, _document in SPELLINGS] + ABSENT
    for code in codes:
        found = [entry.document_id for entry, _match in index.matches(code)]
        assert found == [
            e.document_id for e in ENTRIES if any(codes_match(code, own) for own in e.codes)
        ], code


def test_the_prefixes_are_those_of_the_library():
    assert {"zxq", "tja", "lm"} <= LIBRARY.parts.prefixes


def test_a_part_without_its_packing_is_that_part_and_without_its_own_letter_a_short_code():
    library = _of_parts(a="IRFR3806PbF", b="DRV8833C")
    assert library.named_by("IRFR3806") == ("a",)
    assert library.find("DRV8833").standing is Standing.SHORT


def _of_makers(**vendors: str) -> Directory:
    held = {
        "verizon": {"v": 9, "b": 1},
        "best": {"b": 5, "v": 5},
        "salesforc": {"s": 6, "t": 3},
        "analog": {"ad": 3, "ti": 7},
    }
    entries = tuple(
        DocumentEntry(DocumentId(key), (), f"{vendor} 2022", vendor)
        for key, vendor in vendors.items()
    )

    def holders(word: str) -> Mapping[DocumentId, int]:
        return {DocumentId(key): n for key, n in held.get(word, {}).items()}

    return Directory(entries, text_holders=holders)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("How much did Best Buy's inventories grow?", ("b",)),
        ("What is the best way to count inventories?", ()),
        ("verizon net income", ("v",)),
        ("Which is higher, Verizon's revenue or Best Buy's?", ("b", "v")),
        ("SALESFORCE headcount", ("s", "t")),
        ("What is the analog supply voltage?", ()),
        ("Analog Devices isolators", ("ad",)),
    ],
)
def test_documents_are_named_by_their_maker(question, meant):
    library = _of_makers(
        b="BEST BUY CO., INC.",
        v="Verizon Communications Inc.",
        s="Salesforce, Inc.",
        t="Salesforce",
        ad="Analog Devices",
        ti="Texas Instruments",
    )
    assert library.made_by(question) == tuple(map(DocumentId, meant))


def test_one_part_by_several_makers_is_told_apart_by_the_maker():
    entries = tuple(
        DocumentEntry(DocumentId(key), ("2N3904",), f"{vendor} 2N3904", vendor)
        for key, vendor in (("on", "ON Semiconductor"), ("cdil", "Continental Device"))
    )
    assert build_query("2N3904 gain", Directory(entries)).document_ids == ("on", "cdil")
    query = build_query("What gain has the ON Semiconductor 2N3904?", Directory(entries))
    assert query.document_ids == ("on",)


def test_a_note_goes_by_the_number_that_its_title_begins_with():
    assert document_codes((), ("timers.pdf",), "AVR130: Setup and Use the Timers") == ("AVR130",)
    assert document_codes((), ("notes.pdf",), "Timers: Setup and Use of the AVR130") == ()
    assert document_codes((), ("notes.pdf",), "ATmega16 and ATmega32 side by side") == ()
