"""The maker of a document, found from what several witnesses on its pages say.

No maker is listed: a name is a candidate where it holds a copyright, stands before a legal form
("Corporation", "GmbH"), speaks for itself ("... reserves the right") or runs along the edge of the
pages. It wins by how many kinds of witness name it, on how many pages, and whether the document's
own address spells it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import PurePosixPath

from desktop_qa.core.document import BoundingBox
from desktop_qa.parse.lines import Line
from desktop_qa.parse.page import PageContent
from desktop_qa.parse.wordmark import Wordmark

FORM = re.compile(
    r"(?:(?<=[\s,.])(?:Inc|INC|Incorporated|INCORPORATED|Corp|CORP|Corporation|CORPORATION|"
    r"Company|COMPANY|Ltd|LTD|Limited(?!\sto\b)|LIMITED|LLC|PLC|plc|GmbH|GMBH|AG|ASA|AB|A/S|Oyj?|"
    r"KK|(?:Co|CO)[., ]+(?:Ltd|LTD|Inc|INC|Limited|LIMITED)|"
    r"(?:Pte|Pty|PTE|PTY)\.? (?:Ltd|LTD)|SpA|SE)(?![\w-])|"
    r"(?<=[\s,.])(?:B\.\s?V\.|N\.\s?V\.|S\.\s?A\.|S\.p\.A\.|K\.\s?K\.))"
)
_SIGN = re.compile(
    r"(?:©|\bcopyright\b|(?:®|[\ue000-\uf8ff]|\bc\b|\(c\))(?=[\s,]*(?:(?:19|20)\d\d|copyright)))",
    re.IGNORECASE,
)
"""The sign of copyright; in old fonts other signs stand in its place before a year."""

_YEARS = re.compile(
    r"(?:[\s,@.:]|©|\([cC]\)|®|[\ue000-\uf8ff]|\bcopyright\b|\bby\b|(?:19|20)\d\d(?!\d)|"
    r"[-–/]\s?\d\d\b|[-–])*",
    re.IGNORECASE,
)
_SPEAKS = re.compile(
    r"\s(?:reserves?\s+the\s+right|assumes?\s+no\s|does\s+not\s+(?:assume|warrant|convey|recommend|"
    r"authori[sz]e)|(?:makes|takes|accepts)\s+no\s|is\s+continually\s|can\s?not\s+(?:assume|be\s+held)|"
    r"is\s+not\s+responsible|products\s+are\s+not|and\s+its\s+subsidiaries|shall\s+not\s+be\s+liable|"
    r"(?:sales|regional)\s+(?:office|representative)|hereby\s+disclaims|warrants\s+performance|"
    r"\([^()]{0,40}?(?-i:[A-Z]\w+:\s?[A-Z]{1,5})\))",
    re.IGNORECASE,
)
_OWNED = re.compile(
    r"\b(?:(?:trademarks?|approval|consent|permission|property)\s+of|"
    r"(?:published|manufactured|assumed)\s+by|\bfrom)\s+(?:the\s+)?",
    re.IGNORECASE,
)
_WEIGHTS = {"holder": 4.0, "legal": 2.0, "speaks": 3.0, "owner": 1.0, "edge": 3.0,
            "address": 4.0, "mail": 1.5, "site": 3.0, "trade": 1.5, "author": 1.5, "signed": 3.0,
            "front": 2.0, "place": 1.0, "logo": 4.0}  # fmt: skip
_LEAST_SCORE = 3.5
"""One mention of one kind ("Silicon Limited") names nobody."""

_COMMON = 0.4
"""What the score of a name is worth that the text also has in small letters."""

_ADDRESS = re.compile(
    r"(?:\bwww\.|https?://(?:www\.)?|(?P<mail>@))(?P<host>(?:[a-z0-9-]+\.)+[a-z]{2,4})\b|"
    r"(?<![\w.@/-])(?P<bare>(?:[a-z0-9-]{2,}\.)+com)\b",
    re.IGNORECASE,
)
_MOST_WORDS = 4
"""Of a name that stands before its address."""

_ZONES = frozenset(["com", "net", "org", "edu", "gov", "info", "co", "ac", "ne", "or"])
_PROVIDER = re.compile(r"datasheet|data-sheet|catalog|mail|google|chipfind", re.IGNORECASE)
_COPIED = re.compile(r"download(?:ed)?\s+from|(?:provid|distribut)ed\s+by", re.IGNORECASE)

_TRADE = frozenset({
    "semiconductor", "semiconductors", "electronics", "electronic", "microelectronics",
    "technology", "technologies", "instruments", "devices", "components", "systems", "products",
    "international", "industries", "industrial", "integrated", "circuits", "solutions", "group",
    "company", "america", "americas", "europe", "asia", "china", "japan", "usa",
    "optoelectronics", "power", "discrete", "data", "north", "electric", "display",
    "communications", "community", "computer", "koninklijke",
})  # fmt: skip
"""Words that many makers share: they tell no two of them apart."""

_NEVER = frozenset({
    "all", "application", "copyright", "information", "note", "other", "reserved", "rights",
    "the",
})  # fmt: skip
"""Words of sentences and of sheets, of which no name begins or consists."""

_HOUSE_NAMES = {
    "microchip": "Microchip", "espressif": "Espressif Systems", "invensense": "TDK InvenSense",
    "infineon": "Infineon", "maxim": "Maxim Integrated", "renesas": "Renesas", "rohm": "ROHM",
    "vishay": "Vishay", "diodes": "Diodes Incorporated", "cypress": "Cypress", "on": "onsemi",
    "philips": "Philips Semiconductors", "onsemi": "onsemi", "nxp": "NXP Semiconductors",
}  # fmt: skip
"""How makers are called here whose names the years and the branches spell in several ways."""

_HEAD_SHARE = 0.12
_FOOT_SHARE = 0.93
"""Of the height of page 1: above and below stand the maker and the numbers of the document."""

_TOKEN = re.compile(r"&|[a-z]?[A-ZÀ-Ý][\w&'’./\-]*", re.UNICODE)
_NAME_WORD = re.compile(r"(?<![\w-])[A-Z][A-Za-z]{3,}(?![\w-])")
_INITIALS = 4
"""Letters of a name that is more likely its maker's initials than a word."""

