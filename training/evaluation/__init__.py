"""Figures, and the protocol that they come from: cross-validation by patient, findings, review budget, report."""
