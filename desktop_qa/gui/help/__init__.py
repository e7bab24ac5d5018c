"""Shortcuts, the log, what the program is."""
