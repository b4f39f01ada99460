"""Second readings: begun, compared with the first one, and taken in from other libraries."""
