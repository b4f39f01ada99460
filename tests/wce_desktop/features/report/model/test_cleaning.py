"""Pages that try to run or load something: what is left of them, as html5lib and Qt read it."""

import base64
import gzip
import re
import time
from pathlib import Path

import html5lib
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from wce_desktop.features.report.model.cleaning import TAGS, clean
from wce_desktop.features.report.printing import PageDocument, Pages, as_images

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(40)).decode()
SVG = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").decode()
BAD = "<img src=http://evil.example/x onerror=alert(1)>"

VECTORS = (
    # scripts, plain and hidden
    "<script>alert(1)</script>",
    "<script src=//evil.example/x.js></script>",
    "<SCRIPT\n>alert(1)</SCRIPT >",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<script/xss src=//evil.example>",
    "<<script>alert(1)//<</script>",
    "<!--><script>alert(1)</script>-->",
    "<!---><script>alert(1)</script>-->",
    "<!-- --!><script>alert(1)</script>-->",
    "<!--<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<svg><![CDATA[><script>alert(1)</script>]]></svg>",
    "<?xml version='1.0'?><script>alert(1)</script>",
    "<?php <script>alert(1)</script> ?>",
    "<! foo='><script>alert(1)</script>'>",
    "</ foo='><script>alert(1)</script>'>",
    f"<xmp>{BAD}</xmp>",
    f"<xmp><p title='</xmp>{BAD}'></xmp>",
    f"<plaintext>{BAD}",
    f"<textarea></textarea>{BAD}",
    f"<title></title>{BAD}",
    f"<title><p title='</title>{BAD}'>",
    f"<noscript><p title='</noscript>{BAD}'></noscript>",
    f"<noembed><p title='</noembed>{BAD}'></noembed>",
    f"<noframes><p title='</noframes>{BAD}'></noframes>",
    f"<iframe><p title='</iframe>{BAD}'></iframe>",
    f"<style><p title='</style>{BAD}'></style>",
    f"<style><!--</style>{BAD}--></style>",
    f"<template>{BAD}</template>",
    # foreign namespaces and mutation
    f"<math><style>{BAD}</style></math>",
    f"<math><mtext><table><mglyph><style><!--</style><img title='--&gt;{BAD}'>",
    f"<math><mtext><mglyph><svg><mtext><style><path id='</style>{BAD}'>",
    f"<form><math><mtext></form><form><mglyph><style></math>{BAD}",
    f"<svg></p><style><a id='</style>{BAD}'>",
    f"<svg><style>&lt;{BAD[1:]}</style></svg>",
    f"<svg><desc>{BAD}</desc></svg>",
    f"<svg><foreignObject>{BAD}</foreignObject></svg>",
    f"<svg><title><style><!--</style>{BAD}--></style></title></svg>",
    "<svg onload=alert(1)>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
    "<svg><use href=data:image/svg+xml;base64,PHN2Zz4=#x></svg>",
    "<svg><image href=http://evil.example/x.png></svg>",
    "<math href=javascript:alert(1)>x</math>",
    f"<table><td><select><template><style></select>{BAD}",
    f"<select><style></select>{BAD}</style>",
    f"<p><table><p title='</table>{BAD}'>",
    f"<a href='#'><table><a href='javascript:alert(1)'>{BAD}",
    # events
    "<p onclick=alert(1)>x",
    "<body onload=alert(1)>",
    "<img src=x onerror=alert(1)>",
    "<img/src=x/onerror=alert(1)>",
    "<img\x0csrc=x\x0conerror=alert(1)>",
    "<img src='x`onerror=alert(1)//'>",
    "<div style='' ONMOUSEOVER = alert(1)>x",
    "<details open ontoggle=alert(1)>x",
    "<video><source onerror=alert(1)></video>",
    "<p \x00onclick=alert(1)>x",
    # addresses
    "<a href=javascript:alert(1)>x</a>",
    "<a href='java\nscript:alert(1)'>x</a>",
    "<a href=' &#1;javascript:alert(1)'>x</a>",
    "<a href='&#106;&#97;vascript&colon;alert(1)'>x</a>",
    "<a href='http://evil.example'>x</a>",
    "<a href='//evil.example'>x</a>",
    "<a href='page.html'>x</a>",
    "<a href='#a' ping=http://evil.example>x</a>",
    "<a href='#a' target=_blank attributionsrc=http://evil.example>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<area href=javascript:alert(1)>",
    "<base href=//evil.example/>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<link rel=dns-prefetch href=//evil.example>",
    "<meta http-equiv=refresh content='0;url=http://evil.example'>",
    "<meta http-equiv=Content-Security-Policy content='default-src *'>",
    "<form action=http://evil.example><button formaction=javascript:alert(1)>x</button></form>",
    "<input type=image src=http://evil.example formaction=javascript:alert(1)>",
    "<isindex action=javascript:alert(1) type=image>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='&lt;script&gt;alert(1)&lt;/script&gt;'></iframe>",
    "<object data=javascript:alert(1)></object>",
    "<embed src=//evil.example/x.swf>",
    "<applet code=x archive=//evil.example></applet>",
    "<frameset><frame src=javascript:alert(1)></frameset>",
    "<img src=http://evil.example/x.png>",
    "<img src=//evil.example/x.png>",
    "<img src=file:///etc/passwd>",
    "<img src=picture:99>",
    "<img src=picture:11 srcset='http://evil.example/x 2x'>",
    "<img src=picture:11 longdesc=http://evil.example lowsrc=http://evil.example dynsrc=http://evil.example>",
    f"<img src='data:image/svg+xml;base64,{SVG}'>",
    f"<img src='data:image/png;base64,{SVG}'>",
    f"<img src='data:image/png;charset=x;base64,{PNG}'>",
    "<image src=http://evil.example/x.png>",
    "<picture><source srcset=http://evil.example/x.png><img src=picture:11></picture>",
    "<video poster=http://evil.example/x.png src=http://evil.example/x.mp4></video>",
    "<audio src=http://evil.example/x.mp3></audio>",
    "<table background=http://evil.example/x.png><tr><td background=http://evil.example/x>x</table>",
    "<blockquote cite=http://evil.example>x</blockquote>",
    "<portal src=http://evil.example></portal>",
    # styles
    "<style>@import 'http://evil.example/x.css';</style>",
    "<style>@\\69mport 'http://evil.example/x.css';</style>",
    "<style>@font-face { font-family: x; src: url(http://evil.example/x) }</style>",
    "<style>@namespace url(http://evil.example);</style>",
    "<style>@media all { p { background: url(http://evil.example) } }</style>",
    "<style>p { background: url(http://evil.example/x.png) }</style>",
    "<style>p { background: u\\72l(http://evil.example/x.png) }</style>",
    "<style>p { background: \\75\\72\\6c('http://evil.example/x.png') }</style>",
    "<style>p { background: image-set('http://evil.example/x.png' 1x) }</style>",
    "<style>p { background: -webkit-image-set(url(http://evil.example/x.png) 1x) }</style>",
    "<style>p { background: cross-fade(url(http://evil.example/x.png), red) }</style>",
    "<style>p { background: src('http://evil.example/x.png') }</style>",
    "<style>p { list-style: url(http://evil.example/x.png) }</style>",
    "<style>p { cursor: url(http://evil.example/x.png), auto }</style>",
    "<style>p { content: url(http://evil.example/x.png) }</style>",
    "<style>p { width: expression(alert(1)) }</style>",
    "<style>p { width: ex/**/pression(alert(1)) }</style>",
    "<style>p { -moz-binding: url(http://evil.example/x.xml#x) }</style>",
    "<style>p { behavior: url(x.htc) }</style>",
    "<style>p { --x: url(http://evil.example); background: var(--x) }</style>",
    "<style>p { color: red; } </style><style>} @import url(http://evil.example);</style>",
    "<style>p { font-family: '\\3c/style\\3e\\3cimg src=x onerror=alert(1)\\3e' }</style>",
    "<style>p[title='</style><script>alert(1)</script>'] { color: red }</style>",
    "<style>p { color: red; & b { background: url(http://evil.example) } }</style>",
    "<style>a[href^='x'] { background: url(http://evil.example/?x) }</style>",
    "<p style='background: url(http://evil.example/x.png)'>x",
    "<p style='background: u\\72l(http://evil.example/x.png)'>x",
    "<p style='background:&#117;rl(http://evil.example)'>x",
    "<p style='background: image-set(\"http://evil.example/x\" 1x)'>x",
    "<p style='color: red; } @import \"http://evil.example\"; {'>x",
    "<p style='font-family: \"&quot;onclick=alert(1)&quot;\"'>x",
    "<p style='width: 1e99px; font-size: 100000pt'>x",
)
STYLE = re.compile(r"([\w .,#*:>+~-]+ \{ [\w ,#.()%\"!:;/-]+ \}\n?)*")
FUNCTIONS = re.compile(r"([\w-]*)\(")


