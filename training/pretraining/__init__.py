"""Learning from frames without labels: from settings to a run folder with kept weights and a card."""
