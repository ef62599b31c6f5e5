"""The games in a terminal: boards as text, the table where people play, and the count at the end.

`board` and `count` turn positions into lines; `table` holds a game in progress and prints nothing;
`session` is the talk between the two. `thinking` lets the engine think for people who watch it, and `opinions` puts
into words what it found. Everything is written to a `Screen`.
"""
