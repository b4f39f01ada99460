"""The Train window: choose studies, method and parameters, see what it will take, start, watch, go on."""
