"""A library on a server: edits that meet, edits that wait, and copies to and from a server."""
