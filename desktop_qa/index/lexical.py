"""BM25 as rank-bm25 defines it, kept up to date segment by segment."""

from __future__ import annotations

from desktop_qa.index.terms import count_terms, terms_of

__all__ = ["count_terms", "terms_of"]
