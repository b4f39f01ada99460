"""One published method a file: name, settings, views, loss and words; `registry` lists them. No torch on import."""
