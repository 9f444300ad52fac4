"""From a choice to a published table: stage, verify, publish, register."""
