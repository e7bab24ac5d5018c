"""Ranked places without an answer."""
