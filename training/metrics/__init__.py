"""Figures that follow from scores and labels alone; numpy, no network and no files."""
