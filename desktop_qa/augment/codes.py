"""Part numbers as people type them and as documents print them: which of them mean the same part.

A part number is never swapped for another number here: ADS1117 is not ADS1115. What goes on from a
part, DRV8833C from the DRV8833, is `retrieve.members`' to read, and told.
Only spelling (case, hyphens, spaces, slashes), families (TPS281C100x, L78xx) and what is printed
behind a hyphen or slash (grade, version, packing) are forgiven here. What else is ordered with a
part (package, reel) is nobody's to tell from its letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache

from desktop_qa.augment.periods import find_periods, is_of_period
from desktop_qa.augment.quantities import find_values

_MARKS = re.compile("[™®©\u00ad\u200b]")
# Before NFKC, which writes the trade mark sign out as two letters.

_IGNORED = re.compile(r"[\s\-\u00ad\u2010-\u2015\u2212_/\\.·,()]+")

_COMPLETE_CODE = re.compile(
    r"(?=.*\d)(?=.*[A-Za-z])(?!\d+[A-Za-z]?$)[A-Za-z0-9]{3,}[A-Za-z0-9\-+]*"
)

_RUNS = re.compile(r"\d+|[^\d]+")
_MAX_DIGITS_OF_START = 2
"""A code with so few digits before a slash goes on behind it: SN54/74LS14."""

_FAMILY_WORD = re.compile(r"[\s\-]+(?:family|series|devices?|parts?|types?)$", re.IGNORECASE)

_SUFFIX = re.compile(
    r"""^(?P<base>[A-Za-z0-9]*[A-Za-z][A-Za-z]*\d{2,}[A-Za-z0-9]*?|\d{2}[A-Za-z]{2,}\d{2,}[A-Za-z]*)
        T?(?:(?:-(?:[A-Z]{1,4}|Q\d{1,3}|[A-Z]/[A-Z0-9]{1,4}))+|/[A-Z]{1,4})$""",
    re.VERBOSE | re.IGNORECASE,
)
"""Grade and package as printed: letters behind a hyphen or slash, and AEC-Q100. A letter with a
digit ("-C3", "-S2") names another part and is none of these."""

_VERSION = re.compile(r"(?<=\w)-\d{1,3}(?:\.\d{1,2})?$")
"""One of several versions of a part: AD7829-1, DS2482-100, LM136-2.5; people leave it out."""

_PACKING = re.compile(r"[#,].*|/[A-Z]{2,4}|T?-?[A-Z]/[A-Z0-9]{1,4}", re.IGNORECASE)
"""What stands behind these separators is ordered with a part, whoever made it."""

_ANY = "?"
"""Any one letter or digit, in the template of a family."""

_PLURAL = re.compile(r"(.*[A-Z].*\d)s$")
"""Of a code in capitals: "out of 74LS138s"."""

_LETTERS_BEFORE = re.compile(r"[A-Za-z]{1,4}[\s\-]?(?=\d)")


@lru_cache(maxsize=65536)
def normalize_code(text: str) -> str:
    """Return the normal form: lower case, without hyphens, spaces, slashes, marks and brackets."""
    return _IGNORED.sub("", unicodedata.normalize("NFKC", _MARKS.sub("", text))).casefold()


@lru_cache(maxsize=8192)
def expand_code(code: str) -> tuple[str, ...]:
    """Write out a list of parts: "MCP6001/2/4" is MCP6001, MCP6002 and MCP6004.

    A piece takes the place of the characters that are built like it, at the front too:
    "SN54/74LS14" is SN54LS14 and SN74LS14, "74HC/HCT20" is 74HC20 and 74HCT20. A slash before
    letters alone belongs to the part ("MCP6002T-I/SN").
    """
    pieces = [piece.strip() for piece in _FAMILY_WORD.sub("", code.strip()).split("/")]
    codes = pieces[:1]
    first = _RUNS.findall(codes[0])
    is_start = 1 <= sum(c.isdigit() for c in codes[0]) <= _MAX_DIGITS_OF_START
    for piece in pieces[1:]:
        own = _RUNS.findall(piece)
        at = _place_of(own, first) if "-" not in codes[0] and piece.isalnum() else None
        if at is None or not (is_start or any(c.isdigit() for c in piece)):
            if _COMPLETE_CODE.fullmatch(piece):
                codes.append(piece)
            else:
                codes[-1] += f"/{piece}"
            continue
        end = own[len(first) - at :]
        if is_start and any(c.isdigit() for run in end for c in run):
            codes = ["".join((each, *end)) for each in codes]
        if at == len(first) - 1 and own[0].isdigit() and len(own[0]) < len(first[at]):
            own[0] = first[at][: -len(own[0])] + own[0]  # MCP6001/2
        codes.append("".join((*first[:at], *own)))
    return tuple(codes)


def _place_of(piece: Sequence[str], first: Sequence[str]) -> int | None:
    """Return from which run of letters or digits on a piece replaces those of a code, if any."""
    if piece[:1] == first[:1]:
        return 0
    for at in range(len(first)):
        kept = first[at:]
        if (
            len(piece) >= len(kept)
            and all(a.isdigit() == b.isdigit() for a, b in zip(kept, piece, strict=False))
            and all(a == b or a.isdigit() for a, b in zip(kept[1:], piece[1:], strict=False))
        ):
            return at
    return None


class CodeMatch(IntEnum):
    """How a code that was typed means a part, the surest last."""

    NONE = 0
    MEMBER = 1
    """It fits a family with a wildcard or is its beginning, or a maker's letters differ in being
    there: 74LS20 is SN74LS20."""
    EXACT = 2
    """The code is the part, with packing behind a separator or not, or a wildcard that it fits."""


def match_codes(query_code: str, document_code: str) -> CodeMatch:
    """Tell how a code that a person typed means a part of a document.

    The hyphens of the part tell a suffix from it, so pass it as printed, not in normal form.
    """
    return max(
        _one_matches(asked, own)
        for asked in expand_code(query_code)
        for own in expand_code(document_code)
    )


def codes_match(query_code: str, document_code: str) -> bool:
    """Tell whether a code that a person typed means a part of a document; see `match_codes`."""
    return match_codes(query_code, document_code) is not CodeMatch.NONE


def match_document(query_code: str, document_codes: Sequence[str]) -> CodeMatch:
    """Tell how a code that a person typed means one of a document's parts, as printed."""
    matches = (match_codes(query_code, code) for code in document_codes)
    return max(matches, default=CodeMatch.NONE)


