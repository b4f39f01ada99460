"""What the records of studies are changed to; no Qt."""
