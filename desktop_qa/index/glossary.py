"""The library's glossary: what names mean the same, weighed by how many documents say so."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from desktop_qa.core.document import DocumentId
from desktop_qa.core.glossary import GlossarySource
from desktop_qa.index.glossary_table import GlossaryRow, GlossaryTable

_MAX_RANKED = 5
"""Other names of one thing."""


@dataclass(frozen=True, slots=True)
class OtherName:
    """A name of the same thing.

    Attributes:
        text: As a document prints it.
        key: See `symbol_key` or `name_key`.
        confidence: That it means what the question means, in (0, 1].
    """

    text: str
    key: str
    confidence: float


class Glossary:
    """What names mean the same, weighed by how many documents say so.

    The documents that a question names count alone where they know a name: what a symbol means in
    other documents is then of no matter.
    """

    def __init__(self, table: GlossaryTable | None = None) -> None:
        self._table = table

    def known_names(self, keys: Collection[str]) -> frozenset[str]:
        """Return which keys are names in words that any document explains."""
        if self._table is None:
            return frozenset()
        return frozenset(key for key in keys if self._table.has_glossary_name(key))

    def symbols_of(
        self, name: str, documents: Collection[DocumentId] = ()
    ) -> tuple[OtherName, ...]:
        """Return the symbols and acronyms of a name, the surest first.

        Args:
            name: Key of a name in words.
            documents: That the question names.
        """
        if self._table is None:
            return ()
        own = _Evidence(self._own(name, documents))
        symbols = own.shorts(long=name)
        if symbols:
            return self._ranked({key: 1.0 / len(symbols) ** 0.5 for key in symbols}, is_short=True)
        evidence = _Evidence(self._table.glossary_by_long((name,)))
        n_name = len(evidence.documents())
        confidences = {}
        for symbol in evidence.shorts():
            n_both = len(evidence.documents(symbol))
            if n_both >= MIN_DOCUMENTS or evidence.has(symbol, name, GlossarySource.ACRONYM):
                meanings = _Evidence(self._table.glossary_by_short((symbol,)))
                confidences[symbol] = n_both / (n_name + 1) * meanings.share_of_kin(symbol, name)
        return self._ranked(confidences, is_short=True)

    def names_of(
        self, symbol: str, documents: Collection[DocumentId] = ()
    ) -> tuple[OtherName, ...]:
        """Return what a symbol or an acronym stands for, the surest first; see `symbols_of`."""
        if self._table is None:
            return ()
        # Who asks for a pin by its name means the pin: what it is for finds other pins.
        own = self._own(symbol, documents)
        if own:
            names = _Evidence(row for row in own if row.source != GlossarySource.PIN)
            keys = names.longs()
            return self._ranked({key: 1.0 / len(keys) ** 0.5 for key in keys}, is_short=False)
        rows = self._table.glossary_by_short((symbol,))
        evidence = _Evidence(row for row in rows if row.source != GlossarySource.PIN)
        confidences = {}
        for name in evidence.longs():
            n_both = len(evidence.documents(symbol, name))
            if n_both >= MIN_DOCUMENTS or evidence.has(symbol, name, GlossarySource.ACRONYM):
                share = evidence.share_of_kin(symbol, name)
                confidences[name] = n_both / (n_both + 1) * share
        return self._ranked(confidences, is_short=False)

    def _ranked(self, confidences: dict[str, float], *, is_short: bool) -> tuple[OtherName, ...]:
        if self._table is None:
            return ()
        order = sorted(confidences.items(), key=lambda item: (-item[1], item[0]))
        return tuple(
            OtherName(self._table.glossary_text(key, is_short=is_short), key, confidence)
            for key, confidence in order[:_MAX_RANKED]
        )

    def _own(self, key: str, documents: Collection[DocumentId]) -> tuple[GlossaryRow, ...]:
        """Return what the documents of a question say of a symbol or name."""
        if self._table is None or not documents:
            return ()
        return _without_synonyms(self._table.glossary_between(key, documents))


MIN_DOCUMENTS = 2
"""That must agree on a pair, where the question names no document that has it."""


class _Evidence:
    """Rows of the glossary as sets of documents; what is said in so many words is left out."""

    def __init__(self, rows: Iterable[GlossaryRow]) -> None:
        self.rows = tuple(dict.fromkeys(_without_synonyms(rows)))
        self._documents: dict[tuple[str, str], set[DocumentId]] = {}
        for row in self.rows:
            self._documents.setdefault((row.short_key, row.long_key), set()).add(row.document_id)

    def shorts(self, long: str | None = None) -> list[str]:
        return list(dict.fromkeys(s for s, name in self._documents if long in (None, name)))

    def longs(self) -> list[str]:
        return list(dict.fromkeys(name for _short, name in self._documents))

    def documents(self, short: str | None = None, long: str | None = None) -> set[DocumentId]:
        found: set[DocumentId] = set()
        for (one, name), documents in self._documents.items():
            if short in (None, one) and long in (None, name):
                found |= documents
        return found

    def share_of_kin(self, short: str, long: str) -> float:
        """Share of a symbol's documents that give it to a name of the same kind of thing."""
        kin: set[DocumentId] = set()
        for (one, name), documents in self._documents.items():
            if one == short and _are_kin(name, long):
                kin |= documents
        return len(kin) / max(len(self.documents(short)), 1)

    def has(self, short: str, long: str, source: GlossarySource) -> bool:
        return any(
            (row.short_key, row.long_key, row.source) == (short, long, source) for row in self.rows
        )


def _without_synonyms(rows: Iterable[GlossaryRow]) -> tuple[GlossaryRow, ...]:
    """Leave out what earlier versions learned: two names in words for one thing."""
    return tuple(row for row in rows if row.source != "synonym")


def _are_kin(one: str, other: str) -> bool:
    """Tell whether two names end with the same noun: both are voltages, or both converters."""
    return one.split()[-1] == other.split()[-1]