@lru_cache(maxsize=32768)
def stems_of(document_codes: tuple[str, ...]) -> tuple[str, ...]:
    """Return what order codes of a document's parts begin with, in normal form, longest first."""
    codes = [code for own in document_codes for code in expand_code(own) if not has_wildcard(code)]
    stems = {normalize_code(code) for code in codes}.union(*map(short_names, codes))
    return tuple(sorted(stems - {""}, key=lambda stem: (-len(stem), stem)))


def rest_behind(code: str, stem: str) -> str:
    """Return what a typed code has behind a stem in normal form; "" when it has another."""
    position = 0
    for char in stem:
        while position < len(code) and _IGNORED.match(code[position]):
            position += 1
        if position == len(code) or code[position].casefold() != char:
            return ""
        position += 1
    return code[position:]


@lru_cache(maxsize=65536)
def _one_matches(asked: str, own: str) -> CodeMatch:
    a, b = normalize_code(asked), normalize_code(own)
    if not a or not b:
        return CodeMatch.NONE
    stems = (b, *short_names(own))
    if a in stems:
        return CodeMatch.EXACT
    if has_wildcard(asked) and any(family_pattern(asked).fullmatch(stem) for stem in stems):
        return CodeMatch.EXACT
    if any(_PACKING.fullmatch(rest_behind(asked, stem)) for stem in stems):
        return CodeMatch.EXACT
    if has_wildcard(own) and a == family_prefix(own):
        return CodeMatch.MEMBER
    spelled = {normalize_code(code) for code in (asked, *respelled(asked, (own,)))}
    if any(family_pattern(own).fullmatch(code) or code in stems for code in spelled):
        return CodeMatch.MEMBER
    return CodeMatch.NONE


