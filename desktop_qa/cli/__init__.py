"""The command line: the library without a window."""

from desktop_qa.cli.command_line import main

__all__ = ["main"]
