"""A run: what it is asked for, how it starts, and the loop that plays, learns, judges and reports."""
