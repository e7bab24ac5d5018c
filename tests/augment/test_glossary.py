from desktop_qa.augment.glossary import learn_glossary
from desktop_qa.core.document import BlockKind
from desktop_qa.core.glossary import GlossaryEntry, GlossarySource
from tests.augment.builders import block, document, heading, item, table, table_block


def test_prose_and_tables_are_learned_with_their_counts():
    parsed = document(
        [
            block("A low-dropout regulator (LDO) feeds it. The low-dropout regulator (LDO) is on."),
            table_block(),
        ],
        [
            table(
                [
                    ("Symbol", "Parameter", "Max"),
                    ("VOS", "Input offset voltage", "1"),
                    ("VOS", "Input Offset Voltage", "2"),
                ]
            )
        ],
    )
    assert learn_glossary(parsed) == (
        GlossaryEntry("LDO", "low-dropout regulator", GlossarySource.ACRONYM, 2),
        GlossaryEntry("VOS", "Input offset voltage", GlossarySource.SYMBOL, 2),
    )


def test_many_acronyms_are_kept_as_one():
    parsed = document([block("They have analog-to-digital converters (ADCs).")])
    (entry,) = learn_glossary(parsed)
    assert (entry.short, entry.long) == ("ADC", "analog-to-digital converters")


def test_acronyms_in_the_cells_of_a_table():
    rows = [("Feature", "Value"), ("Programmable gain amplifier (PGA)", "1 to 128")]
    (entry,) = learn_glossary(document([table_block()], [table(rows)]))
    assert (entry.short, entry.source) == ("PGA", GlossarySource.ACRONYM)


def test_lists_stand_under_their_heading_only():
    parsed = document(
        [
            heading("List of abbreviations"),
            item("DAC Digital-to-analog converter"),
            heading("Overview"),
            item("DMA Direct memory access"),
        ]
    )
    assert [(e.short, e.source) for e in learn_glossary(parsed)] == [("DAC", GlossarySource.LIST)]


def test_legal_and_ordering_matter_teaches_nothing():
    text = "Terms of a non-disclosure agreement (NDA) apply."
    assert learn_glossary(document([block(text, boilerplate=True)])) == ()
    assert learn_glossary(document([block(text)])) != ()


def test_running_heads_teach_nothing():
    text = "Analog front end (AFE)"
    assert learn_glossary(document([block(text, BlockKind.PAGE_HEADER)])) == ()


def test_words_beside_many_symbols_are_no_name_of_any():
    rows = [("PIN NAME", "DESCRIPTION")]
    rows += [(f"VOUT{letter}", "Analog output voltage") for letter in "ABCDEFGH"]
    rows += [("VREF", "Reference voltage input")]
    entries = learn_glossary(document([table_block()], [table(rows)]))
    assert [entry.short for entry in entries] == ["VREF"]


def test_a_document_without_anything():
    assert learn_glossary(document([])) == ()
