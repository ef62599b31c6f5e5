"""Small things that know no game: files and locks, standard streams, progress, which packages are installed."""
