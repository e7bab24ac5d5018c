"""The list of documents, its filters and what can be done with one."""