_NEARLY = 0.75
"""Likeness of spellings (difflib) at which a word read from a drawing is one of the text."""

_FILE_NAME = re.compile(r"(?P<maker>[A-Z][A-Za-z]+)_(?P<part>.*\d.*)")
_TRADED = re.compile(r"(?i:\b(?:semiconductors?|(?:micro)?electronics))\b")
_TITLED = re.compile(
    r"(?<![\w.])[A-Z][A-Za-z&'’-]+(?:[ ](?:& )?[A-Z][A-Za-z&'’-]+\b(?! series)){0,3}"
)
_MAX_TOKENS = 5


@dataclass(frozen=True, slots=True)
class PageTexts:
    """Lines of one page as the engine has them; `edge` are those of its running head and foot."""

    lines: Sequence[str]
    edge: Sequence[str] = ()


def edge_lines(page: PageContent, lines: Sequence[Line], aside: Sequence[Line]) -> list[Line]:
    """Return the running head and foot; on page 1, where a head is set apart, all that is there."""
    if page.page_no > 1:
        return list(aside)
    top, bottom = _HEAD_SHARE * page.height, _FOOT_SHARE * page.height
    known = {id(line) for line in aside}
    return [ln for ln in lines if id(ln) in known or not top < ln.baseline < bottom]


@dataclass(slots=True)
class _Candidate:
    """A maker under all its spellings; `pages` are those on which each witness names it."""

    pages: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    spellings: Counter[str] = field(default_factory=Counter)

    def add(self, spelling: str, witness: str, page: int) -> None:
        self.pages[witness].add(page)
        self.spellings[spelling] += 3 if witness == "front" else 1

    def score(self, n_pages: int) -> float:
        """Each kind of witness counts by itself, and more where it stands on many pages."""
        return sum(
            _WEIGHTS[witness] * (1 + 2 * min(len(pages) / (n_pages + 1), 1.0))
            for witness, pages in self.pages.items()
        )


def find_vendor(
    pages: Sequence[PageTexts],
    pdf_metadata: Mapping[str, str],
    paths: Sequence[str] = (),
    read_logos: Callable[[], Sequence[Wordmark]] = tuple,
) -> str:
    """Name the maker of a document, without its legal form; logos are read where words name nobody.

    Where nothing on the pages tells it, it is that of a file named MAKER_PART, whose part the pages
    have; else empty.
    """
    for read in (tuple, read_logos):
        candidates = rank_vendors(pages, pdf_metadata, paths, read())
        if candidates and candidates[0][1] >= _LEAST_SCORE:
            return candidates[0][0]
    return next(filter(None, (_of_file(path, pages) for path in paths)), "")


