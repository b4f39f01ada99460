"""Templates: the built-in one, a hospital's own, and those that must not run."""

import hashlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import Environment

from tests.wce_desktop.features.report.reports import make_report
from training.runs.reporter import Cancelled
from wce_desktop.core.language import use_translations
from wce_desktop.features.report.model import page_child
from wce_desktop.features.report.model.content import Signature
from wce_desktop.features.report.model.sections import sections
from wce_desktop.features.report.model.template import chosen_template, render
from wce_desktop.session.places import resource


def test_the_built_in_template_shows_everything() -> None:
    html = render(make_report()).html
    for words in ("H-1", "Anaemia", "1. Polyp", "P2, high", "Frame 12, 0:00:12", "picture:11", "Lewis score: 135"):
        assert words in html, words
    assert "This is a draft." in html


def test_text_of_a_reader_is_never_taken_for_html() -> None:
    html = render(replace(make_report(), summary="<script>alert(1)</script> & <b>bold</b>")).html
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;bold&lt;/b&gt;" in html


def test_texts_are_shown_in_the_language_of_the_window() -> None:
    signed = replace(make_report(), signature=Signature("Dr <Jones>", "2026-03-01 12:00", 2, ()))
    english = render(signed).html
    use_translations({"Findings": "Befunde", "Signed by {reader} on {when}, version {version}.": "{version}: {reader}"})
    try:
        html = render(signed).html
    finally:
        use_translations({})
    assert "<h2>Findings</h2>" in english
    assert "Signed by Dr &lt;Jones&gt; on 2026-03-01 12:00, version 2." in english
    assert "<h2>Befunde</h2>" in html
    assert "2: Dr &lt;Jones&gt;<" in html


def test_a_template_cannot_reach_into_the_values_of_its_texts(tmp_path: Path) -> None:
    own = tmp_path / "ours.html"
    own.write_text("{{ '{one} {one.__class__}'|tr(one=report) }}")
    assert "{one.__class__}" in render(make_report(), own).html


def test_a_frame_without_a_picture_is_said() -> None:
    html = render(make_report().collapsed(lambda *_: False, missing={11})).html
    assert html.count("This picture cannot be decoded.") == 1
    assert "picture:11" not in html
    assert "picture:20" in html


def test_a_hospital_may_have_its_own(tmp_path: Path) -> None:
    own = tmp_path / "ours.html"
    own.write_text(
        "<html><body><h1>St Elsewhere</h1><img src='data:image/png;base64,iVBORw0KGgoAAAAA'>"
        "{% for one in report.findings %}{{ one.title|upper }} {{ loop.index * 2 }}{% endfor %}</body></html>"
    )
    made = render(make_report(), own)
    assert made.problem == ""
    assert "St Elsewhere" in made.html
    assert "POLYP 2ULCER 4" in made.html


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{ report.nothing }}", "no attribute 'nothing'"),
        ("{% for %}", "Expected an expression"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ report.__class__.__mro__ }}", "unsafe"),
        ("{{ ''.__class__ }}", "unsafe"),
        ("{{ 'x' * 100000000 }}", "small numbers"),
        ("{{ 9 ** 9999999 }}", "small numbers"),
        ("{% for a in range(9) %}a{% endfor %}", "'range' is undefined"),
        ("{% include '/etc/passwd' %}", "no loader"),
        ("{{ '<script>'|safe }}", "No filter named 'safe'"),
        ("<div>" * 70, "its elements are nested deeper than 64 levels"),
        ("<table><tr><td>" * 7, "its tables are nested deeper than 6 levels"),
        ("<![x[ y ]]>", "a marked section cannot be read"),
        ("{{ '\\ud800' }}", "surrogates not allowed"),
    ],
)
def test_a_template_that_cannot_be_used_gives_a_sentence_and_the_built_in_one(
    tmp_path: Path, text: str, reason: str
) -> None:
    own = tmp_path / "own.html"
    own.write_text(text)
    made = render(make_report(), own)
    assert made.problem.startswith("The report template own.html cannot be used: ")
    assert made.problem.endswith("The built-in template is used.")
    assert reason in made.problem
    assert "1. Polyp" in made.html