def check(html: str) -> None:
    """Fail where a page, as html5lib reads it, has anything that runs or is loaded from elsewhere."""
    document = html5lib.parse(html, treebuilder="etree", namespaceHTMLElements=False)
    policies = 0
    for element in document.iter():
        assert isinstance(element.tag, str), "a comment"
        if element.tag == "meta":
            policies += element.get("http-equiv") == "Content-Security-Policy"
            assert set(element.attrib) in ({"charset"}, {"http-equiv", "content"})
            assert "'none'" in element.get("content", "'none'")
            continue
        assert element.tag in TAGS | {"html", "head", "title", "style", "body"}, element.tag
        for name, value in element.attrib.items():
            assert not name.startswith("on"), name
            assert name not in ("title", "ping", "srcset", "action", "formaction", "background", "target", "cite"), name
            if name == "src":
                assert re.fullmatch(r"picture:11|data:image/png;base64,[\w+/=]+", value), value
            if name == "href":
                assert value.startswith("#"), value
            if name == "style":
                check_style(value)
        if element.tag == "style":
            text = (element.text or "").strip()
            assert STYLE.fullmatch(text), text
            check_style(text)
    assert policies == 1
    assert "evil.example" not in re.sub(r">[^<>]*<", "><", html)


def check_style(text: str) -> None:
    assert not {"\\", "@", "<", "&"} & set(text), text
    assert set(FUNCTIONS.findall(text)) <= {"rgb", "rgba", "hsl", "hsla"}, text
    assert all(float(number) <= 2000 for number in re.findall(r"\d[\d.]*", text)), text


