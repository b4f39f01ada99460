"""What the application can do, one package for each feature; no feature imports another."""
