"""Ways to damage XML files: what is well-formed and says something else than was expected."""

import random
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from tests.fuzz.damage_files import Way
from tests.fuzz.damage_text import CELLS
from tests.fuzz.values import TEXTS

_VALUES = tuple(value for value in (*CELLS, *TEXTS) if value.isprintable())
"""What XML can hold."""


def xml_value(path: Path, rng: random.Random) -> None:
    """One to four attributes or texts of another kind, or missing."""
    root = ElementTree.parse(path).getroot()
    parts = list(root.iter())
    for _ in range(rng.randint(1, 4)):
        part = rng.choice(parts)
        if not part.attrib or rng.random() < 0.2:
            part.text = rng.choice(_VALUES)
            continue
        name = rng.choice(sorted(part.attrib))
        if rng.random() < 0.2:
            del part.attrib[name]
        else:
            part.set(name, rng.choice(_VALUES))
    _write(path, root)


def xml_shape(path: Path, rng: random.Random) -> None:
    """Elements missing, twice, with another name, or somewhere else."""
    root = ElementTree.parse(path).getroot()
    parents = [part for part in root.iter() if len(part)]
    for _ in range(rng.randint(1, 3)):
        parent = rng.choice(parents)
        child = rng.choice(list(parent)) if len(parent) else SubElement(parent, "box")
        how = rng.randrange(4)
        if how == 0:
            parent.remove(child)
        elif how == 1:
            parent.extend([child] * rng.choice((1, 3, 1000)))
        elif how == 2:
            child.tag = rng.choice(("box", "track", "image", "tag", "polygon", "mask", "x"))
        else:
            rng.choice([part for part in parents if part not in child.iter()]).append(child)
    _write(path, root)


def xml_text(path: Path, rng: random.Random) -> None:
    """Entities, document types, deep nesting, another encoding, something after the end."""
    text = path.read_text(encoding="utf-8")
    bomb = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    body = text.split("?>", 1)[-1]
    content = rng.choice(
        (
            (bomb + body.replace("polyp", "&b;")).encode(),
            ('<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + body.replace("polyp", "&a;")).encode(),
            ("<a>" * 100_000).encode(),
            ("<a>" * 3000 + "</a>" * 3000).encode(),
            text.encode("utf-16"),
            b"\xef\xbb\xbf" + text.encode(),
            text.encode() + b"<a/>",
            text.replace("polyp", "&unknown;").encode(),
            text.replace("polyp", "Entz\xfcndung").encode("latin-1"),
            text.replace('encoding="utf-8"', 'encoding="x"').replace("encoding='utf-8'", 'encoding="x"').encode(),
            ("<annotations>" + "<image/>" * 200_000 + "</annotations>").encode(),
            b"<annotations/>",
        )
    )
    path.write_bytes(content)


def _write(path: Path, root: Element) -> None:
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


XML_WAYS: tuple[Way, ...] = (xml_value, xml_value, xml_value, xml_shape, xml_text)
