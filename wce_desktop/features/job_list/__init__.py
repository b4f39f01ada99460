"""Background jobs: the strip, the list with logs, and stopping."""
