"""Patient records: edited, guessed from file names, and studies removed with all that was derived from them."""
