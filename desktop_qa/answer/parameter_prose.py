"""Parameters that stand in sentences: features, descriptions, ratings written as a list.

Only what the vocabulary of parameters knows is read from prose: a number in a sentence means what
its clause says, and nothing else tells what that is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_qa.answer.parameter_names import name_key, stems
from desktop_qa.answer.parameter_parts import AskedPart, Hold
from desktop_qa.answer.parameter_values import Amount, base_unit, plain, read_amounts
from desktop_qa.answer.parameters import Parameter, SectionKind, kind_of_titles
from desktop_qa.augment.quantities import is_unit
from desktop_qa.core.document import ColumnRole
from desktop_qa.core.segment import Segment, SegmentKind

_FRONT_PAGES = 2
_FRONT_SECTION = re.compile(
    r"features?\b|description|overview|highlights|key (?:spec|param|feat)|特性|说明",
    re.IGNORECASE,
)
_MEMORY_SECTION = re.compile(r"functional description|memory|\bcpu\b", re.IGNORECASE)
_LAST_FRONT_PAGE = 6
_LEADER = re.compile(r"^(?P<name>.{3,90}?)\s*(?:\.{4,}|…)\s*(?P<value>\S.{0,60})$")
_SENTENCE_END = re.compile(r"(?<=[A-Za-z)0-9]\.)\s+(?=[A-Z])|(?<=。)")
_CLAUSE_END = re.compile(r"[;:；：]\s|,\s(?!\d{3})|\s(?:with|and|while|but|which)\s|，")
_UNIT = (
    r"(?:samples per second|%\s?(?:RH|relative humidity)?|°\s?C(?:/W)?"
    r"|[A-Za-zΩ]{1,5}(?:/[A-Za-z√]{1,4})?)"
)
_QUANTITY = re.compile(
    rf"(?<![\w.,/-])(?P<low>[+\-±]?\s?\d+(?:[.,]\d+)?)"
    rf"(?:\s?(?P<first>{_UNIT})?\s?(?:\bto\b|~|\.\.\.|至)\s?(?P<high>[+\-±]?\s?\d+(?:[.,]\d+)?))?"
    rf"[\s-]?(?P<unit>{_UNIT})(?![A-Za-z])"
)
_COUNT = re.compile(
    r"(?<![\w.,/-])(?P<number>\d{1,4})\s*(?:×|x)?\s+(?P<noun>[A-Za-z][A-Za-z -]{2,30})"
)
_SIZE = re.compile(
    r"(?<![\w.])(?P<a>\d+(?:\.\d+)?)(?:\s?±\s?[\d.]+)?[\s-]?(?P<u1>mm)?²?\s?[x×*X]\s?"
    r"(?P<b>\d+(?:\.\d+)?)(?:\s?±\s?[\d.]+)?[\s-]?(?P<u2>mm)?²?\s?[x×*X]\s?"
    r"(?P<c>\d+(?:\.\d+)?)(?:\s?±\s?[\d.]+)?[\s-]?(?P<u3>mm)?(?![\d])"
)
_ADDRESS = re.compile(
    r"(?<!\w)(?P<address>[01]{7}b?(?:\s?\(0x[0-9A-Fa-f]{2}\))?|0x[0-9A-Fa-f]{2})(?!\w)"
)
_OF_DEVICE = re.compile(
    r"\b(?:slave|device|i2c|i²c|7-bit)\s+(?:slave\s+)?address|\bpulled to\b", re.IGNORECASE
)
_CONNECTED = re.compile(
    r"\b\w+\s+(?:pin\s+|pad\s+)?(?:is\s+)?(?:(?:tied|connected|pulled|set|wired)\s+)?to\s+(?:the\s+)?"
    r"[‘'\"]?(?:GND|ground|V\w{1,5}|voltage supply|SDA|SCL|high|low)\b",
    re.IGNORECASE,
)
_OTHER_ADDRESS = re.compile(r"general call|register|start address|reserved", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]*\d[^()]*\)")
_MAXIMUM = re.compile(
    r"\b(?:up to|max(?:imum)?|at most|less than|below|as high as)\b|最大|[<≤]", re.I
)
_MINIMUM = re.compile(r"\b(?:min(?:imum)?|at least|more than|greater than)\b|最小|[>≥]", re.I)
_TYPICAL = re.compile(r"\btyp(?:ical(?:ly)?)?\b|典型", re.I)
_COMPARING = re.compile(
    r"(?<!less )(?<!more )(?<!greater )\bthan\b|\b(?:compared|versus|whereas|unlike|instead of"
    r"|competing|evaluation|example|for instance)\b",
    re.I,
)
_MAX_SENTENCE = 260
_MAX_NAME = 60


@dataclass(frozen=True, slots=True)
class _Found:
    name: str
    sentence: str
    clause: str
    amounts: tuple[Amount, ...]


def prose_parameters(segments: Sequence[Segment], part: AskedPart, start: int) -> list[Parameter]:
    """Read the sentences of a document's front matter, its listed ratings and its addresses."""
    found: list[Parameter] = []
    by_sentence: dict[tuple[str, str], int] = {}
    ratings: tuple[str, ...] | None = None
    seen: set[tuple[str, str]] = set()
    for segment in segments:
        if segment.kind is not SegmentKind.TEXT:
            continue
        if segment.metadata.section_path != ratings:
            ratings = None
        if any(_heads_ratings(line) for line in segment.text.split("\n")):
            ratings = segment.metadata.section_path
        for item, kind in _items(segment, ratings is not None):
            hold = part.holds(item.sentence)
            unit = next((a.unit for a in item.amounts if a.unit), "")
            key = name_key(item.name, "", "", unit)
            shown = " ".join(a.text for a in item.amounts)
            if hold is Hold.NO or key.known is None or (key.known.name, shown) in seen:
                continue
            seen.add((key.known.name, shown))
            at = by_sentence.setdefault((item.sentence, key.known.name), len(found))
            if at < len(found) and unit != "address":
                found[at] = _with_another(found[at], item.amounts)
                continue
            found.append(
                Parameter(
                    document_id=segment.document_id,
                    name=item.name if kind is SectionKind.ABSOLUTE else key.known.name,
                    symbol="",
                    heading="",
                    condition=_condition(item.clause),
                    kind=kind,
                    amounts=item.amounts,
                    key=key,
                    segment=segment,
                    quote=item.sentence,
                    order=start + len(found),
                    hold=hold,
                )
            )
    return found


