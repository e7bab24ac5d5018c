"""Ten kills at random moments of an ingest of ten documents: are the final segments the same?"""

from __future__ import annotations

import secrets
import sys
import tempfile
from pathlib import Path

from tests.helpers.recovery import content_of, ingest, ingest_with_kills
from tests.helpers.ten_files import link_ten_files

_N_KILLS = 10


def main() -> None:
    shared = Path(sys.argv[1]).resolve()
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else secrets.randbelow(10**6)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        source = link_ten_files(shared, home / "documents")
        seconds = ingest(source, home / "undisturbed")
        expected = content_of(home / "undisturbed")
        killed = ingest_with_kills(source, home / "killed", _N_KILLS, seconds, seed)
        found = content_of(home / "killed")
    same = found == expected
    print(f"undisturbed {seconds:.0f} s; killed after {killed} s (seed {seed})")
    print(
        f"{len(found.segments)} segments of {len(found.documents)} documents:"
        f" {'identical' if same else 'DIFFERENT'}"
    )
    if not same:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
