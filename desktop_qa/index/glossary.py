"""The library's glossary: what names mean the same, weighed by how many documents say so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from desktop_qa.core.document import DocumentId
from desktop_qa.core.glossary import GlossarySource
from desktop_qa.index.glossary_table import MAX_ROWS, GlossaryRow, GlossaryTable

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

    def names_in(self, documents: Collection[DocumentId]) -> frozenset[str]:
        """Return the keys of all names in words that some documents explain."""
        if self._table is None or not documents:
            return frozenset()
        return frozenset(row.long_key for row in self._table.glossary_of(documents))

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

    def synonyms_of(
        self, name: str, documents: Collection[DocumentId] = ()
    ) -> tuple[OtherName, ...]:
        """Return other names in words, the surest first.

        Two names are synonyms when documents give them the same symbol, or when one says so.
        Where one document has both, or tells apart what differs in them ("rise time", "fall
        time"), they are not. A document that uses the name of the question needs no other.
        """
        if self._table is None:
            return ()
        if any(row.long_key == name for row in self._own(name, documents)):
            return ()
        of_name = self._table.glossary_by_long((name,))
        evidence = _Evidence(of_name)
        evidence = evidence.joined(self._table.glossary_by_short(evidence.shorts()))
        others = [other for other in evidence.longs() if _are_kin(other, name) and other != name]
        swapped = {swap for other in others for swap in _swaps(name, other)}
        evidence = evidence.joined(self._table.glossary_by_long({*others, *swapped})).complete()
        in_own = self.names_in(documents)
        confidences = {}
        for other in others:
            confidence = evidence.likeness(name, other)
            is_own = other in in_own
            if confidence > 0 and (is_own or not documents):
                confidences[other] = max(confidence, OWN_CONFIDENCE) if is_own else confidence
        ranked = list(self._ranked(confidences, is_short=False))
        said = (*of_name, *self._table.glossary_by_short((name,)))
        for row in said:
            if row.source != GlossarySource.SYNONYM:
                continue
            is_short = row.long_key == name
            key = row.short_key if is_short else row.long_key
            text = self._table.glossary_text(key, is_short=is_short)
            ranked.append(OtherName(text, key, SAID_CONFIDENCE))
        return tuple(ranked)


SAID_CONFIDENCE = 0.5
"""Of two names that a document says to mean the same: it may mean so only there."""

OWN_CONFIDENCE = 0.6
"""At least, of a synonym that the documents of the question use instead of its own word."""

MIN_DOCUMENTS = 2
"""That must agree on a pair, where the question names no document that has it."""


MIN_SHARED_WORDS = 2
"""Of names that only one document connects: the symbol may mean something else there."""


class _Evidence:
    """Rows of the glossary as sets of documents; what is said in so many words is left out."""

    def __init__(self, rows: Iterable[GlossaryRow]) -> None:
        self.rows = tuple(dict.fromkeys(_without_synonyms(rows)))
        self._documents: dict[tuple[str, str], set[DocumentId]] = {}
        for row in self.rows:
            self._documents.setdefault((row.short_key, row.long_key), set()).add(row.document_id)

    def joined(self, rows: Iterable[GlossaryRow]) -> _Evidence:
        return _Evidence((*self.rows, *rows))

    def complete(self) -> _Evidence:
        """Leave out the documents that some look-up broke off before.

        What is left is everything that the documents with the lowest ids say, so that a name they
        do not have is one that they do not use.
        """
        counts = Counter(row.short_key for row in self.rows)
        counts.update(Counter(row.long_key for row in self.rows))
        full = {key for key, count in counts.items() if count >= MAX_ROWS}
        last: dict[str, DocumentId] = {}
        for row in self.rows:
            for key in full & {row.short_key, row.long_key}:
                last[key] = max(last.get(key, row.document_id), row.document_id)
        horizon = min(last.values(), default=None)
        if horizon is None:
            return self
        return _Evidence(row for row in self.rows if row.document_id < horizon)

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

    def likeness(self, one: str, other: str) -> float:
        """How surely two names mean the same, in [0, 1)."""
        of_one, of_other = self.documents(long=one), self.documents(long=other)
        if not of_one or not of_other:
            return 0.0
        if any(of_one & self.documents(long=swap) for swap in _swaps(one, other)):
            return 0.0
        symbols = self.shorts(long=other)
        n_supporting, confidence = 0, 0.0
        for symbol in set(self.shorts(long=one)) & set(symbols):
            n_one, n_other = len(self.documents(symbol, one)), len(self.documents(symbol, other))
            n_supporting = max(n_supporting, n_other)
            # A name of many symbols is one of a kind of things, not of this one.
            confidence += n_one / len(of_one) * n_other / len(of_other) / len(symbols)
        n_shared_words = len(set(one.split()) & set(other.split()))
        if n_supporting < MIN_DOCUMENTS and n_shared_words < MIN_SHARED_WORDS:
            return 0.0
        # Synonyms are what different documents say: what one says in both ways are two things.
        share_of_both = len(of_one & of_other) / min(len(of_one), len(of_other))
        return min(confidence, 0.9) * max(0.0, 1 - 3 * share_of_both)


def _without_synonyms(rows: Iterable[GlossaryRow]) -> tuple[GlossaryRow, ...]:
    return tuple(row for row in rows if row.source != GlossarySource.SYNONYM)


def _swaps(one: str, other: str) -> tuple[str, ...]:
    """Return the first name with one of its words replaced by one that only the other has."""
    words, others = one.split(), other.split()
    return tuple(
        " ".join((*words[:index], new, *words[index + 1 :]))
        for index, word in enumerate(words)
        if word not in others
        for new in others
        if new not in words
    )


def _are_kin(one: str, other: str) -> bool:
    """Tell whether two names end with the same noun: both are voltages, or both converters."""
    return one.split()[-1] == other.split()[-1]
