"""Labels in and out: import and export."""
