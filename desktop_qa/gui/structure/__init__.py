"""Chapters, tables and figures of a document; its text as Markdown."""
