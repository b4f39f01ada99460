"""How things are computed, whatever they are: devices, precision, threads and memory."""
