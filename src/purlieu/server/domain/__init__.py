"""A game as its events make it: what is legal, who may do what, and every refusal. It knows no database, no HTTP."""
