"""The window: one client of the library; the only package that imports PySide6."""
