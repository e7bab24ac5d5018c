"""What an answer rests on: sections, tables and figures as cards and windows."""
