"""A library on a server, which several readers use at the same time."""
