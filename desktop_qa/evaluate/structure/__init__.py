"""How well the structure of documents was read, against what the files themselves say."""
