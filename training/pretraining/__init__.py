"""Pretraining on frames without labels: from settings to a run folder with weights and a card."""
