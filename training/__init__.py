"""The engine behind wce_desktop: video, models, training and scoring. No Qt; runs headless."""
