"""UGI, the universal game interface: our engine as a server, and any UGI engine as a client's player.

Uses `purlieu.rules` and `purlieu.engine`. The protocol is described in docs/protocol.md.
"""