def letters_before(code: str) -> str:
    """Return the letters that stand before the number of a code, in lower case: "sn" of SN74LS20.

    Makers put letters of their own before numbers that many of them sell; people leave them out.
    """
    letters = _LETTERS_BEFORE.match(code)
    return normalize_code(letters[0]) if letters else ""


def without_letters(code: str) -> str:
    """Return a code without its `letters_before`, as typed: "74LS20" of SN74LS20."""
    return _LETTERS_BEFORE.sub("", code, count=1)


def respelled(code: str, document_codes: Iterable[str]) -> tuple[str, ...]:
    """Write a code with the letters of the parts before it, or without those of a known maker.

    Letters are never swapped: MC74LS20 is no spelling of SN74LS20, 74LS20 is one of both.
    """
    if code[:1].isdigit():
        letters = dict.fromkeys(map(letters_before, document_codes))
        return tuple(own + code for own in letters if own)
    return (without_letters(code),) if letters_before(code) in VENDOR_PREFIXES else ()


def has_wildcard(code: str) -> bool:
    """Tell whether a code names a family by an x in it: "BQ2407x", "AFEx8201"."""
    return _ANY in _family_template(code)


def family_prefix(code: str) -> str:
    """Return what stands before the first wildcard, in normal form; all of a plain code."""
    return _family_template(code).partition(_ANY)[0]


@lru_cache(maxsize=8192)
def family_pattern(code: str) -> re.Pattern[str]:
    """Return the pattern of a family's members in normal form; of a plain code, itself."""
    return re.compile("[0-9a-z]".join(map(re.escape, _family_template(code).split(_ANY))))


@lru_cache(maxsize=65536)
def _family_template(code: str) -> str:
    """Return the normal form with a mark for each wildcard.

    An x stands for a character where it follows a digit ("L78xx", "PIC16F87XA"), is at the end
    behind some ("STM32Fx"), or is the only small letter among capitals ("AFEx8201"): "MAX232" has
    no wildcard.
    """
    if "x" not in code and "X" not in code:
        return normalize_code(code)
    plain = re.sub(r"[\s\-/_]", "", code)
    return "".join(
        _ANY if char in "xX" and _is_wildcard(plain, i) else char.casefold()
        for i, char in enumerate(plain)
    )


def _is_wildcard(code: str, i: int) -> bool:
    rest = code[i:].lower().strip("x")
    before = code[:i].rstrip("xX")
    if not before:
        return False
    if not rest and any(c.isdigit() for c in before):
        return True
    is_small_among_capitals = code[i] == "x" and sum(c.isupper() for c in code) > 1
    return is_small_among_capitals or before[-1].isdigit()


@lru_cache(maxsize=8192)
def unsuffixed(code: str) -> str:
    """Return the part without the grade, package and reel printed behind it; "" without any."""
    match = _SUFFIX.match(code.strip())
    return match["base"] if match else ""


@lru_cache(maxsize=8192)
def short_names(code: str) -> frozenset[str]:
    """Return what people call a part without its grade or its version, in normal form."""
    return frozenset(map(normalize_code, (unsuffixed(code), _VERSION.sub("", code)))) - {
        normalize_code(code),
        "",
    }


_QUANTITY_UNIT = (
    r"(?:[pnuµμmkKMGT]?(?:V|A|W|Hz|s|F|H|Ω|ohms?|B|bps|sps|SPS|bit|bits|byte|bytes|g|m|Pa|J|C|b)"
    r"|dB\w*|ppm|lux|lx|LSBs?|rpm|deg|in|inch|mil|mils|min|h|hr|x|st|nd|rd|th|D|K|kB|MB|GB|Vpp|Vrms"
    r"|VDC|VAC|kohms?|Mohms?|pin|pins|k|M|G|ch|channel|channels|bit\w*|wire|way|cell|phase|[vaw])"
)
_QUANTITY = re.compile(rf"[±~<>≤≥+\-]?\d[\d.,]*{_QUANTITY_UNIT}(?:/\w+)?", re.UNICODE)
_HEXADECIMAL = re.compile(r"0[xb][0-9a-f]+|[0-9a-f]+h", re.IGNORECASE)

