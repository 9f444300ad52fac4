"""Local recoding drivers: they ask for rounds over an assignment table and never see SQL."""
