"""Question banks, metrics, and the report over a library."""
