"""Leaves of a page what a report may hold: allowed elements, attributes and styles, and pictures of the page itself.

nh3 parses the page as browsers do and writes it anew, so that no script, comment or foreign namespace is left.
Styles are parsed by tinycss2 and written anew as well.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Collection
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from typing import TYPE_CHECKING

from training.texts import Text
from wce_desktop.core.language import tr
from wce_desktop.features.report.model.sections import HEADINGS

if TYPE_CHECKING:
    from tinycss2.ast import Node

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What a browser may load for a report: the pictures in it."""
POLICY_TAG = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
MAX_DEPTH = 64
"""Of nested elements; Qt lays out deeper ones by recursion."""
MAX_TABLE_DEPTH = 6
"""Of nested tables; each level multiplies the time of the layout."""
MAX_WORK = 30_000
"""Of laying out a page: places in tables, elements, and hundreds of characters; a second for some 10,000 (measured)."""
RULE_WORK, SECTION_WORK = 0.02, 20
"""Of each rule of the style for an element, and of a heading, which begins a section with a document of its own."""
MAX_COLSPAN, MAX_ROWSPAN = 20, 50
MAX_NUMBER = 2000
"""In a style, in any unit."""

_TAGS = """
a abbr address article b big blockquote br caption center cite code col colgroup dd del div dl dt em font footer
h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main nobr ol p pre q s samp section small span strike strong sub sup
table tbody td tfoot th thead tr tt u ul var
"""
TAGS = frozenset(_TAGS.split())
_FRAME = frozenset({"html", "head", "body", "title", "style", "meta"})
"""Parts of a page that are written anew."""
_NO_CONTENT = frozenset({"script", "style", "title", "iframe", "object", "noscript", "template", "svg", "math", "xmp"})
"""Elements that are left out with what stands in them."""
_LENGTH, _WORD = re.compile(r"\d{1,4}%?"), re.compile(r"[A-Za-z]{1,30}")
_COLOR = re.compile(r"#[0-9A-Fa-f]{3,8}|[A-Za-z]{1,30}")
_NUMBER, _NAME = re.compile(r"\d{1,2}"), re.compile(r"[\w-]*")
_ATTRIBUTES = {
    **dict.fromkeys(("align", "dir", "type", "valign"), _WORD),
    **dict.fromkeys(("bgcolor", "color"), _COLOR),
    **dict.fromkeys(("border", "cellpadding", "cellspacing", "height", "width"), _LENGTH),
    **dict.fromkeys(("colspan", "rowspan", "span"), _NUMBER),
    **dict.fromkeys(("id", "name"), _NAME),
    "class": re.compile(r"[\w\s-]*"),
    "face": re.compile(r"[\w\s,.\"'-]*"),
    "href": re.compile(r"#[\w-]*"),
    "lang": re.compile(r"[A-Za-z-]*"),
    "size": re.compile(r"[+-]?\d"),
    "start": re.compile(r"-?\d{1,6}"),
}
"""What an attribute may say; those of `_OTHERS` have checks of their own."""
_OTHERS = frozenset({"alt", "src", "style"})
_NO_TAGS = str.maketrans("<>", "‹›")
"""In the text of a picture: a parser that reads quotes in another way finds no tags."""
_ONLY_OF = {"href": "a", "name": "a", "src": "img"}
_DATA_PICTURE = re.compile(r"data:image/(?:png|jpeg|jpg);base64,([A-Za-z0-9+/=\s]+)")
_PICTURE_STARTS = {b"\x89PNG\r\n\x1a\n": "PNG", b"\xff\xd8\xff": "JPG"}
"""First bytes -> format as Qt names it."""
_SPANS = {"colspan": MAX_COLSPAN, "rowspan": MAX_ROWSPAN, "span": MAX_COLSPAN}

