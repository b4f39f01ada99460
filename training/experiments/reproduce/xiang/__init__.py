"""The tables of Xiang et al. 2023 (Colo-SCRL, retrieval of clips)."""
