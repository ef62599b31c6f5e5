"""What decides: who may do what, what a move or an act leads to. Callable without HTTP."""