_PROPERTY = re.compile(
    r"background(-color)?|border(-(top|right|bottom|left))?(-(color|style|width))?|border-(collapse|radius|spacing)|"
    r"break-(after|before|inside)|caption-side|clear|color|display|empty-cells|float|font(-(family|size|style|variant|"
    r"weight))?|letter-spacing|line-height|list-style(-(position|type))?|(margin|padding)(-(top|right|bottom|left))?|"
    r"(max-|min-)?(height|width)|object-fit|orphans|page-break-(after|before|inside)|table-layout|text-(align|decoration|indent|"
    r"transform)|vertical-align|white-space|widows|word-spacing"
)
_COLOR_FUNCTIONS = frozenset({"rgb", "rgba", "hsl", "hsla"})
_IDENT = re.compile(r"-?[A-Za-z][A-Za-z0-9-]*")
_UNIT = re.compile(r"[A-Za-z]{1,4}")
_STRING = re.compile(r"[\w .,-]*")
_SELECTOR = re.compile(r"[\w\s.#,>+~*:-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What is left of a page, and the names of what was left out, each once."""

    body: str
    style: str
    title: str
    lang: str
    left_out: tuple[str, ...]

    def page(self, before: str = "", after: str = "") -> str:
        """The whole page, with something put at the beginning and at the end of its body."""
        return (
            f'<!DOCTYPE html>\n<html lang="{escape(self.lang)}">\n<head>\n<meta charset="utf-8">\n{POLICY_TAG}\n'
            f"<title>{escape(self.title)}</title>\n<style>\n{self.style}\n</style>\n</head>\n"
            f"<body>\n{before}{self.body}{after}\n</body>\n</html>\n"
        )


def clean(html: str, pictures: Collection[str]) -> Cleaned:
    """What a report may hold of a page.

    Args:
        html: any text.
        pictures: addresses that `<img>` may name, such as `picture:12`, beside PNG and JPEG in `data:` addresses.

    Raises:
        ValueError: it is nested too deeply or too large to be laid out, or has a marked section that cannot be read.
    """
    import nh3

    outline = _Outline(pictures)
    try:
        outline.feed(html)
        outline.close()
    except AssertionError as error:  # `html.parser` on an unknown marked section
        raise ValueError(Text("a marked section cannot be read")) from error
    left_out = outline.left_out
    body = nh3.clean(
        html,
        tags=set(TAGS),
        clean_content_tags=set(_NO_CONTENT),
        attributes={"*": {*_ATTRIBUTES, *_OTHERS}},
        attribute_filter=lambda tag, name, value: _attribute(tag, name, value, pictures, left_out),
        link_rel=None,
        url_schemes={"data", "picture"},
    )
    style = _style_sheet("\n".join(outline.styles), left_out)
    size = _Size(style.count("{") + style.count(","))
    size.feed(body)
    size.close()
    return Cleaned(body, style, " ".join("".join(outline.title).split())[:200], outline.lang, tuple(left_out))


def _attribute(tag: str, name: str, value: str, pictures: Collection[str], left_out: dict[str, None]) -> str | None:
    """What is kept of an attribute's value; None where the attribute is left out."""
    if _ONLY_OF.get(name, tag) != tag:
        return None
    if name == "style":
        return _declarations(value, left_out)
    if name == "src":
        return value if value in pictures or _is_data_picture(value) else None
    if name == "alt":
        return value.translate(_NO_TAGS)
    if name not in _ATTRIBUTES or not _ATTRIBUTES[name].fullmatch(value):
        return None
    return value if name not in _SPANS or int(value) <= _SPANS[name] else None


def picture_format(content: bytes) -> str:
    """The format of a picture as Qt names it, "PNG" or "JPG", by its first bytes; empty for any other.

    Qt, left to guess, reads SVG too, which loads files.
    """
    return next((name for start, name in _PICTURE_STARTS.items() if content.startswith(start)), "")


def _is_data_picture(address: str) -> bool:
    """Whether an address holds a PNG or JPEG picture, by its content."""
    match = _DATA_PICTURE.fullmatch(address)
    try:
        return match is not None and bool(picture_format(base64.b64decode("".join(match[1][:256].split())[:64])))
    except binascii.Error:
        return False


class _Outline(HTMLParser):
    """Takes style, title and language of a page, and the names of elements and attributes that are not allowed.

    Nothing depends on its reading a page as a browser does: what it takes is checked or escaped.
    """

    def __init__(self, pictures: Collection[str]) -> None:
        super().__init__(convert_charrefs=True)
        self._pictures = pictures
        self.styles: list[str] = []
        self.title: list[str] = []
        self.lang = ""
        self.left_out: dict[str, None] = {}
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what is not allowed."""
        self._inside = tag
        if tag == "html":
            lang = dict(attrs).get("lang") or ""
            self.lang = lang if _ATTRIBUTES["lang"].fullmatch(lang) else ""
        if tag not in TAGS | _FRAME:
            self.left_out[f"<{tag[:40]}>"] = None
        elif tag == "meta" and "http-equiv" in dict(attrs):
            self.left_out["<meta http-equiv>"] = None
        elif tag in TAGS:
            for name, value in attrs:
                if name != "style" and _attribute(tag, name, value or "", self._pictures, self.left_out) is None:
                    self.left_out[f"{name[:40]}=“{(value or '')[:40]}”"] = None

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """As `handle_starttag`; nothing is inside."""
        self.handle_starttag(tag, attrs)
        self._inside = ""

    def handle_endtag(self, tag: str) -> None:
        """Nothing is inside of what was closed."""
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Take style and title."""
        if self._inside == "style":
            self.styles.append(data)
        elif self._inside == "title":
            self.title.append(data)


class _Table:
    """Rows and columns of a table as Qt arranges it, while it is read."""

    def __init__(self) -> None:
        self._rows, self._columns, self._width, self._below = 0, 0, 0, 1
        self._reaching: list[tuple[int, int]] = []

    def add_row(self) -> None:
        """The next row, into which cells of those above may reach."""
        self._rows += 1
        self._reaching = [(rows - 1, columns) for rows, columns in self._reaching if rows > 1]
        self._width = sum(columns for _, columns in self._reaching)
        self._below = max((rows for rows, _ in self._reaching), default=1)

    def add_cell(self, rows: int, columns: int) -> None:
        """One cell more in this row."""
        self._reaching.append((rows, columns))
        self._width += columns
        self._below = max(self._below, rows)
        self._columns = max(self._columns, self._width)

    @property
    def places(self) -> int:
        """Rows times columns; Qt arranges each place, also those that no cell fills."""
        return (self._rows + self._below - 1) * self._columns


class _Size(HTMLParser):
    """Counts the levels of a page that closes all its elements, and what laying it out takes.

    Qt lays out what stands in a table twice, so each level of tables doubles the work.
    """

    def __init__(self, rules: int) -> None:
        super().__init__()
        self._rules = rules
        self._open: list[str] = []
        self._tables: list[_Table] = []
        self._work = 0.0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One level deeper."""
        if tag not in ("br", "hr", "img", "col"):
            self._open.append(tag)
        self._add(RULE_WORK * self._rules + (SECTION_WORK if tag in HEADINGS else 1))
        if tag == "table":
            self._tables.append(_Table())
        elif self._tables and tag in ("tr", "td", "th"):
            table, given = self._tables[-1], dict(attrs)
            before = table.places
            if tag == "tr":
                table.add_row()
            else:
                rows, columns = (max(int(given.get(name) or 1), 1) for name in ("rowspan", "colspan"))
                table.add_cell(rows, columns)
            self._add(max(table.places - before, 0))
        if len(self._open) > MAX_DEPTH:
            raise ValueError(Text("its elements are nested deeper than {count:,} levels", MAX_DEPTH))
        if len(self._tables) > MAX_TABLE_DEPTH:
            raise ValueError(Text("its tables are nested deeper than {count:,} levels", MAX_TABLE_DEPTH))

    def handle_endtag(self, tag: str) -> None:
        """One level up."""
        if self._open and self._open[-1] == tag:
            self._open.pop()
            if tag == "table":
                self._tables.pop()

    def handle_data(self, data: str) -> None:
        """Text takes work too."""
        self._add(len(data) / 100)

    def _add(self, work: float) -> None:
        self._work += work * 2 ** max(len(self._tables) - 1, 0)
        if self._work > MAX_WORK:
            raise ValueError(Text("its page has too many elements, places in tables or letters to be laid out"))


def _style_sheet(text: str, left_out: dict[str, None]) -> str:
    """The rules of a style sheet with plain selectors, and what is allowed of their declarations."""
    import tinycss2

    rules = []
    for rule in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
        selector = " ".join(tinycss2.serialize(rule.prelude).split()) if rule.type == "qualified-rule" else ""
        if not _SELECTOR.fullmatch(selector):
            left_out[f"@{rule.at_keyword[:40]}" if rule.type == "at-rule" else tr("a rule of the style")] = None
            continue
        kept = _declarations(tinycss2.serialize(rule.content), left_out)
        if kept:
            rules.append(f"{selector} {{ {kept} }}")
    return "\n".join(rules)


def _declarations(text: str, left_out: dict[str, None]) -> str | None:
    """The allowed declarations of a style; None where there is none."""
    import tinycss2

    kept = []
    for each in tinycss2.parse_blocks_contents(text, skip_comments=True, skip_whitespace=True):
        if each.type == "declaration" and _PROPERTY.fullmatch(each.lower_name) and all(map(_is_plain, each.value)):
            value = tinycss2.serialize(node for node in each.value if node.type != "comment").strip()
            kept.append(f"{each.lower_name}: {value}{' !important' if each.important else ''}")
        else:
            left_out[tr("style {name}", name=each.name[:40]) if each.type == "declaration" else tr("a style")] = None
    return "; ".join(kept) or None


def _is_plain(value: Node) -> bool:
    """Whether a part of a value is a word, number, colour or name of a font: nothing that is loaded or computed."""
    match value.type:
        case "whitespace" | "comment":
            return True
        case "ident":
            return _IDENT.fullmatch(value.value) is not None
        case "string":
            return _STRING.fullmatch(value.value) is not None
        case "hash":
            return re.fullmatch("[0-9A-Fa-f]{3,8}", value.value) is not None
        case "literal":
            return value.value in (",", "/")
        case "number" | "percentage":
            return bool(abs(value.value) <= MAX_NUMBER)
        case "dimension":
            return abs(value.value) <= MAX_NUMBER and _UNIT.fullmatch(value.unit) is not None
        case "function":
            colors = value.lower_name in _COLOR_FUNCTIONS
            return colors and all(each.type != "function" and _is_plain(each) for each in value.arguments)
    return False
