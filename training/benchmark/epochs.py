"""How often the labelled frames are gone through: the epochs of Vats et al. 2022 by the share of the labels."""

EPOCHS = {0.01: 100, 0.1: 200, 1.0: 300}
"""Share of the labels -> epochs (Vats et al. 2022)."""


def epochs_of(share: float, factor: float = 1.0) -> int:
    """Epochs of a share of the labels: the paper's for 1, 10 and 100 %, in between those of the next smaller.

    Args:
        share: of the labels, in (0, 1].
        factor: of the paper's epochs; below 1 only to try things out.

    Returns:
        At least 1.
    """
    known = max((given for given in EPOCHS if given <= share + 1e-9), default=min(EPOCHS))
    return max(1, round(EPOCHS[known] * factor))
