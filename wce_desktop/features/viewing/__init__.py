"""How the frame is looked at: views of it, similar frames as one, and speed by what changes."""