_NOT_PARTS = re.compile(
    r"""(?:GPIO|IO|AIN|DIN|AD?C|CH|IN|OUT|INT|IRQ|PIN|P[A-K]|R[A-G]|UART|USART|I2C|IIC|I2S|SPI|QSPI|USB|CAN
        |ADC|DAC|PWM|TIM|TIMER|DMA|LED|VREG|VDD|VCC|VSS|VIN|VOUT|VREF|GND|CNF|TXB|RXB|REG|BIT|PORT
        |RAM|ROM|SRAM|FLASH|CLK|SDA|SCL|RX|TX|SW|EN|CS|CE|FB|SHA|AES|RSA|MD|CRC|DES|UTF|ASCII|BASE
        |SOT|SOIC|SOP|SSOP|TSSOP|MSOP|VSSOP|HTSSOP|QFN|VQFN|WQFN|DFN|WSON|VSON|SON|QFP|LQFP|TQFP
        |BGA|DSBGA|LGA|PLCC|DIP|PDIP|CDIP|TO|SC|DO|SMD|LCC|DPAK|D2PAK|SMA|SMB|UFBGA|WLCSP
        |RS|EIA|TIA|IEEE|ISO|IEC|JESD|AEC|DIN|EN|UL|RFC|MIL|IPC|IP|CAT|H|MP|CO|PM|NO|SO|NH|O|TABLE
        |FIG|FIGURE|PAGE|SECTION|STEP|REV|VER|VERSION|V|CHAPTER|NOTE|EQ|APPENDIX|WIN|WINDOWS|HTML
        |HTTP|XML|CSS|IPV|ES|PYTHON|PKCS|A|B|C|D|E|F|G|I|J|K|M|N|P|Q|R|S|T|U|W|X|Y|Z)
        [#\-]?\d{1,3}(?:[\-.:/]\d{1,4})*[A-Z]?""",
    re.VERBOSE | re.IGNORECASE,
)
"""Pins, peripherals, packages, standards and places in a document: codes, but of no part."""

_ONE_DIGIT_PART = re.compile(r"[A-Z]{2,4}\d[A-Z]{2,5}(?:\d{1,2})?|lis\d[a-z]{2,4}")
"""LIS3MDL, ADS1X: only in capitals, or with a prefix that is no word."""

_CODE_TOKEN = re.compile(
    r"(?<![\w.#/\-])"
    r"(?=[A-Za-z0-9+/\-_.]*\d)(?=[A-Za-z0-9+/\-_.]*[A-Za-z])"
    r"[A-Za-z0-9]+(?:[\-/_][A-Za-z0-9]+)*(?:(?<=-\d)\.\d{1,2}(?![\w.])|#[A-Za-z]+|\+T?(?!\w))?"
)
_SEPARATED = re.compile(
    r"(?<![\w.#/\-])(?P<letters>[A-Za-z]{2,7}|[A-Za-z]{1,3}\d{1,3}[A-Za-z]{0,3})"
    r" (?P<digits>\d{2,6}(?:[A-Za-z]{0,4}\d{0,2})|[A-Za-z]?\d{1,5}[A-Za-z]{0,2}|[xX]{2})"
    r"(?P<tail>(?:-[A-Za-z0-9]+)+| [A-Z](?![\w.'’\-]))?(?![\w.]*\w)"
)
_BARE_REGULATOR = re.compile(r"(?<![\w.\-])7[89](?:0[3-9]|1[0258]|2[04])(?![\w.%°]|\s?[kmM]?[VAΩ])")


_WORD = re.compile(r"[^\s?!,;:()\"'’]+")
_MAX_WORDS = 3
_MIN_PART = 4
_MIN_JOINED = 6
"""Characters of a part that is put together of an ordinary word and a number: not "at 24"."""


