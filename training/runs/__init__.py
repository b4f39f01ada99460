"""What every run shares: its folder, checkpoints, events and reporters; does not depend on networks or data."""
