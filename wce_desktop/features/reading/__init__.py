"""Reading a study: flags, labels, findings, landmarks, the review budget."""
