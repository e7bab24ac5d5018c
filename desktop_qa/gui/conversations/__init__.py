"""Conversations in tabs, each a thread of turns."""
