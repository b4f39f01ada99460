"""The background jobs as the reader sees them: the strip, the list with its logs, stopping."""
