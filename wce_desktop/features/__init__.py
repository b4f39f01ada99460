"""The features of the application, one package each; no feature imports another."""
