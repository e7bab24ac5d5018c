"""Ten pages of invented datasheets that do what real ones do, drawn by code.

They show in the docs how pages are read, and hold the parser to it as a test.
"""
