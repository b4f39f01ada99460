"""The list of parts (SBOM) in CycloneDX, and the check that it and the licences name everything that is in a bundle."""

import datetime
import json
import os
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from installer.version import version

if TYPE_CHECKING:
    from installer.contents import Component

FILES = "wce-desktop:file"
"""Property that names one file of a component."""
WITHIN = "wce-desktop:within"


def write_sbom(components: "Sequence[Component]", edition: str, path: Path) -> None:
    """Write CycloneDX 1.6 as JSON."""
    from cyclonedx.contrib.license.factories import LicenseFactory
    from cyclonedx.model import Property
    from cyclonedx.model.bom import Bom
    from cyclonedx.model.component import Component as Part
    from cyclonedx.model.component import ComponentType
    from cyclonedx.output.json import JsonV1Dot6
    from packageurl import PackageURL

    licences = LicenseFactory()
    bom = Bom()
    bom.serial_number = uuid.uuid5(
        uuid.NAMESPACE_URL, f"wce-desktop/{edition}/{version()}/{os.environ.get('SOURCE_DATE_EPOCH')}"
    )
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    bom.metadata.timestamp = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    whole = Part(name="wce-desktop", version=version(), type=ComponentType.APPLICATION, bom_ref="wce-desktop")
    bom.metadata.component = whole
    parts = []
    for number, one in enumerate(components):
        kind = {"python": "pypi", "system": "deb"}.get(one.kind)
        part = Part(
            name=one.name,
            version=one.version or None,
            type=ComponentType.LIBRARY,
            bom_ref=f"part-{number}",
            licenses=[licences.make_from_string(one.licence)],
            copyright=one.copyright or None,
            purl=PackageURL(kind, "debian" if kind == "deb" else None, one.name, one.version) if kind else None,
            properties=[
                *(Property(name=FILES, value=name) for name in sorted(one.files)),
                *([Property(name=WITHIN, value=one.within)] if one.within else []),
            ],
        )
        bom.components.add(part)
        parts.append(part)
    bom.register_dependency(whole, parts)
    path.write_text(JsonV1Dot6(bom).output_as_string(indent=1), encoding="utf-8")


def follows_schema(path: Path) -> bool:
    """Whether a file is CycloneDX 1.6, as its schema says."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    return JsonStrictValidator(SchemaVersion.V1_6).validate_str(path.read_text(encoding="utf-8")) is None


def check(bundle: Path) -> list[str]:
    """What a bundle holds and its SBOM or its licences do not name; empty when both are complete.

    Looks at the files that are there, not at PyInstaller's lists.
    """
    inside = bundle / "_internal"
    parts = json.loads((inside / "sbom.cdx.json").read_text(encoding="utf-8"))["components"]
    text = (inside / "LICENCES.txt").read_text(encoding="utf-8")
    known = {one["value"] for part in parts for one in part.get("properties", ()) if one["name"] == FILES}
    missing = [f"not in the SBOM: {name}" for name in _files(bundle) if name not in known]
    for part in parts:
        within = [one["value"] for one in part.get("properties", ()) if one["name"] == WITHIN]
        heading = " ".join(filter(None, [part["name"], part.get("version", "")])) + "".join(
            f" (in {one})" for one in within
        )
        if f"\n{heading}\nLicence: " not in text:
            missing.append(f"no licence: {heading}")
        if not part.get("licenses"):
            missing.append(f"no licence in the SBOM: {heading}")
    return missing


def _files(bundle: Path) -> list[str]:
    """Names of all files as PyInstaller calls them."""
    own = {"LICENCES.txt", "sbom.cdx.json"}
    files = (path for path in sorted(bundle.rglob("*")) if path.is_file() and not path.is_symlink())
    names = (path.relative_to(bundle).as_posix().removeprefix("_internal/") for path in files)
    return [name for name in names if name not in own]
