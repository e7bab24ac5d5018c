"""The user's own highlights and notes."""
