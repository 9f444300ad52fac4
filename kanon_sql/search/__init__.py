"""Lattice drivers: generators that ask for batches of nodes and never see SQL."""
