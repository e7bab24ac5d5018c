"""One folder that remembers documents, segments and answers; `facade` is its face."""