def _with_another(parameter: Parameter, amounts: tuple[Amount, ...]) -> Parameter:
    """Join the values of a list: "400 kHz, 800 kHz and 1.2 MHz" are one parameter."""
    known, first = parameter.amounts, amounts[0]
    if len(amounts) > 1 or len(known) > 1 or known[0].unit != first.unit:
        return parameter
    texts = f"{known[0].text}, {first.text}"
    values = [v for v in (known[0].value, first.value) if v is not None]
    joined = Amount(ColumnRole.VALUE, texts, max(values, default=None), first.unit)
    return replace(parameter, amounts=(joined,))


def _condition(clause: str) -> str:
    if connected := _CONNECTED.search(clause):
        return connected.group()
    match = re.search(r"\(([^()]*\d[^()]*)\)|\bat\s+([+\-–−]?\d+\s?°C[^,.;]*)", clause)
    return (match.group(1) or match.group(2)).removeprefix("at ") if match else ""


def _heads_ratings(line: str) -> bool:
    return len(line) <= _MAX_NAME and kind_of_titles((line,)) is SectionKind.ABSOLUTE


def _items(segment: Segment, in_ratings: bool) -> Iterator[tuple[_Found, SectionKind]]:
    metadata = segment.metadata
    titles = tuple(reversed(metadata.section_path))
    page = min(metadata.page_nos, default=0)
    kind = SectionKind.ABSOLUTE if in_ratings else kind_of_titles(titles[:2])
    is_front = page <= _FRONT_PAGES or (
        page <= _LAST_FRONT_PAGE and any(_FRONT_SECTION.search(t) for t in titles)
    )
    lead = ""
    for line in segment.text.split("\n"):
        is_nested = line.startswith("  ") or line.lstrip().startswith(("–", "-"))
        is_listed = line.lstrip().startswith(("•", "–", "-"))
        line = line.strip().lstrip("•–-‣▪*# ").strip()
        if is_listed and not is_nested:
            lead = line if line.endswith((":", "：")) else ""
        if match := _LEADER.match(line):
            if (found := _listed(match, line)) is not None:
                yield found, kind
        elif segment.boilerplate:
            continue
        elif is_front or _ADDRESS.search(line) or (is_listed and _is_memory(titles)):
            for sentence in _SENTENCE_END.split(line):
                above = lead if is_nested else ""
                of_sentence = _of_sentence(sentence.strip(), is_front or is_listed, above)
                yield from (f for f in of_sentence if is_front or _is_memory_or_address(f[0]))