def _of_file(path: str, pages: Sequence[PageTexts]) -> str:
    """Read the maker from a file named MAKER_PART; a word of the text is none."""
    match = _FILE_NAME.fullmatch(PurePosixPath(path).stem)
    name = _cleaned([match["maker"]]) if match else ""
    if not match or not name:
        return ""
    text = "\n".join(line for page in pages for line in page.lines)
    codes = [
        code for code in re.split(r"[-_\s]", match["part"]) if re.search(r"\d\w\w|\w\w\d", code)
    ]
    is_sheet_of = any(code.casefold() in text.casefold() for code in codes)
    is_word = re.search(rf"\b{re.escape(name.casefold())}\b", text)
    return name if is_sheet_of and not is_word else ""


def rank_vendors(
    pages: Sequence[PageTexts],
    pdf_metadata: Mapping[str, str],
    paths: Sequence[str] = (),
    logos: Sequence[Wordmark] = (),
) -> list[tuple[str, float]]:
    """Return the candidates with their scores, best first."""
    texts = ["\n".join(page.lines) for page in pages]
    drawn = next(filter(None, _drawn_names(logos, texts)), "")
    groups = _grouped((*_named(texts), *([(drawn, "logo", 0)] if drawn else [])))
    _add_addresses(groups, texts)
    _add_edges(groups, pages)
    author = _cleaned(pdf_metadata.get("author", "").split())
    if author and author in pdf_metadata.get("title", "") and not _PROVIDER.search(author):
        groups.setdefault(_key(author), _Candidate()).add(author, "signed", 0)
    places = {token for path in paths for token in re.split(r"[_/\\\s]+", path.casefold())}
    for candidate in groups.values():
        name = candidate.spellings.most_common(1)[0][0]
        key, own = _key(name), _key(author)
        if key and own and (key <= own or own <= key):
            candidate.add(author, "author", 0)
        initials = "".join(word[0] for word in re.findall(r"\w+", name)).casefold()
        if places & (key | {_compact(name), initials}):
            candidate.pages["place"].add(0)
    plain = " ".join(_ADDRESS.sub(" ", text) for text in texts)
    ranked = [
        (_display(c), c.score(len(pages)) * (_COMMON if _is_common(c, plain) else 1.0))
        for c in groups.values()
    ]
    return sorted(ranked, key=lambda item: (-item[1], item[0]))


def _is_common(candidate: _Candidate, text: str) -> bool:
    return any(
        re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", text) for name in candidate.spellings
    )


def _named(texts: Iterable[str]) -> Iterator[tuple[str, str, int]]:
    """Find names, each with its witness and the page."""
    for index, text in enumerate(texts):
        for witness, name in _names_on(text):
            if not name:
                continue
            yield name, witness, index
            if index == 0 and witness != "owner":
                yield name, "front", index


def _names_on(text: str) -> Iterator[tuple[str, str]]:
    for match in _SIGN.finditer(text):
        start = _YEARS.match(text, match.end()).end()  # type: ignore[union-attr]  # matches empty
        yield "holder", _after(text, start)
    for match in FORM.finditer(text):
        if not _is_of_copier(text, match.start()):
            yield "legal", _before(text, match.start())
    for match in _SPEAKS.finditer(text):
        yield "speaks", _before(text, match.start())
    for match in _OWNED.finditer(text):
        yield "owner", _after(text, match.end())
    for match in _TRADED.finditer(text):
        yield "trade", _before(text, match.end())


def _drawn_names(logos: Sequence[Wordmark], texts: Sequence[str]) -> Iterator[str]:
    """Join a logo's rows, the tallest first; a word that the text has is spelled as there."""
    known = {word.casefold(): word for text in texts for word in _NAME_WORD.findall(text)}
    known |= {word: word.capitalize() for word in _TRADE}
    words = {
        mark: next((known[near] for near in alike), mark.text.capitalize())
        for mark in logos
        for alike in [get_close_matches(mark.text.casefold(), known, 1, _NEARLY)]
    }
    words |= {mark: mark.text for mark in logos if len(mark.text) <= _INITIALS}
    for mark, word in words.items():
        beside = [other for other in logos if words[other].casefold() in _TRADE]
        beside = [other for other in beside if _is_below(mark.bbox, other.bbox)]
        yield _cleaned([word, *(words[other] for other in beside[:1])])


def _is_below(above: BoundingBox, box: BoundingBox) -> bool:
    """Tell whether a row stands under another, or behind it."""
    gap = box.top - above.bottom
    under = -0.5 < gap / above.height < 1 and above.left < box.right and box.left < above.right
    behind = abs(box.bottom - above.bottom) < 0.3 * above.height
    return under or (behind and 0 < box.left - above.right < 2 * above.height)


