"""Evidence in, an answer with citations that can be scrolled to out."""
