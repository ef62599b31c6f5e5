"""The game server: the browser's board, games by link, computer opponents. Needs the extra ``web``.

`routes` speak HTTP, `services` decide, `store` holds the SQL, `live` pushes. Nothing else of purlieu's uses it.
"""
