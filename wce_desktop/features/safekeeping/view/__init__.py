"""Windows for backups, checks and passphrases."""
