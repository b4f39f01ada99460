"""Re-identification: which stretches of flagged frames show the same finding (Intrator et al. 2023)."""
