"""Small widgets and ways of drawing that all panels share; none knows a panel."""