def test_a_template_that_is_missing_or_no_text_is_said(tmp_path: Path) -> None:
    assert "There is no report template" in render(make_report(), tmp_path / "missing.html").problem
    (tmp_path / "binary.html").write_bytes(b"\xff\xfe\x00")
    assert "The built-in template is used." in render(make_report(), tmp_path / "binary.html").problem


def test_only_the_settings_choose_a_template() -> None:
    assert chosen_template("") is None
    assert chosen_template("/elsewhere/t.html") == Path("/elsewhere/t.html")


def test_a_template_is_named_at_the_end_of_its_report(tmp_path: Path) -> None:
    own = tmp_path / "St & Elsewhere.html"
    own.write_text("<h1>Report</h1>")
    checksum = hashlib.sha256(b"<h1>Report</h1>").hexdigest()[:12]
    assert f"Template: St &amp; Elsewhere.html, SHA-256 {checksum}…</p>\n</body>" in render(make_report(), own).html
    assert "Template:" not in render(make_report()).html


def test_the_built_in_template_makes_the_same_page_but_for_the_policy(tmp_path: Path) -> None:
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["tr"] = lambda text, **values: text.format(**values)
    page = environment.from_string(resource("report", "report.html").read_text()).render(
        report=make_report(), amendment=""
    )
    html = render(make_report()).html
    policy = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"  # all of it
    )
    assert html.replace(f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n', "", 1) == page
    assert html.index("Content-Security-Policy") < html.index("<title>")


def test_a_copy_of_the_built_in_template_keeps_everything(tmp_path: Path) -> None:
    own = tmp_path / "copy.html"
    own.write_text(resource("report", "report.html").read_text())
    made = render(make_report(), own)
    assert made.problem == ""
    assert words_of(made.html)[:-4] == words_of(render(make_report()).html)
    assert ".free { white-space: pre-wrap }" in made.html
    assert "<title>Capsule endoscopy report</title>" in made.html
    assert made.html.count('<img src="picture:') == 2


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    own = tmp_path / "own.html"
    own.write_text("<style>@import 'x'; p { color: red }</style><p onclick='x'>Words<script>alert(1)</script>")
    made = render(make_report(), own)
    assert made.problem == (
        "The report template own.html has parts that are not allowed in a report and are left out: onclick=“x”, "
        "<script>, @import."
    )
    assert "p { color: red }" in made.html
    assert "Words" in made.html


def test_a_template_that_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_child, "MAX_SECONDS", 1.5)
    own = tmp_path / "endless.html"
    loops = 8
    own.write_text("{% for a in 'xxxxxxxxxxxxxxxxxxxx'|list %}" * loops + "{% endfor %}" * loops)
    made = render(make_report(), own)
    assert "it takes more than 2 seconds. The built-in template is used." in made.problem
    assert "1. Polyp" in made.html


def test_a_template_that_needs_too_much_memory_is_ended(tmp_path: Path) -> None:
    own = tmp_path / "large.html"
    doubled = "{% set x = x ~ x %}" * 40
    own.write_text(f"{{% set x = 'x' %}}{doubled}{{{{ x|length }}}}")
    made = render(make_report(), own)
    assert "The built-in template is used." in made.problem
    assert "1. Polyp" in made.html


def test_a_page_that_nobody_waits_for_is_not_rendered_on(tmp_path: Path) -> None:
    own = tmp_path / "endless.html"
    own.write_text("{% for a in 'xxxxxxxxxxxxxxxxxxxx'|list %}" * 8 + "{% endfor %}" * 8)

    def stop() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        render(make_report(), own, stop)


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts += data.split()


def words_of(html: str) -> list[str]:
    reader = _Texts()
    reader.feed(html[html.index("<body>") :])
    return reader.texts


def test_sections_hold_all_words_in_their_order() -> None:
    html = render(make_report()).html
    cut = sections(html)
    assert len(cut) > 6
    assert [word for each in cut for word in words_of(each)] == words_of(html)
    assert all("font-size: 9pt" in each for each in cut)


def test_a_heading_inside_another_element_cuts_nothing() -> None:
    assert len(sections("<body><div><h2>a</h2><p>b<h2>c</h2></div></body>")) == 1
    assert len(sections("<body><h1>a</h1><table><tr><td><h2>b</h2></table><h2>c</h2></body>")) == 2
    assert len(sections("just words")) == 1
