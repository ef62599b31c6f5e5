"""An abuse suite: normal players beside a hostile client, measured with and without it in one run.

``python -m tests.server.abuse FOLDER`` runs everything; ``--help`` lists the rest. Only loopback addresses are used.
"""