def codes_in_question(
    question: str, prefixes: Iterable[str] = (), parts: Container[str] = frozenset()
) -> tuple[str, ...]:
    """Find the part numbers a person typed, in order, also with a space or a hyphen put in.

    Ordinary words before numbers ("figure 12", "at 125"), quantities, periods ("FY 2022"), pins,
    packages and standards are not part numbers. The prefixes of the library's own parts count like
    those of known makers; its parts, in normal form, are found behind ordinary words too.
    """
    known = VENDOR_PREFIXES.union(prefixes)
    found: dict[str, int] = {}
    taken: list[tuple[int, int]] = []
    position = 0
    for start, end in _spaced_parts(question, parts):
        found.setdefault(question[start:end], start)
        taken.append((start, end))
    taken += find_periods(question)
    while match := _SEPARATED.search(question, position):
        position = match.start("digits")
        is_taken = any(start <= match.start() < end for start, end in taken)
        if not is_taken and _is_separated_code(match, known):
            code, position = _separated_code(match)
            found.setdefault(code, match.start())
            taken.append((match.start(), position))
    for match in _CODE_TOKEN.finditer(question):
        if any(match.start() < end and start < match.end() for start, end in taken):
            continue
        for code in _codes_of_token(match.group()):
            found.setdefault(code, match.start())
    for match in _BARE_REGULATOR.finditer(question):
        if not any(start <= match.start() < end for start, end in taken):
            found.setdefault(match.group(), match.start())
    return tuple(sorted(found, key=found.__getitem__))


def _spaced_parts(question: str, parts: Container[str]) -> Iterator[tuple[int, int]]:
    """Yield where a word, or several in a row, are a part of the library, the longest first."""
    words = list(_WORD.finditer(question))
    first = 0
    while first < len(words):
        for last in range(min(first + _MAX_WORDS, len(words)) - 1, first - 1, -1):
            start = words[first].start()
            end = start + len(question[start : words[last].end()].rstrip("-_/.,"))
            joined = normalize_code(question[start:end])
            is_long = len(joined) >= (_MIN_JOINED if last > first else _MIN_PART)
            if is_long and joined in parts and not question[start:end].isalpha():
                yield start, end
                first = last
                break
        first += 1


def _codes_of_token(token: str) -> list[str]:
    token = _PLURAL.sub(r"\1", token.strip("-_/."))
    if "/" in token and not re.search(r"-[IEHM]/", token, re.IGNORECASE):
        parts = expand_code(token)
        if len(parts) > 1 and is_part_number(parts[0]):
            return [token]
    return [token] if is_part_number(token) else []


def _separated_code(match: re.Match[str]) -> tuple[str, int]:
    """Take what stands behind ("PCF 85063 A") unless it may be a word or a unit."""
    tail = match["tail"] or ""
    if tail.startswith("-") or (tail == " A" and match["letters"].isupper()):
        return match.group(), match.end()
    return match.group()[: len(match.group()) - len(tail)], match.end() - len(tail)


def _is_separated_code(match: re.Match[str], known: frozenset[str]) -> bool:
    letters, digits = match["letters"], match["digits"]
    word = letters.casefold()
    joined = letters + digits
    if (
        word in WORDS_BEFORE_NUMBERS
        or _QUANTITY.fullmatch(digits)
        or _NOT_PARTS.fullmatch(joined)
        or not is_part_number(joined)
    ):
        return False
    if word in known or re.sub(r"\d.*", "", word) in known:
        return True
    if any(map(is_of_period, find_values(digits))):
        return False  # "COGS 2019", "eBay 2019"
    n_digits = sum(c.isdigit() for c in digits)
    is_shouted = letters.isupper() or any(c.isupper() for c in letters[1:])
    return n_digits >= 3 and (is_shouted or not re.search(r"[aeiouy]", word))


@lru_cache(maxsize=65536)
def is_part_number(code: str) -> bool:
    """Tell whether letters and digits look like a part number, not a quantity, pin or package."""
    normal = normalize_code(code)
    if any(p.fullmatch(code) for p in (_QUANTITY, _HEXADECIMAL, _NOT_PARTS)) or find_periods(code):
        return False
    n_digits = sum(c.isdigit() for c in normal)
    n_letters = sum(c.isalpha() for c in normal)
    if len(normal) < 4 or n_letters == 0 or n_digits == 0:
        return False
    if _ONE_DIGIT_PART.fullmatch(code):
        return True
    n_known = n_digits + (len(normal) - len(normal.rstrip("x")) if normal[-1] == "x" else 0)
    if re.match(r"\d+(?:[.\-]\d+)?-?[a-z]+(?:-[a-z]+)*$", code, re.IGNORECASE):
        return False  # "12-bit", "2-wire", "2.4-GHz", "100nF"
    return (n_known >= 2 and n_letters >= 2) or (n_letters >= 1 and n_known >= 3)


