"""The search verb of the command line: places that hold words, without an answer."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from desktop_qa.cli.verbs import add_library, positive, print_json, say, verb
from desktop_qa.core.search_view import (
    PAGE_LENGTH,
    SearchHit,
    SearchPage,
    SearchRequest,
    SearchSort,
)

if TYPE_CHECKING:
    from desktop_qa.library.facade import Library


def add_search(verbs: Any, run: Any) -> None:
    """Add the verb."""
    search = verb(verbs, "search", run, "list the places that hold words, without an answer")
    search.add_argument(
        "text", help='words, "a phrase", -without, a OR b, kind:table part:… vendor:… page:10-20'
    )
    add_library(search)
    search.add_argument(
        "--scope", nargs="+", default=(), metavar="PATTERN", help="search only these; see ask"
    )
    search.add_argument(
        "--sort",
        type=SearchSort,
        choices=list(SearchSort),
        default=SearchSort.RELEVANCE,
        metavar="ORDER",
        help=f"{', '.join(SearchSort)} (relevance)",
    )
    search.add_argument(
        "--limit", type=positive, default=PAGE_LENGTH, help=f"places shown ({PAGE_LENGTH})"
    )
    search.add_argument("--offset", type=int, default=0, help="places left out (0)")


def search(options: argparse.Namespace, library: Library) -> int:
    """Search and print; returns the exit code."""
    request = SearchRequest(
        options.text, tuple(options.scope), options.sort, max(options.offset, 0), options.limit
    )
    page = library.search(request)
    for note in page.notes:
        say(note)
    if options.json:
        print_json(_page_json(page))
        return 0
    for hit in page.hits:
        _print_hit(hit)
    more = "" if page.is_exact else "more than "
    say(f"{more}{page.n_found} places in {len(page.document_ids)} documents.")
    return 0


def _print_hit(hit: SearchHit) -> None:
    where = f"{hit.file}, page {hit.page_no}" if hit.page_no else hit.file
    print(f"{hit.rank:4}  {hit.score:6.2f}  {where}  ({hit.kind.value})")
    if hit.heading:
        print(f"              {hit.heading}")
    print(f"              {hit.snippet}")


def _page_json(page: SearchPage) -> dict[str, Any]:
    hits = []
    for hit in page.hits:
        row = asdict(hit)
        row["spans"] = [list(span) for span in hit.spans]
        row["path_spans"] = [list(span) for span in hit.path_spans]
        hits.append(row)
    return {
        "search": page.request.text,
        "sort": page.request.sort,
        "offset": page.request.offset,
        "n_found": page.n_found,
        "is_exact": page.is_exact,
        "documents": list(page.document_ids),
        "notes": list(page.notes),
        "seconds": round(page.seconds, 4),
        "hits": hits,
    }
