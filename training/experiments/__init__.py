"""Comparisons above single runs: the benchmark, the papers' tables, and how well explanations point."""
