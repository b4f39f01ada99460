"""One file with the licences of everything that is shipped."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from installer.licence_texts import TEXTS, standard_texts
from installer.version import version

if TYPE_CHECKING:
    from installer.contents import Component

RULE = "=" * 100
GPL = """\
PyAV's wheels hold FFmpeg together with x264 and x265, which are under the GPL version 2 or later. This program decodes
videos with FFmpeg and never encodes with these two, but they are part of this package. {whole}
The parts keep the licences that are stated below. Their source is at the addresses given.
Qt's libraries and those of other LGPL parts are separate files, which you may replace by your own builds."""
WITHOUT_MKL = "As a whole it may be passed on\nunder the GPL version 3."
WITH_MKL = """\
PyTorch
holds Intel oneMKL, which may be passed on unchanged, but not under the GPL. Whoever passes the whole package on should
build it with a PyAV without x264 and x265, or with a PyTorch without oneMKL."""


def heading(component: "Component") -> str:
    """How a component is called in the file; `sbom.check` looks for it."""
    within = f" (in {component.within})" if component.within else ""
    return " ".join(filter(None, [component.name, component.version])) + within


def licence_file(components: "Sequence[Component]", edition: str) -> str:
    """Text: what is shipped at a glance, each part with its licence, and the standard texts once."""
    lines = [f"wce_desktop {version()}, {edition} edition: licences of everything in this package", ""]
    if any(one.name in {"x264", "x265"} for one in components):
        has_mkl = any(one.name == "Intel oneMKL" for one in components)
        lines += [GPL.format(whole=WITH_MKL if has_mkl else WITHOUT_MKL), ""]
    lines += [f"{heading(one)}: {one.licence}" for one in components]
    needed: dict[str, None] = {}
    for one in components:
        lines += ["", RULE, heading(one), f"Licence: {one.licence}"]
        lines += [f"Copyright {one.copyright}"] if one.copyright else []
        lines += [f"Source: {one.home}"] if one.home else []
        standard = standard_texts(one.licence, one.texts if one.kind == "system" else ())
        needed |= dict.fromkeys(standard)
        lines += ["", *one.texts] if one.texts else []
        if one.within:
            lines.append(f"Its notices are also among those of {one.within}.")
        if standard:
            lines.append(f"The text of {', '.join(standard)} stands at the end.")
    for name in sorted(needed):
        lines += ["", RULE, f"The text of {name}", "", (TEXTS / f"{name}.txt").read_text(encoding="utf-8").rstrip()]
    return "\n".join(lines) + "\n"
