"""Where segments are kept and found: SQLite is the truth, the other indexes are rebuilt from it."""
