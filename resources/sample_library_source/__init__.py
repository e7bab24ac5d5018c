"""The sample library's documents: a fictional vendor's datasheets and one user manual.

Read in this order: `house` (brand, type, notation), `pen`, `schematic` and `charts` (vector
drawing), `bitmaps` (photographs and screenshots), `tables`, `sheet` (a story with numbers and
references), `publish` (the PDF), then one module a product line, and `questions`.
"""
