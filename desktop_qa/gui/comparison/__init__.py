"""Documents side by side, parameter by parameter."""
