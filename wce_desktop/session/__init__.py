"""What is open and selected, the settings, and the table of actions; no Qt."""
