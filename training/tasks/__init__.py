"""Tasks: work that a command splits into parts, and what runs them: this process, or the workers of a Ray cluster.

Ray is imported by `ray_cluster` and `ray_worker` only, which are imported only where a cluster was asked for.
"""
