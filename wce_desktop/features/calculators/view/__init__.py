"""The window of the calculators."""
