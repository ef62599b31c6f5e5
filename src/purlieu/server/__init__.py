"""The game server: the browser's board, games by link, computer opponents. Needs the extra ``web``.

Its storeys, lowest first: `domain`, `wire`, `store` and `workers`, `services`, `http`. Each uses only those below it.
"""
