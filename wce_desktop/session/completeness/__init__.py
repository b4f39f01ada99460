"""How far a study has been read: what is open, by which protocol, and an audit of what was not seen."""
