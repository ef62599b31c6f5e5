"""Games of the net with itself, with plain searches, and with another net."""
