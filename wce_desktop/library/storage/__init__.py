"""The database file of a library: opening, locking, checking, migrating."""