_WORDS_BEFORE_NUMBERS = """
    a about above adc aec after all among amp amps an and ansi any appendix are around as at
    bank batch baud be before below between bit bits box bps buy by bytes can case cell cells
    celsius ch channel channels chapter chip class cm code col column config dac day days deg
    degrees did din div do does down each edge eia en eq equation error even every exactly
    example fig figure firmware first for form from gain get give gnd go grade has have how
    http hz iec ieee if in into ip is iso it item its java jesd just keep kelvin key kg khz km
    last least led less level line lines list lot lux ma made make max maximum may me mhz mil
    min minimum mm mode model month more most mv need next nine no nos not note notes nr num
    number of off office ohm ohms on one only option or other out over page pages part parts
    pass per percent phase pick pin pins point points port pp put pwm python rate read reel
    register reset rev revision rfc room row rows rpm run sample samples scale scl sda sec
    section sections see serial set seven show since size slot some sps step steps sum table
    tables tcp ten than that the then these this those three tia till timer times to top two
    type ua uart udp ul under unit units until up usb use user using utf val value vcc vdd
    version via vin vol volt volts vout vref vs vss wait was watt watts were what when where
    which while win windows with within without word words would write year years zero
"""
WORDS_BEFORE_NUMBERS = frozenset(_WORDS_BEFORE_NUMBERS.split())
"""Words that people write before numbers: "figure 12", "at 125" are no part numbers."""

_VENDOR_PREFIXES = """
    ad ada adc adg adi adm adp adr ads adt adum adxl afe aic am apds as at atmega attiny ba bc
    bd bf bh bhi bma bme bmg bmi bmm bmp bno bq bs bu cc cd ch cp csd cy cyw da dac das dp drv
    ds ep esp fan fdc fds ft fxos gd ha hdc hef hih hm hmc hmp htu icm iis ina iqs ir irf irlz
    isl iso ka kt l lan lc lis lm lmh lmk lmr lms lmt lmv lp lsm lt ltc ltm lv max mb mc mcp
    mic mk ml mlx mma mp mpl mpm mpq mpr mpu msp mt nau nc ncp ncv ne nlas nrf nsi ntc op opa
    opt pam pca pcf pcm pga pic pmw qmc rfm rt rtl rx sam se sen sfh sg sgp sht si sk sn snj
    sps sst st stc stm stp sts sy tas tc tca tcan tcs tda tdc tea ths tl tlc tle tlv tmag tmp
    tms tpa tpd tps tpsm trf ts tsl tsop tsv tusb txb txs ua uc ucc uln umd upd vcnl veml vl
    vn w wm wroom x xc xl xmc xr z
"""
VENDOR_PREFIXES = frozenset(_VENDOR_PREFIXES.split())
"""Letters that makers start their part numbers with: "opa 4197" is one."""

_PLAIN_WORDS = """
    ABS ACK ALL ALSO AN AND ANY APPENDIX ARE AS AT BE BIT BITS BUT BY BYTE CAN CAUTION COM
    DATA DATE DESCRIPTION DOC EACH END FALSE FIG FIGURE FOR FROM FULL HAS HIGH HOW HTTP HTTPS
    IF IN INC IS IT ITS LAST LED LEVEL LOGIC LOW LTD MAX MAY MIN MODE MORE NAME NEW NO NOM NON
    NOT NOTE NOTES NULL NUMBER OF OFF ON ONE ONLY OPEN OR OUR OUT PAGE PAR PARAMETER PART PCB
    PDF PER PIN PINS READ REF RESET REV ROHS SEE SET SIZE STATE STEP SYMBOL TABLE TBD TEST
    THAT THE THEN THIS TI TO TOP TRUE TWO TYP TYPE UNIT UNITS URL USA USD USE VALUE VIA
    WARNING WAS WHEN WHO WHY WITH WRITE WWW YES YOU ZERO
"""
PLAIN_WORDS = frozenset(_PLAIN_WORDS.split())
"""Words that datasheets set in capitals and that name no pin or register."""
