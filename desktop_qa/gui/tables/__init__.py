"""Tables as they are drawn, sorted, searched, copied and exported."""
