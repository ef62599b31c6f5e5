"""Proofs: what a position is worth when both sides play perfectly, and where proofs are kept."""
