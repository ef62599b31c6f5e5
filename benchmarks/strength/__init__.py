"""How well levels and nets play: against each other, and where the best move is proved."""
