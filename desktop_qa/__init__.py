"""Desktop QA: cited answers from a folder of datasheets and manuals, offline."""

__version__ = "0.1.0"
