"""Language models in the window: which one is asked, how it is reached, what leaves the machine."""