@pytest.mark.parametrize("vector", VECTORS)
@pytest.mark.parametrize("around", ["{}", "<html><head>{}</head><body><p>words", "<table><tr><td>{}</table><p>words"])
def test_nothing_that_runs_or_loads_is_left(vector: str, around: str) -> None:
    page = clean(around.format(vector), {"picture:11"}).page()
    check(page)
    read = html5lib.parse(page, treebuilder="etree")
    check(
        html5lib.serialize(read, tree="etree", omit_optional_tags=False, quote_attr_values="always")
    )  # as saved again


NO_PICTURES = {
    "BOM": b"\xef\xbb\xbf<svg xmlns='http://www.w3.org/2000/svg'/>",
    "UTF-16": "<svg xmlns='http://www.w3.org/2000/svg'/>".encode("utf-16"),
    "svgz": gzip.compress(b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "GIF": b"GIF89a\x01\0\x01\0",
    "WebP": b"RIFF\x10\0\0\0WEBPVP8 ",
    "BMP": b"BM\x46\0\0\0\0\0",
    "ICO": b"\0\0\x01\0\x01\0",
    "XPM": b'/* XPM */ static char *x[] = {"1 1 1 1"};',
    "NULs": bytes(8) + b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "NUL and PNG": b"\0\x89PNG\r\n\x1a\n",
}


@pytest.mark.parametrize("name", NO_PICTURES)
@pytest.mark.parametrize("kind", ["png", "jpeg", "jpg"])
def test_pictures_are_told_by_their_first_bytes(name: str, kind: str) -> None:
    coded = base64.b64encode(NO_PICTURES[name]).decode()
    cleaned = clean(f"<img src='data:image/{kind};base64,{coded}'>", ())
    assert "src" not in cleaned.body
    assert len(cleaned.left_out) == 1


@pytest.mark.parametrize("form", ["BOM", "plain", "svgz", "UTF-16", "BMP"])
def test_qt_decodes_png_and_jpeg_only(form: str, qtbot: QtBot, tmp_path: Path) -> None:
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.fill(255)
    svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'><rect width='8' height='8'/></svg>"
    contents = {"BOM": b"\xef\xbb\xbf" + svg, "svgz": gzip.compress(svg), "UTF-16": svg.decode().encode("utf-16")}
    for kind in ("PNG", "JPG", "BMP"):
        assert image.save(str(tmp_path / kind), kind)  # type: ignore[call-overload]
        contents[kind] = (tmp_path / kind).read_bytes()
    content = contents.get(form, svg)
    for head in ("data:image/png;base64,", "data:image/jpeg;base64,"):
        assert PageDocument({}).loadResource(2, head + base64.b64encode(content).decode()).isNull()  # type: ignore[attr-defined]
    assert as_images({3: content}, {})[3].isNull()
    for kind in ("PNG", "JPG"):
        assert as_images({3: contents[kind]}, {})[3].width() == 8


def row(rows: int, columns: int) -> str:
    return f"<tr><td rowspan={rows} colspan={columns}>x</td></tr>"


def nested(levels: int, inner: str) -> str:
    return "<table><tr><td>" * levels + inner + "</td></tr></table>" * levels


TRIANGLE = "<table>" + "<tr><td>x</td></tr>" * 600 + "<tr>" + "<td>x</td>" * 600 + "</tr></table>"
TOO_MUCH = {
    "spans": f"<table>{row(50, 20) * 100}</table>",
    "spans of several tables": f"<table>{row(50, 20) * 10}</table>" * 10,
    "triangle": TRIANGLE,
    "nested": nested(5, "<table>" + ("<tr>" + "<td>x</td>" * 10 + "</tr>") * 500 + "</table>"),
    "text in nested tables": nested(6, "word " * 100_000),
    "elements": "<b>x</b>" * 40_000,
    "sections": "<h2>x</h2>" * 3_000,
    "rules": "<style>" + "p b { color: red }" * 3_000 + "</style>" + "<p>x</p>" * 1_000,
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_a_page_that_would_keep_the_window_busy_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="too many elements, places in tables or letters"):
        clean(TOO_MUCH[name], ())


def test_large_spans_are_left_out_and_named() -> None:
    cleaned = clean(f"<table>{row(99, 99) * 100}</table>", ())
    assert "span" not in cleaned.body
    assert cleaned.left_out == ("rowspan=“99”", "colspan=“99”")
    assert clean(f"<table>{row(50, 20)}{row(2, 3)}</table>", ()).left_out == ()


@pytest.mark.parametrize(
    "html",
    [
        f"<table>{row(99, 99) * 100}</table>",
        f"<table>{row(50, 20) * 20}</table>",
        "<table>" + "<tr><td>x</td></tr>" * 169 + "<tr>" + "<td>x</td>" * 169 + "</tr></table>",
        nested(5, "<table>" + ("<tr>" + "<td>x</td>" * 10 + "</tr>") * 43 + "</table>"),
    ],
)
def test_the_largest_pages_that_pass_are_laid_out(html: str, qtbot: QtBot) -> None:
    page = clean(html, ()).page()
    started = time.process_time()
    assert Pages(page, {}, "").page_count < 10
    print(f"laid out in {time.process_time() - started:.1f} s")


class Recording(PageDocument):
    """Notes what the page asks for."""

    asked: list[str]

    def loadResource(self, kind: int, name: object) -> object:
        self.asked.append(str(name))
        return super().loadResource(kind, name)  # type: ignore[arg-type]


def test_qt_asks_for_nothing_else(qtbot: QtBot) -> None:
    document = Recording({})
    document.asked = []
    document.setHtml("<img src='http://evil.example/x.png'>")
    document.size()
    assert document.asked  # it would be seen
    document.asked.clear()
    for vector in VECTORS:
        document.setHtml(clean(f"{vector}<p>words", {"picture:11"}).page())
        document.size()
    allowed = ("picture:11", "data:image/png", "QUrl('')")  # the last one for a picture without an address
    assert [each for each in document.asked if not any(part in each for part in allowed)] == []


def test_all_vectors_at_once() -> None:
    check(clean("".join(VECTORS), {"picture:11"}).page())
    check(clean("".join(reversed(VECTORS)), {"picture:11"}).page())


def test_what_a_template_needs_stays() -> None:
    cleaned = clean(
        "<html lang='de'><head><title>Our &amp; report</title><style>/* ours */ H1.a > b, td#x:first-child "
        "{ color: RGB(1, 2, 3) !important; font: bold 10pt/1.2 'DejaVu Sans', serif; border-left: 1px solid #abc }"
        "</style></head><body><a name='top'></a><h1 class='a b' align='center' style='margin: -1px auto'>T</h1>"
        f"<img src='data:image/png;base64,{PNG}' width='30%' alt='5 &lt; 6'><img src='picture:11'>"
        "<table border=1 cellpadding=2><tr><td colspan=2 bgcolor=#fff valign=top>x</td></tr></table>"
        "<ol start=3 type=a><li>1</ol><font color=red size=+1>y</font><a href='#top'>up</a>",
        {"picture:11"},
    )
    assert cleaned.left_out == ()
    assert cleaned.style == (
        'H1.a > b, td#x:first-child { color: RGB(1, 2, 3) !important; font: bold 10pt/1.2 "DejaVu Sans", serif; '
        "border-left: 1px solid #abc }"
    )
    assert (cleaned.lang, cleaned.title) == ("de", "Our & report")
    for part in ('style="margin: -1px auto"', PNG, 'alt="5 ‹ 6"', "picture:11", '<a href="#top">', "+1"):
        assert part in cleaned.body, part
