"""The search for a place and the links between places, without Qt."""
