"""PDF in, `Document` out; the only package that imports pymupdf, and only in child processes."""
