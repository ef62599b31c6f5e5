"""What a run is given and what it leaves: settings, folder, log, game records. Needs no PyTorch."""
