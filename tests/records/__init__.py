"""Records: text and JSON Lines."""
