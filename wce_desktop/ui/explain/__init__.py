"""Asking the model why: the EXPLAIN panel, the strip over an event, and what is written of them."""
