"""Evaluation of releases: scores, trees, workloads, simulation."""
