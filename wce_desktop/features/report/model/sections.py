"""Cuts a page at headings and blocks, so that the end of a sheet tears no finding apart; lays out in small steps."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import pairwise

HEADINGS = {"h1", "h2", "h3"}
BLOCK, END = "sheet-block", "sheet-end"
"""Classes of a `<div>` directly in the body: one that is not torn apart, and one that stays with what is before it.

Only the built-in template has them: reports that were signed without them are laid out as they were.
"""
_EMPTY = {"br", "img", "meta", "hr", "col", "wbr", "input"}


class _Cutter(HTMLParser):
    """Finds the style sheet, and where headings stand that lie directly in the body."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=False)
        self.style = ""
        self.cuts: list[int] = []
        self.start, self.stop = 0, len(html)
        self._open: list[str] = []
        self._lines = [0]
        for line in html.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def _here(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note a heading, and which element is open."""
        if tag == "body":
            self.start = self._here() + len(self.get_starttag_text() or "")
        begins = tag in HEADINGS or (tag == "div" and dict(attributes).get("class") in (BLOCK, END))
        if begins and not set(self._open) - {"html", "body"}:
            self.cuts.append(self._here())
        if tag not in _EMPTY:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """An element without content opens nothing."""

    def handle_endtag(self, tag: str) -> None:
        """Close the element, with all that was left open in it."""
        if tag == "body":
            self.stop = self._here()
        if tag in self._open:
            del self._open[len(self._open) - 1 - self._open[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        """Take the style sheet."""
        if self._open and self._open[-1] == "style":
            self.style += data


def sections(html: str) -> list[str]:
    """The page as several pages, each from a heading or block to the next, with the same style."""
    cutter = _Cutter(html)
    cutter.feed(html)
    cutter.close()
    cuts = [cutter.start, *(cut for cut in cutter.cuts if cutter.start < cut < cutter.stop), cutter.stop]
    bodies = [html[start:stop] for start, stop in pairwise(cuts)]
    head = f"<html><head><style>{cutter.style}</style></head><body>"
    return [f"{head}{body}</body></html>" for body in bodies if body.strip()]
