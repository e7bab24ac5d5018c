"""The library's glossary: what its documents call things, kept by document and looked up by name.

Nothing of it is in memory: a question looks up a few dozen names by their keys.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from desktop_qa.core.document import DocumentId
from desktop_qa.core.glossary import GlossaryEntry, GlossarySource
from desktop_qa.index.database import Database
from desktop_qa.index.terms import fold, terms_of

_PUNCTUATION = re.compile(r"[^\w+\-]|_")
_INNER_DASH = re.compile(r"-(?=\w)")
_MAX_KEYS = 2000
_MAX_ROWS = 20_000
"""Of one look-up; a name that more documents have is as well known by these."""


@dataclass(frozen=True, slots=True)
class GlossaryRow:
    """Two names of one thing in one document, with the keys they are found by."""

    document_id: DocumentId
    short_key: str
    long_key: str
    source: GlossarySource
    short: str
    long: str
    count: int


def symbol_key(symbol: str) -> str:
    """Return what all spellings of a symbol share: "RDS(on)", "R_DS(ON)" and "rdson"."""
    return _INNER_DASH.sub("", _PUNCTUATION.sub("", fold(symbol)))


def name_key(name: str) -> str:
    """Return what all spellings of a name in words share: its terms, in order."""
    return " ".join(terms_of(name))


class GlossaryTable:
    """The part of the store that keeps the words of the trade."""

    _database: Database

    def save_glossary(
        self, document_id: DocumentId, entries: Iterable[GlossaryEntry], version: int
    ) -> None:
        """Keep what a document teaches, in place of what it taught before.

        Args:
            document_id: Of a known document.
            entries: From `learn_glossary`.
            version: Of the rules they were learned by.
        """
        rows: dict[tuple[str, str, str], list[object]] = {}
        for entry in entries:
            is_synonym = entry.source is GlossarySource.SYNONYM
            short_key = name_key(entry.short) if is_synonym else symbol_key(entry.short)
            key = (short_key, name_key(entry.long), entry.source.value)
            if key[0] and key[1] and key[0] != key[1]:
                row = rows.setdefault(key, [document_id, *key, entry.short, entry.long, 0])
                row[-1] = int(str(row[-1])) + entry.count
        with self._database.write() as connection:
            delete = "DELETE FROM glossary_names WHERE document_id = ?"
            connection.execute(delete, (document_id,))
            connection.executemany(
                "INSERT INTO glossary_names VALUES (?, ?, ?, ?, ?, ?, ?)", rows.values()
            )
            connection.execute(
                "INSERT OR REPLACE INTO glossaries VALUES (?, ?)", (document_id, version)
            )

    def unlearned(self, version: int) -> tuple[DocumentId, ...]:
        """Return the documents that were read and whose words were not learned by a version."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT d.id FROM documents d WHERE d.n_segments > 0 AND NOT EXISTS"
                " (SELECT 1 FROM glossaries g WHERE g.document_id = d.id AND g.version = ?)"
                " ORDER BY d.id",
                (version,),
            ).fetchall()
        return tuple(DocumentId(row[0]) for row in rows)

    def glossary_by_short(self, keys: Collection[str]) -> tuple[GlossaryRow, ...]:
        """Return what any document calls some symbols; see `symbol_key`."""
        return self._glossary_rows("short_key", keys)

    def glossary_by_long(self, keys: Collection[str]) -> tuple[GlossaryRow, ...]:
        """Return the symbols that any document gives to some names; see `name_key`."""
        return self._glossary_rows("long_key", keys)

    def glossary_of(self, document_ids: Collection[DocumentId]) -> tuple[GlossaryRow, ...]:
        """Return everything that some documents teach."""
        return self._glossary_rows("document_id", document_ids)

    def _glossary_rows(self, column: str, keys: Collection[str]) -> tuple[GlossaryRow, ...]:
        wanted = sorted(set(keys))[:_MAX_KEYS]
        if not wanted:
            return ()
        marks = ", ".join("?" * len(wanted))
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT document_id, short_key, long_key, source, short, long, count"
                f" FROM glossary_names WHERE {column} IN ({marks}) LIMIT ?",
                (*wanted, _MAX_ROWS),
            ).fetchall()
        return tuple(
            GlossaryRow(DocumentId(row[0]), row[1], row[2], GlossarySource(row[3]), *row[4:])
            for row in rows
        )


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
        found = {row.long_key for row in self._table.glossary_by_long(keys)}
        synonyms = self._table.glossary_by_short(keys)
        found |= {row.short_key for row in synonyms if row.source is GlossarySource.SYNONYM}
        return frozenset(found)

    def names_in(self, documents: Collection[DocumentId]) -> frozenset[str]:
        """Return the keys of all names in words that some documents explain."""
        if self._table is None or not documents:
            return frozenset()
        return frozenset(row.long_key for row in self._table.glossary_of(documents))

    def symbols_in(self, documents: Collection[DocumentId]) -> frozenset[str]:
        """Return the keys of all symbols that some documents explain."""
        if self._table is None or not documents:
            return frozenset()
        rows = _without_synonyms(self._table.glossary_of(documents))
        return frozenset(row.short_key for row in rows)

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
        evidence = _Evidence(_without_synonyms(self._table.glossary_by_long((name,))))
        own = evidence.within(documents)
        if own.rows:
            symbols = own.shorts()
            return own.ranked({key: 1.0 / len(symbols) ** 0.5 for key in symbols}, short=True)
        evidence = evidence.joined(self._table.glossary_by_short(evidence.shorts()))
        n_name = len(evidence.documents(long=name))
        confidences = {}
        for symbol in evidence.shorts(long=name):
            n_both = len(evidence.documents(symbol, name))
            if n_both >= MIN_DOCUMENTS or evidence.has(symbol, name, GlossarySource.ACRONYM):
                # Documents in which the symbol is some quantity of the same kind.
                kin = evidence.documents_of_kin(symbol, name)
                share = len(kin) / len(evidence.documents(symbol))
                confidences[symbol] = n_both / (n_name + 1) * share
        return evidence.ranked(confidences, short=True)

    def names_of(
        self, symbol: str, documents: Collection[DocumentId] = ()
    ) -> tuple[OtherName, ...]:
        """Return what a symbol or an acronym stands for, the surest first; see `symbols_of`."""
        if self._table is None:
            return ()
        # Who asks for a pin by its name means the pin: what it is for finds other pins.
        every = _without_synonyms(self._table.glossary_by_short((symbol,)))
        evidence = _Evidence(row for row in every if row.source is not GlossarySource.PIN)
        own = evidence.within(documents)
        if not own.rows and any(row.document_id in documents for row in every):
            return ()
        if own.rows:
            names = own.longs()
            return own.ranked({key: 1.0 / len(names) ** 0.5 for key in names}, short=False)
        n_symbol = len(evidence.documents(symbol))
        confidences = {}
        for name in evidence.longs():
            n_both = len(evidence.documents(symbol, name))
            if n_both >= MIN_DOCUMENTS or evidence.has(symbol, name, GlossarySource.ACRONYM):
                kin = evidence.documents_of_kin(symbol, name)
                confidences[name] = n_both / (n_both + 1) * len(kin) / n_symbol
        return evidence.ranked(confidences, short=False)

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
        of_name = self._table.glossary_by_long((name,))
        said = [
            row
            for row in (*of_name, *self._table.glossary_by_short((name,)))
            if row.source is GlossarySource.SYNONYM
        ]
        of_name = _without_synonyms(of_name)
        if documents and any(row.document_id in documents for row in of_name):
            return ()
        evidence = _Evidence(of_name)
        evidence = evidence.joined(self._table.glossary_by_short(evidence.shorts()))
        others = [other for other in evidence.longs() if _are_kin(other, name) and other != name]
        swapped = {swap for other in others for swap in _swaps(name, other)}
        evidence = evidence.joined(self._table.glossary_by_long({*others, *swapped}))
        confidences = {}
        for other in others:
            confidence = evidence.likeness(name, other)
            own = set(documents) & evidence.documents(long=other)
            if confidence > 0 and (own or not documents):
                confidences[other] = max(confidence, OWN_CONFIDENCE) if own else confidence
        ranked = list(evidence.ranked(confidences, short=False))
        for row in said:
            is_short = row.short_key == name
            text, key = (row.long, row.long_key) if is_short else (row.short, row.short_key)
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
    """Rows of the glossary as sets of documents."""

    def __init__(self, rows: Iterable[GlossaryRow]) -> None:
        self.rows = tuple(dict.fromkeys(rows))
        self._documents: dict[tuple[str, str], set[DocumentId]] = {}
        for row in self.rows:
            self._documents.setdefault((row.short_key, row.long_key), set()).add(row.document_id)

    def joined(self, rows: Iterable[GlossaryRow]) -> _Evidence:
        return _Evidence((*self.rows, *_without_synonyms(rows)))

    def within(self, documents: Collection[DocumentId]) -> _Evidence:
        return _Evidence(row for row in self.rows if row.document_id in documents)

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

    def documents_of_kin(self, short: str, long: str) -> set[DocumentId]:
        """Documents that give a symbol to a name of the same kind of thing."""
        found: set[DocumentId] = set()
        for (one, name), documents in self._documents.items():
            if one == short and _are_kin(name, long):
                found |= documents
        return found

    def has(self, short: str, long: str, source: GlossarySource) -> bool:
        return any(
            (row.short_key, row.long_key, row.source) == (short, long, source) for row in self.rows
        )

    def likeness(self, one: str, other: str) -> float:
        """How surely two names mean the same, in [0, 1)."""
        of_one, of_other = self.documents(long=one), self.documents(long=other)
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

    def ranked(self, confidences: dict[str, float], *, short: bool) -> tuple[OtherName, ...]:
        texts: dict[str, str] = {}
        for row in sorted(self.rows, key=lambda row: -row.count):
            key, text = (row.short_key, row.short) if short else (row.long_key, row.long)
            texts.setdefault(key, text)
        order = sorted(confidences.items(), key=lambda item: (-item[1], item[0]))
        return tuple(OtherName(texts[key], key, value) for key, value in order)


def _without_synonyms(rows: Iterable[GlossaryRow]) -> tuple[GlossaryRow, ...]:
    return tuple(row for row in rows if row.source is not GlossarySource.SYNONYM)


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
