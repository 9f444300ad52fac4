"""One file per dialect; each states only its difference."""
