"""Small things that know no game: files, locks, standard streams, progress, charts, suggestions, installed packages."""
