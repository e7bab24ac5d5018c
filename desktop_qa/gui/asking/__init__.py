"""The box that asks: scope, suggestions, and the way of a question."""
