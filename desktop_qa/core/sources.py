"""Which documents a person trusts more than others; the same words in settings, library, window."""

from __future__ import annotations

from dataclasses import dataclass, replace

DEFAULT_SOURCE_BOOST = 0.1
"""The host boost that did best in hybrid-retrieval, Table 3, against scores in [0, 1]."""

MAX_SOURCE_BOOST = 1.0
"""As much as a perfect match of words."""

PREFERRED_SOURCE = "preferred source"
"""What evidence of a preferred document is labelled with."""


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """Preferred sources, and how much they weigh against what a segment says.

    Attributes:
        preferred: Patterns of documents, folders and vendors, as `retrieve.scope` reads them.
        boost: What a segment of a preferred document gains, and one of an older revision loses,
            in [0, 1]; 0 turns both off.
        newest_revision_first: Let older revisions lose where the library holds a newer one.
    """

    preferred: tuple[str, ...] = ()
    boost: float = DEFAULT_SOURCE_BOOST
    newest_revision_first: bool = True

    def toggled(self, pattern: str) -> SourceSettings:
        """Return the settings with a pattern added, or without it when it was there."""
        others = tuple(own for own in self.preferred if own != pattern)
        is_known = pattern in self.preferred
        return replace(self, preferred=others if is_known else (*others, pattern))

    @property
    def is_in_range(self) -> bool:
        """True when the boost is one that scores can bear."""
        return 0.0 <= self.boost <= MAX_SOURCE_BOOST
