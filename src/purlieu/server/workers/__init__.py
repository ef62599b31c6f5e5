"""The computer's processes: they think, and know neither games' rooms, nor the database, nor the network.

`jobs` is what goes to and fro, `child` runs in each process and imports little, `pool` watches over them.
"""
