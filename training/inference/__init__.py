"""From a study to scores, embeddings and class activation maps."""
