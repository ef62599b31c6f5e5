"""What a run's log says of the net: strength, words, curves. Needs no PyTorch."""
