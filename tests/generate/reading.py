"""Reads what a model of the tests says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from desktop_qa.core.answer_blocks import AnswerBlock
from desktop_qa.generate.stream_reader import StreamReader


def read_stream(
    chunks: Iterable[str], markers: Collection[int]
) -> Iterator[tuple[AnswerBlock, ...]]:
    """Yield the blocks so far after each piece of a stream, and all of them at its end.

    Args:
        chunks: Of text, cut anywhere.
        markers: That the answer may cite.
    """
    reader = StreamReader(markers)
    for chunk in chunks:
        yield reader.hear(chunk)
        if reader.is_full:
            break
    yield reader.end()
