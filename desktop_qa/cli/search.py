"""The verbs that list places without an answer: those that hold words, those that are like one."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from desktop_qa.cli.verbs import add_library, fields_of, on_library, positive, print_json, say, verb
from desktop_qa.core.search_view import (
    PAGE_LENGTH,
    SearchHit,
    SearchPage,
    SearchRequest,
    SearchSort,
)
from desktop_qa.core.segment import SegmentId

if TYPE_CHECKING:
    from desktop_qa.core.similar import SimilarPiece
    from desktop_qa.core.view import EvidenceView
    from desktop_qa.library.facade import Library


_MOST_SIMILAR = 12


def add_search(verbs: Any) -> None:
    """Add the verb."""
    parser = verb(
        verbs, "search", on_library(search), "list the places that hold words, without an answer"
    )
    parser.add_argument(
        "text", help='words, "a phrase", -without, a OR b, kind:table part:… vendor:… page:10-20'
    )
    add_library(parser)
    parser.add_argument(
        "--scope", nargs="+", default=(), metavar="PATTERN", help="search only these; see ask"
    )
    parser.add_argument(
        "--sort",
        type=SearchSort,
        choices=list(SearchSort),
        default=SearchSort.RELEVANCE,
        metavar="ORDER",
        help=f"{', '.join(SearchSort)} (relevance)",
    )
    parser.add_argument(
        "--limit", type=positive, default=PAGE_LENGTH, help=f"places shown ({PAGE_LENGTH})"
    )
    parser.add_argument("--offset", type=int, default=0, help="places left out (0)")


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
    return {
        "search": page.request.text,
        **fields_of(page.request, "sort offset"),
        **fields_of(page, "n_found is_exact"),
        "documents": list(page.document_ids),
        "notes": list(page.notes),
        "seconds": round(page.seconds, 4),
        "hits": [asdict(hit) for hit in page.hits],
    }


def add_similar(verbs: Any) -> None:
    """Add the verb `similar`."""
    similar = verb(verbs, "similar", on_library(_similar), "list the pieces most like one")
    similar.add_argument("segment", help="id of a piece, as `retrieve --json` prints it")
    add_library(similar)
    similar.add_argument(
        "--limit",
        type=positive,
        default=_MOST_SIMILAR,
        metavar="N",
        help=f"in each group ({_MOST_SIMILAR})",
    )


def _similar(options: argparse.Namespace, library: Library) -> int:
    found = library.similar_segments(SegmentId(options.segment), options.limit)
    if options.json:
        print_json(
            {
                "segment": found.segment_id,
                **_place_json(found.of),
                "elsewhere": [_piece_json(piece) for piece in found.elsewhere],
                "here": [_piece_json(piece) for piece in found.here],
            }
        )
        return 0
    print(_place(found.of))
    for title, pieces in (("In other documents", found.elsewhere), ("Here", found.here)):
        print(f"\n{title}:" if pieces else f"\n{title}: nothing like it")
        for piece in pieces:
            shared = f"  ({', '.join(piece.shared)})" if piece.shared else ""
            print(f"  {piece.likeness:.2f}  {_place(piece.view)}{shared}")
    return 0


def _place(view: EvidenceView) -> str:
    return f"{view.file}, page {view.page_no}  {' > '.join(view.section_path[1:])}"


def _piece_json(piece: SimilarPiece) -> dict[str, Any]:
    return {
        "segment": piece.segment_id,
        "likeness": round(piece.likeness, 4),
        "shared": list(piece.shared),
        **_place_json(piece.view),
    }


def _place_json(view: EvidenceView) -> dict[str, Any]:
    return {
        "file": view.file,
        "page": view.page_no,
        "kind": view.kind.value,
        "section_path": list(view.section_path[1:]),
        **fields_of(view, "caption text"),
    }
