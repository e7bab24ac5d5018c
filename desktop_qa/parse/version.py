"""The version of the parser, apart from it so that it can be known without the PDF engine."""

PARSER_VERSION = "21"
"""Raised with every change that alters what a document becomes: marks stored ones stale."""
