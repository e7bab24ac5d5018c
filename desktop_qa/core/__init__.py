"""The types that flow between the stages, and the errors a user may see; standard library only."""