def _before(text: str, end: int) -> str:
    """Read the name that ends where a legal form or a verb stands; a form before it is dropped."""
    head = text[max(0, end - 90) : end].rstrip(" \n,.")
    line = head[head.rfind("\n") + 1 :]
    tokens: list[str] = []
    for token in reversed(line.split(" ")):
        if not _TOKEN.fullmatch(token.rstrip(",.")) and token != "&":
            break
        ends = tokens and token[-1:] in ",.;:" and len(token) > 2
        if ends and not FORM.fullmatch(" " + token.rstrip(",."), 1):
            break
        tokens.insert(0, token)
    return _cleaned(tokens[-_MAX_TOKENS:])


def _after(text: str, start: int) -> str:
    """Read the name that begins here, up to a legal form, a sign or a word in small letters."""
    line = text[start : start + 90].split("\n")[0]
    form = FORM.search(" " + line)
    tokens: list[str] = []
    for token in (line[: form.start() - 1] if form else line).split(" "):
        if not _TOKEN.fullmatch(token.rstrip(",.;:")):
            break
        tokens.append(token)
        if token[-1:] in ",.;:":
            break
    return _cleaned(tokens[:_MAX_TOKENS])


def _cleaned(tokens: Sequence[str]) -> str:
    """Join a name from its words without legal forms and what belongs to the sentence."""
    kept = [re.sub(r"['’][sS]?$", "", token.strip(",.;:()|")) for token in tokens]
    while kept and (_is_of_sentence(kept) or not kept[0]):
        kept.pop(0)
    for index, token in enumerate(kept):
        after = token.rpartition("-")[2]
        is_adjective = after != token and after.islower() and after not in _TRADE
        is_form = FORM.fullmatch(" " + token, 1) or token.casefold() in _NEVER | {"co"}
        if index and (is_form or is_adjective):
            kept = kept[:index]
            break
    while kept and kept[-1] in ("&", ""):
        kept.pop()
    name = " ".join(kept)
    letters = sum(char.isalpha() for char in name)
    letters = letters if len(_compact(name)) > 1 else 0
    is_code = any(any(char.isdigit() for char in token) and len(token) > 3 for token in kept)
    telling = _key(name) - _TRADE
    return name if telling and letters >= 2 and letters >= 0.7 * len(name) and not is_code else ""


def _is_of_sentence(tokens: Sequence[str]) -> bool:
    """Tell whether the first word begins a sentence; "ON" of ON Semiconductor does not."""
    stands_out = len(tokens) > 1 and tokens[0].isupper() and not tokens[1].isupper()
    return tokens[0].casefold() in _NEVER and not (stands_out and len(tokens[0]) <= 3)


def _key(name: str) -> frozenset[str]:
    """Words of a name that tell it from others."""
    words = [re.sub(r"\W", "", word).casefold() for word in re.split(r"[\s/]+", name)]
    telling = frozenset(word for word in words if word and word not in _TRADE)
    return telling or frozenset(filter(None, words))


