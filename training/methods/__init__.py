"""One published method per file: name, settings, views, loss and texts; listed in `registry`. No torch on import."""
