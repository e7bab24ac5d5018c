"""The PDF: its pages, text, tabs and side bar."""
