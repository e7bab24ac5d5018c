"""What stands between the statements of the library and a language model that reasons over them.

Numbered passages go out, in a prompt that fits the model's window; a stream of text comes back and
is read into blocks, and each of its sentences is held against the passages that it cites. No model
is called from here.
"""
