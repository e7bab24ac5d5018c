"""`python -m desktop_qa` and the program without a console: the same command line as `desktop-qa`.

Nothing is imported here before it is needed: each child process reads this module again.
"""

from __future__ import annotations

import multiprocessing
import sys


def main() -> int:
    """Run the command line; without a verb it opens the window."""
    # In a frozen program the child processes start here too.
    multiprocessing.freeze_support()
    from desktop_qa.cli.command_line import main as run_command_line

    return run_command_line()


if __name__ == "__main__":
    sys.exit(main())
