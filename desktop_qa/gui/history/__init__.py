"""Earlier questions, by day."""
