"""The papers' figures, as far as they have been read in a source; what has not been read is never guessed."""

from dataclasses import dataclass

NOT_AT_HAND = "not at hand"

LOOKED_AT = (
    "Searched on 2026-11-21 for arXiv 1912.04643 and 2204.09773: the copies of ar5iv.labs.arxiv.org, deepai.org, "
    "vdocument.in, tomesphere.com, citegraph.io, bohrium.dp.tech and scholarfeed.org that could be read give title, "
    "abstract and introduction, no table; of a review that lists polyp studies (Mini-invasive Surg 2024;8:4, Table 4) "
    "only rows of other work could be read. No public source file quotes either table."
)
"""Where the figures were looked for; printed beside tables in which one is missing."""


@dataclass(frozen=True)
class Published:
    """One figure of a paper."""

    text: str
    """As printed there, deviation included."""
    source: str
    """Where it was read."""


PUBLISHED: dict[tuple[str, str, str], Published] = {}
"""(table, row, figure) -> figure. Only what was read with one's own eyes belongs here, its source with it."""


def paper_figure(table: str, row: str, figure: str) -> Published | None:
    """The paper's figure, or None where it is not at hand."""
    return PUBLISHED.get((table, row, figure))
