"""k-anonymization inside the database."""
