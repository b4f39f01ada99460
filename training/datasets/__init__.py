"""What is learned from: manifests, labels, splits and folds, samplers, and frames read ahead."""
