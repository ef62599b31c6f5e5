"""Boards small enough to play to the end many times."""

BOARDS = [("petrify", 4), ("pilo", 4), ("pentwall", 10), ("pyloff", 4)]
