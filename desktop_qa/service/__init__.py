"""The library in a process of its own, and what the window asks of it."""
