"""What is true: attributes, levels, the lattice, privacy models. No I/O."""
