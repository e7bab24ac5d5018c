"""Answers and conversations as files that stand for themselves, and for the clipboard."""
