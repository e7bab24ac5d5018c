"""The verb for more like this: pieces that are like one that was found."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from desktop_qa.cli.opening import open_to_read
from desktop_qa.cli.verbs import add_library, positive, print_json, verb
from desktop_qa.core.segment import SegmentId

if TYPE_CHECKING:
    from desktop_qa.core.similar import SimilarPiece
    from desktop_qa.core.view import EvidenceView

_MOST = 12


def add_similar(verbs: Any) -> None:
    """Add the verb `similar`."""
    similar = verb(verbs, "similar", _similar, "list the pieces most like one")
    similar.add_argument("segment", help="id of a piece, as `retrieve --json` prints it")
    add_library(similar)
    similar.add_argument(
        "--limit", type=positive, default=_MOST, metavar="N", help=f"in each group ({_MOST})"
    )


def _similar(options: argparse.Namespace) -> int:
    library = open_to_read(options.library)
    try:
        found = library.similar_segments(SegmentId(options.segment), options.limit)
    finally:
        library.close()
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
        "caption": view.caption,
        "text": view.text,
    }
