"""The audit log: shown, filtered and exported."""
