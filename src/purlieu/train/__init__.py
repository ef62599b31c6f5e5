"""Training: self-play in the core, a net that learns from it, and what a run leaves behind.

Needs PyTorch (``pip install 'purlieu[train]'``). ``purlieu train`` is its face; ``python -m purlieu.train`` is the same
without the command line's packages. Uses `purlieu.rules` and `purlieu.engine`.
"""
