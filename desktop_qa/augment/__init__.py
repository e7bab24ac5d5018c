"""`Document` in, `Segment`s with cascading metadata out (HiQA section 3.2)."""