def _compact(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()


def _grouped(found: Iterable[tuple[str, str, int]]) -> dict[frozenset[str], _Candidate]:
    """Gather spellings under the shortest one that tells the maker."""
    named = list(found)
    keys = sorted(
        {_key(name) for name, _witness, _page in named}, key=lambda k: (len(k), sorted(k))
    )
    leader: dict[frozenset[str], frozenset[str]] = {}
    for key in keys:
        leader[key] = next((k for k in keys if k in leader.values() and k <= key), key)
    groups: dict[frozenset[str], _Candidate] = defaultdict(_Candidate)
    for name, witness, page in named:
        groups[leader[_key(name)]].add(name, witness, page)
    return groups


def _add_addresses(groups: dict[frozenset[str], _Candidate], texts: Sequence[str]) -> None:
    """Let the document's addresses speak for the name that they spell, else for themselves."""
    pages: dict[tuple[str, str], set[int]] = defaultdict(set)
    for index, text in enumerate(texts):
        for match in _ADDRESS.finditer(text):
            label = _label(match["host"] or match["bare"])
            if not label or _is_of_copier(text, match.start()):
                continue
            pages[label, "mail" if match["mail"] else "address"].add(index)
            before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            name = _cleaned(before.split()[-_MOST_WORDS:])
            if name and _spells(label, name):
                groups.setdefault(_key(name), _Candidate()).spellings[name] += 1
    for (label, witness), on in pages.items():
        spelled = [c for c in groups.values() if any(_spells(label, n) for n in c.spellings)]
        if not spelled:
            name = _as_printed(label, texts)
            key = _key(name)
            spelled = [groups.setdefault(key, _Candidate())]
            spelled[0].spellings[name] += 1
            witness = "site" if witness == "address" else witness
        for candidate in spelled:
            candidate.pages[witness] |= on
            if 0 in on:
                candidate.pages["front"].add(0)


def _is_of_copier(text: str, at: int) -> bool:
    """Tell whether a line has said before that it names who passed the document on."""
    return bool(_COPIED.search(text[text.rfind("\n", 0, at) + 1 : at]))


def _label(host: str) -> str:
    """Return the word of a host that its owner chose: "analog" of www.analog.com."""
    parts = host.casefold().split(".")[:-1]
    while len(parts) > 1 and parts[-1] in _ZONES:
        parts.pop()
    label = parts[-1] if parts else ""
    return "" if _PROVIDER.search(label) or label in _ZONES or len(label) < 2 else label


def _spells(label: str, name: str) -> bool:
    """Tell whether an address is made of a name: maxim-ic, centralsemi, irf, ti, aosmd."""
    words = [word for w in re.split(r"[\s/&-]+", name) if (word := _compact(w))]
    letters = re.sub(r"\W", "", label)
    n_spelled, n_words = _spelled(letters, words)
    if n_spelled == len(letters):
        return n_words == len(words) or n_spelled >= 4 or n_spelled == len(words[0])
    if words and words[0] == letters[: len(words[0])] and len(words[0]) >= 3:
        return True
    rest = letters[n_spelled:]
    is_trade = len(rest) > 3 and any(word.startswith(rest) for word in _TRADE)
    return n_words == len(words) >= 2 and (len(rest) <= 2 or is_trade)


def _spelled(letters: str, words: Sequence[str]) -> tuple[int, int]:
    """Count the letters that beginnings of a name's words spell in order, and these words."""
    best = (0, 0)
    if not words or not letters:
        return best
    for n in range(1, min(len(letters), len(words[0])) + 1):
        if letters[n - 1] != words[0][n - 1]:
            break
        rest, used = _spelled(letters[n:], words[1:])
        best = max(best, (n + rest, 1 + used))
    return best


def _tells(label: str, name: str) -> bool:
    """Tell whether a name spells more of an address than chance would: four letters, two words."""
    n_spelled, n_words = _spelled(re.sub(r"\W", "", label), [_compact(w) for w in name.split()])
    return n_spelled >= 4 or n_words >= 3


def _as_printed(label: str, texts: Sequence[str]) -> str:
    """Write the word of an address as the pages write the name, else with a capital."""
    forms: Counter[str] = Counter()
    for text in texts:
        for match in _TITLED.finditer(text):
            words = match[0].split(" ")
            for n in range(1, len(words) + 1):
                name = _cleaned(words[:n])
                forms[name] += bool(name) and _spells(label, name) and _tells(label, name)
    if +forms:
        return max(forms, key=lambda name: (forms[name], len(name), name))
    word = label.split("-")[0] if label.find("-") > 2 else label
    return word.upper() if len(word) <= 4 else word.capitalize()


def _add_edges(groups: dict[frozenset[str], _Candidate], pages: Sequence[PageTexts]) -> None:
    """Count the pages along whose edge a name runs."""
    lines: dict[str, set[int]] = defaultdict(set)
    for index, page in enumerate(pages):
        for line in page.edge:
            lines[" ".join(line.split())].add(index)
    for line, on in lines.items():
        words = re.sub(r"\b\d+\b", "", _ADDRESS.sub(" ", line)).split()
        folded = frozenset(re.sub(r"\W", "", word).casefold() for word in words)
        for key, candidate in groups.items():
            if key <= folded:
                candidate.pages["edge"] |= on


def _display(candidate: _Candidate) -> str:
    """Choose the usual spelling, small letters before capitals."""
    forms: Counter[str] = Counter()
    for spelling, n in candidate.spellings.items():
        forms[spelling.casefold()] += n
    usual = max(forms, key=lambda form: (forms[form], len(form), form))
    spellings = [s for s in candidate.spellings if s.casefold() == usual]
    best = max(spellings, key=lambda s: (not s.isupper(), candidate.spellings[s], s))
    if best.isupper():
        best = " ".join(w.capitalize() if len(w) > 4 and w.isalpha() else w for w in best.split())
    return next((_HOUSE_NAMES[word] for word in sorted(_key(best)) if word in _HOUSE_NAMES), best)
