"""The tables of Intrator et al. 2023 (re-identification of polyps)."""
