"""The answer: its text, tables, reasons and exports."""