def _is_memory_or_address(found: _Found) -> bool:
    """Behind the front matter a sentence is taken for what it says of memories and addresses."""
    return found.amounts[0].unit in ("bit", "address") and not any(
        a.unit == "bit" and "bit" in a.text.split()[-1].casefold() for a in found.amounts
    )


def _is_memory(titles: Sequence[str]) -> bool:
    return any(_MEMORY_SECTION.search(title) for title in titles)


def _listed(match: re.Match[str], line: str) -> _Found | None:
    amounts = read_amounts(match["value"], "", ColumnRole.MAX)
    if not any(a.value is not None and a.unit for a in amounts):
        return None
    return _Found(match["name"].strip(), line, "", amounts)


def _of_sentence(sentence: str, is_front: bool, lead: str) -> Iterator[tuple[_Found, SectionKind]]:
    if not sentence or len(sentence) > _MAX_SENTENCE or _COMPARING.search(sentence):
        return
    if _OF_DEVICE.search(sentence) and not _OTHER_ADDRESS.search(sentence):
        before = 0
        for match in _ADDRESS.finditer(sentence):
            address = Amount(ColumnRole.VALUE, match["address"], None, "address")
            clause = sentence[before : match.end()]
            before = match.end()
            yield _Found("I2C address", sentence, clause, (address,)), SectionKind.FEATURE
    if not is_front:
        return
    size = _SIZE.search(sentence)
    if size and (size["u1"] or size["u2"] or size["u3"]):
        amounts = read_amounts(f"{size['c']} mm", "", ColumnRole.VALUE)
        yield _Found("Package height", sentence, "", amounts), SectionKind.FEATURE
    clauses = [c for c in _CLAUSE_END.split(sentence) if c]
    for clause in clauses:
        yield from _of_clause(clause, sentence, lead)


def _of_clause(clause: str, sentence: str, lead: str) -> Iterator[tuple[_Found, SectionKind]]:
    flat = plain(clause)
    found = list(_quantities_of(plain(_ASIDE.sub(" ", clause)), sentence, lead))
    yield from found or _quantities_of(flat, sentence, lead)
    spans = [m.span() for m in _QUANTITY.finditer(flat) if _is_unit(m["unit"])]
    for count in _COUNT.finditer(flat):
        if not any(start <= count.start() < end for start, end in spans):
            number = Amount(_bound(flat, sentence), count["number"], float(count["number"]), "")
            yield _Found(count["noun"], sentence, flat, (number,)), SectionKind.FEATURE


def _quantities_of(flat: str, sentence: str, lead: str) -> Iterator[tuple[_Found, SectionKind]]:
    quantities = [m for m in _QUANTITY.finditer(flat) if _is_unit(m["unit"])]
    for match in quantities[:3]:
        unit = match["unit"]
        text = (
            f"{match['low']} {match['first'] or ''} to {match['high']} {unit}"
            if match["high"]
            else (f"{match['low']} {unit}")
        )
        amounts = read_amounts(text, "", _bound(flat, sentence))
        if not amounts or not any(a.unit for a in amounts) or amounts[0].value is None:
            continue
        name = " ".join((lead, *(flat[: match.start()] + " " + flat[match.end() :]).split()))
        if len(stems(name)) < 1 or name_key(name, "", "", amounts[0].unit).known is None:
            units = [m["unit"] for m in _QUANTITY.finditer(plain(sentence))]
            if len(sentence) > 2 * _MAX_NAME or units.count(match["unit"]) > 1:
                continue
            name = plain(sentence).replace(match.group(), " ")
        yield _Found(name, sentence, flat, amounts), SectionKind.FEATURE


def _bound(clause: str, sentence: str) -> ColumnRole:
    for role, pattern in (
        (ColumnRole.TYP, _TYPICAL),
        (ColumnRole.MAX, _MAXIMUM),
        (ColumnRole.MIN, _MINIMUM),
    ):
        if pattern.search(clause) or (len(sentence) <= _MAX_NAME and pattern.search(sentence)):
            return role
    return ColumnRole.VALUE


def _is_unit(text: str) -> bool:
    return bool(text) and (is_unit(text) or base_unit(text)[1] in ("%", "%fs", "degree"))
