"""How many labelled sentences are judged as they should be, by label.

    python -m tests.benchmarks.bench_grounding BANK.jsonl [--list]

Of the right ones the share that is marked supported should be high, of the wrong ones low.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from pathlib import Path

from desktop_qa.generate.judging import Ground, Judgement, Verdict, judge
from tests.helpers.labelled_sentences import RIGHT, LabelledSentence, read_bank

_MARKERS = re.compile(r"\s*\[(\d+)\]")


def judged(one: LabelledSentence) -> Judgement:
    """Judge a sentence of a bank by the passages that it cites."""
    markers = [int(n) for n in _MARKERS.findall(one.sentence)]
    return judge(_MARKERS.sub("", one.sentence), markers, Ground(one.passages, one.question))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("bank", type=Path)
    arguments.add_argument("--list", action="store_true", help="print what is judged wrongly")
    options = arguments.parse_args()
    counts: defaultdict[str, Counter[Verdict]] = defaultdict(Counter)
    offered: Counter[bool] = Counter()
    for one in read_bank(options.bank):
        found = judged(one)
        counts[one.label][found.verdict] += 1
        if found.instead:
            figures = re.search(r"[\d.,]*\d", found.instead)
            offered[figures is not None and figures[0] in one.right_value] += 1
        if options.list and (one.label == RIGHT) != (found.verdict is Verdict.SUPPORTED):
            print(f"{one.id} {one.label}: {one.sentence} -> {found}")
    print(f"{'label':<16}{'n':>4}  {'supported':>9}{'weak':>6}{'unsupported':>12}")
    for label, own in sorted(counts.items()):
        n = own.total()
        cells = "".join(f"{own[v]:>{w}}" for v, w in zip(Verdict, (9, 6, 12), strict=True))
        print(f"{label:<16}{n:>4}  {cells}")
    wrong = sum((own for label, own in counts.items() if label != RIGHT), Counter[Verdict]())
    right = counts[RIGHT]
    kept = right[Verdict.SUPPORTED] / max(right.total(), 1)
    caught = 1 - wrong[Verdict.SUPPORTED] / max(wrong.total(), 1)
    print(f"right marked supported {kept:.3f}; wrong not marked supported {caught:.3f}")
    print(f"offered instead {offered.total()}, the right value {offered[True]}")


if __name__ == "__main__":
    main()
