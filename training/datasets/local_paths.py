"""Where the studies of manifests lie on this computer: a file beside the manifests, which is not to be shared.

Names of files and folders may name patients, so no manifest contains them.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files import json_text, outputs

FILE_NAME = "paths-on-this-computer.json"
NOTE = (
    "Where the studies of the manifests in this folder are on this computer. Do not share this file: names of files "
    "and folders may name patients. The manifests themselves contain no paths."
)


def read(manifest: Path) -> dict[str, str]:
    """The paths of a manifest's studies by study id, as written; empty where they are not known."""
    path = manifest.parent / FILE_NAME
    if not path.is_file():
        return {}
    known = (_all(path) or {}).get(manifest.name, {})
    return {str(study_id): place for study_id, place in known.items() if isinstance(place, str)}


def write(manifest: Path, paths: Mapping[str, Path]) -> None:
    """Write the paths of a manifest's studies; those of other manifests in its folder stay.

    Args:
        manifest: the manifest's file.
        paths: study -> path; empty: nothing is said of this manifest, and a file that says nothing is deleted.

    Raises:
        OSError: as writing does.
    """
    path = manifest.parent / FILE_NAME
    known = (_all(path) if path.is_file() else {}) or {}  # where damaged only this computer's own knowledge is lost
    known.pop(manifest.name, None)
    if paths:
        known[manifest.name] = {study_id: shown(place, manifest.parent) for study_id, place in paths.items()}
    if not known:
        path.unlink(missing_ok=True)
        return
    _save(path, known)


def forget(folder: Path, study_id: str) -> None:
    """Take a study out of the file in a folder, where there is one.

    Raises:
        OSError: as writing does.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        return
    known = _all(path)
    if known is None:
        path.unlink()
        return
    _save(path, {name: {study: at for study, at in of.items() if study != study_id} for name, of in known.items()})


def _save(path: Path, manifests: Mapping[str, Mapping[str, Any]]) -> None:
    text = json.dumps({"note": NOTE, "manifests": manifests}, indent=2, ensure_ascii=False) + "\n"
    with outputs.written_beside(path) as beside:
        beside.touch(mode=0o600)
        beside.write_text(text, encoding="utf-8")


def shown(path: Path, folder: Path) -> str:
    """A path as files have it: relative to a folder that it is in."""
    file, folder = path.resolve(), folder.resolve()
    return (file.relative_to(folder) if file.is_relative_to(folder) else file).as_posix()


def _all(path: Path) -> dict[str, dict[str, Any]] | None:
    """Manifest -> study -> path; None for a damaged file."""
    try:
        content = json_text.read_json_object(path, "list of paths", max_bytes=json_text.MAX_JSON_BYTES).get("manifests")
    except UserError:
        return None
    given = content if isinstance(content, dict) else {}
    return {str(name): dict(of) for name, of in given.items() if isinstance(of, dict)}
