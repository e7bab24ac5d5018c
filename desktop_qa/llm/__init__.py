"""The one door to language models: what they add, the offline answer does without."""
