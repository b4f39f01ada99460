"""What every run shares: its folder, checkpoints, events and reporters; knows no network and no data."""
