"""Files of models and training runs, and their lineage."""
