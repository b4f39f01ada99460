"""Every file format that the program opens: a sound file of it, who reads it, and the ways to damage it."""

import hashlib
import random
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.fuzz.base_commands import BASES
from tests.fuzz.case import Case
from tests.fuzz.damage_arrays import HDF5_WAYS, NPZ_WAYS, SAFETENSORS_WAYS
from tests.fuzz.damage_database import DATABASE_WAYS
from tests.fuzz.damage_files import CONTENT_WAYS, NO_FILE, PLACE_WAYS, Way
from tests.fuzz.damage_text import CSV_WAYS, JSON_WAYS
from tests.fuzz.damage_xml import XML_WAYS
from tests.fuzz.material import CONTAINERS
from tests.fuzz.options import all_commands
from tests.fuzz.sandbox import Sandbox

SUMS = "SHA256SUMS"


@dataclass(frozen=True)
class Reader:
    """A call that opens the file: a command with some options replaced; or a whole call of another program."""

    command: str
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Format:
    """A file format.

    Attributes:
        source: the sound file, or the folder that holds it; a copy of it is `{damaged}/<its name>`.
        readers: who opens it.
        ways: to damage what is well-formed, beside those for any file.
        member: where in the folder the file lies; empty: `source` is the file.
        is_needed: without the file nothing can be done: exit status 0 is a failure then.
    """

    source: str
    readers: tuple[Reader, ...]
    ways: tuple[Way, ...] = ()
    member: str = ""
    is_needed: bool = True


D = "{damaged}"
_MODEL_READERS = (
    Reader("score", {"model": f"{D}/model"}),
    Reader("explain", {"model": f"{D}/model"}),
    Reader("finetune", {"init": f"{D}/model"}),
    Reader("evaluate-neighbours", {"model": f"{D}/model"}),
)
_PRETRAINED_READERS = (
    Reader("score", {"model": f"{D}/pretrained"}),
    Reader("finetune", {"init": f"{D}/pretrained"}),
    Reader("evolution", {"run": f"{D}/pretrained"}),
    Reader("pretrain", {"init": f"{D}/pretrained"}),
    Reader("reader", {"run": f"{D}/pretrained"}),
)
_GOES_ON = (Reader("pretrain", {"out": f"{D}/pretrained", "resume": "true"}),)
_FINETUNED_GOES_ON = (Reader("finetune", {"out": f"{D}/finetuned", "resume": "true"}),)
_FINETUNED_READERS = (Reader("score", {"model": f"{D}/finetuned"}), Reader("reader", {"run": f"{D}/finetuned"}))
_LIBRARY_READERS = (
    Reader("export", {"library": f"{D}/library"}),
    Reader("import", {"library": f"{D}/library"}),
    Reader("reader", {"take-back": f"{D}/library"}),
    Reader("wce-desktop", {"library": f"{D}/library"}),
)
_STUDIES_READERS = (
    Reader("finetune", {"studies": f"{D}/studies/manifest.json", "labels": f"{D}/studies/labels.csv"}),
    Reader("import", {"path": f"{D}/studies"}),
)
_KVASIR = (
    Reader("datasets", {"folder": f"{D}/kvasir"}),
    Reader("datasets", {"folder": f"{D}/kvasir", "action": "check"}),
)
_STUDY_READERS = ("index", "score", "explain")


def _videos() -> dict[str, Format]:
    names = {f"video {suffix.lstrip('.')}": f"videos/study{suffix}" for suffix in CONTAINERS}
    names |= {"video packed": "videos/packed.avi", "video mjpeg": "videos/mjpeg.avi"}
    names |= {f"dicom {kind}": f"videos/{kind}.dcm" for kind in ("video", "raw", "jpeg")}
    found = {}
    for name, source in names.items():
        path = f"{D}/{Path(source).name}"
        readers = [Reader(one, {"path": path}) for one in _STUDY_READERS]
        found[name] = Format(source, (*readers, readers[0], readers[0], Reader("wce-desktop", {"paths": path})))
    return found


def _images() -> dict[str, Format]:
    found = {}
    for number, suffix in enumerate(("png", "jpg", "bmp", "tif")):
        readers = tuple(Reader(one, {"path": f"{D}/images"}) for one in ("index", "score"))
        readers += (Reader("evaluate-neighbours", {"images": f"{D}/images"}),)
        found[f"image {suffix}"] = Format("images", readers, (), f"{number:02}.{suffix}", is_needed=False)
    return found


def _models() -> dict[str, Format]:
    return {
        "model config": Format("model", _MODEL_READERS, JSON_WAYS, "config.json"),
        "model card": Format("model", _MODEL_READERS, JSON_WAYS, "card.json", is_needed=False),
        "model sums": Format("model", _MODEL_READERS, (), SUMS, is_needed=False),
        "model weights": Format("model", _MODEL_READERS, SAFETENSORS_WAYS, "model.safetensors"),
    }


def _runs() -> dict[str, Format]:
    step = "step-000001"
    return {
        "run config": Format(
            "pretrained", (*_PRETRAINED_READERS, *_GOES_ON), JSON_WAYS, "config.json", is_needed=False
        ),
        "run card": Format("pretrained", (*_PRETRAINED_READERS, *_GOES_ON), JSON_WAYS, "card.json", is_needed=False),
        "run split": Format("pretrained", (*_PRETRAINED_READERS, *_GOES_ON), JSON_WAYS, "split.json", is_needed=False),
        "run events": Format(
            "pretrained", (*_PRETRAINED_READERS, *_GOES_ON), JSON_WAYS, "events.jsonl", is_needed=False
        ),
        "run metrics": Format(
            "pretrained", (*_PRETRAINED_READERS[-1:], *_GOES_ON), CSV_WAYS, "metrics.csv", is_needed=False
        ),
        "run knn": Format("pretrained", (*_PRETRAINED_READERS[-1:], *_GOES_ON), CSV_WAYS, "knn.csv", is_needed=False),
        "run kept weights": Format(
            "pretrained", _PRETRAINED_READERS[:3], SAFETENSORS_WAYS, f"kept/{step}.safetensors", is_needed=False
        ),
        "run checkpoint": Format(
            "pretrained",
            (*_PRETRAINED_READERS[:2], *_GOES_ON),
            SAFETENSORS_WAYS,
            f"checkpoints/{step}.safetensors",
            is_needed=False,
        ),
        "finetuning config": Format(
            "finetuned", (*_FINETUNED_GOES_ON, *_FINETUNED_READERS), JSON_WAYS, "config.json", is_needed=False
        ),
        "finetuning split": Format(
            "finetuned", (*_FINETUNED_GOES_ON, *_FINETUNED_READERS), JSON_WAYS, "split.json", is_needed=False
        ),
        "finetuning checkpoint": Format(
            "finetuned", _FINETUNED_GOES_ON, SAFETENSORS_WAYS, f"checkpoints/{step}.safetensors", is_needed=False
        ),
        "finetuning optimizer": Format(
            "finetuned",
            _FINETUNED_GOES_ON,
            SAFETENSORS_WAYS,
            f"checkpoints/{step}.optimizer.safetensors",
            is_needed=False,
        ),
    }


def _arrays() -> dict[str, Format]:
    scores: tuple[Reader, ...] = (
        Reader("neighbours", {"embeddings": f"{D}/P01.h5"}),
        Reader("project", {"embeddings": f"{D}/P01.h5", "method": "pca"}),
    )
    scores += (Reader("reader", {"scores": f"{D}/P01.h5"}), Reader("score", {"out": f"{D}/P01.h5", "resume": "true"}))
    index = tuple(Reader(one, {"index": f"{D}/index.npz"}) for one in ("score", "explain", "reader"))
    placed = Reader("project", {"onto": f"{D}/map.npz"})
    return {
        "embeddings h5": Format("P01.h5", (*scores, scores[0], scores[1]), HDF5_WAYS),
        "index npz": Format("index.npz", index, NPZ_WAYS),
        "map npz": Format("map.npz", (placed, Reader("reader", {"map": f"{D}/map.npz"})), NPZ_WAYS),
        "evolution npz": Format("evolution.npz", (Reader("reader", {"evolution": f"{D}/evolution.npz"}),), NPZ_WAYS),
    }


def _tables() -> dict[str, Format]:
    manifest: tuple[Reader, ...] = (*_STUDIES_READERS, Reader("pretrain", {"studies": f"{D}/studies/manifest.json"}))
    manifest += (Reader("evolution", {"studies": f"{D}/studies/manifest.json"}),)
    asked = Reader("evaluate-neighbours", {"labels": f"{D}/images.csv"})
    explained = Reader("evaluate-explanations", {"boxes": f"{D}/image_boxes.csv"})
    embeddings = tuple(
        Reader(one, {"manifest": f"{D}/embeddings.json", "embeddings": ""}) for one in ("neighbours", "project")
    )
    boxes = (_STUDIES_READERS[1], Reader("finetune", {"boxes": f"{D}/studies/boxes.csv"}))
    rendered = Reader(
        "phantom", {"out": f"{D}/studies", "studies": "3", "frames": "40", "size_px": "64", "positive_share": "0.3"}
    )
    return {
        "manifest": Format("studies", manifest, JSON_WAYS, "manifest.json", is_needed=False),
        "labels csv": Format("studies", _STUDIES_READERS, CSV_WAYS, "labels.csv", is_needed=False),
        "findings csv": Format("studies", _STUDIES_READERS[1:], CSV_WAYS, "findings.csv", is_needed=False),
        "boxes csv": Format("studies", boxes, CSV_WAYS, "boxes.csv", is_needed=False),
        "truth json": Format("studies", (rendered,), JSON_WAYS, "videos/P01.truth.json", is_needed=False),
        "image labels csv": Format(
            "images.csv", (asked, Reader("evaluate-explanations", {"labels": f"{D}/images.csv"})), CSV_WAYS
        ),
        "image boxes csv": Format("image_boxes.csv", (explained,), CSV_WAYS),
        "embeddings manifest": Format("embeddings.json", embeddings, JSON_WAYS),
        "published csv": Format("published.csv", (Reader("reproduce", {"published": f"{D}/published.csv"}),), CSV_WAYS),
        "kvasir metadata": Format("kvasir", _KVASIR, CSV_WAYS, "metadata.csv", is_needed=False),
        "kvasir split": Format("kvasir", _KVASIR, CSV_WAYS, "official_splits/split_0.csv", is_needed=False),
    }


def _annotations() -> dict[str, Format]:
    """Files of annotation tools: read and placed as the window does, and imported into a library without studies."""
    ways = {"json": JSON_WAYS, "xml": XML_WAYS}
    found = {}
    for name in ("coco.json", "via.json", "labelme.json", "cvat-images.xml", "cvat-video.xml"):
        stem, suffix = name.split(".")
        placed = Reader("reader", {"annotations": f"{D}/{name}"})
        imported = Reader("import", {"path": f"{D}/{name}"})
        found[f"{stem} {suffix}"] = Format(f"annotations/{name}", (placed, placed, imported), ways[suffix])
    yolo = (Reader("reader", {"annotations": f"{D}/yolo"}), Reader("import", {"path": f"{D}/yolo"}))
    layout = (Reader("reader", {"annotations": f"{D}/kvasir"}), Reader("import", {"path": f"{D}/kvasir"}))
    return found | {
        "yolo names": Format("annotations/yolo", yolo, (), "data.yaml", is_needed=False),
        "yolo boxes": Format("annotations/yolo", yolo, CSV_WAYS, "labels/P01-frame-000003.txt", is_needed=False),
        "kvasir layout": Format("kvasir", layout, CSV_WAYS, "metadata.csv", is_needed=False),
    }


def _library() -> dict[str, Format]:
    window = Reader("wce-desktop", {"library": f"{D}/library"})
    return {
        "library": Format("library", _LIBRARY_READERS, DATABASE_WAYS, "library.sqlite", is_needed=False),
        "settings": Format(
            "library",
            (Reader("reader", {"settings": f"{D}/library/settings.json"}), window),
            JSON_WAYS,
            "settings.json",
            is_needed=False,
        ),
        "presets": Format(
            "library",
            (Reader("reader", {"presets": f"{D}/library/presets.json"}),),
            JSON_WAYS,
            "presets.json",
            is_needed=False,
        ),
    }


FORMATS: Mapping[str, Format] = {
    **_arrays(),
    **_models(),
    **_runs(),
    **_tables(),
    **_annotations(),
    **_library(),
    **_images(),
    **_videos(),
}
_KEPT_BY_READERS = {"take-back": (f"{D}/library",), "presets": (f"{D}/library",)}
"""What a reader of the window writes to: the library; a damaged file of presets is put aside there."""
_LOST_LIBRARY = frozenset({"missing", "empty"})
"""Ways after which a library must not open as if it were new."""


def format_cases(name: str) -> SearchStrategy[Case]:
    """Cases of one format."""
    return _format_cases(name, FORMATS[name])


@st.composite
def _format_cases(draw: DrawFn, name: str, one: Format) -> Case:
    reader = draw(st.sampled_from(one.readers))
    ways = (*CONTENT_WAYS, *PLACE_WAYS, *one.ways * max(1, 20 // max(1, len(one.ways))))
    way = draw(st.sampled_from(ways)).__name__
    program, argv, outputs = call(reader)
    refused = (one.is_needed and way in NO_FILE) or (name == "library" and way in _LOST_LIBRARY)
    damage = (name, way, draw(st.integers(0, 2**32)))
    return Case(f"file {name}", program, argv, outputs, damage, must_be_refused=refused and not _makes_it(reader))


def _makes_it(reader: Reader) -> bool:
    """Whether the call makes the file anew where it is missing."""
    return "resume" in reader.options


def call(reader: Reader) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """(program, argv, outputs) of a reader."""
    if reader.command == "reader":
        ((what, path),) = reader.options.items()
        return "reader", (what, path), _KEPT_BY_READERS.get(what, ())
    command, base = all_commands()[reader.command], BASES[reader.command]
    wanted = {key: value for key, value in {**base.options, **base.settings, **reader.options}.items() if value}
    if "steps" in wanted and "resume" in wanted:
        wanted["steps"] = "2"
    words, named, outputs = [], [], []
    for option in command.options:
        if option.name not in wanted:
            continue
        value = wanted.pop(option.name)
        outputs += [value] if option.is_output else []
        if not option.flag:
            words.append(value)
        elif option.kind == "flag":
            named.append(option.flag)
        else:
            named.append(f"--set={option.name}={value}" if option.flag == "--set" else f"{option.flag}={value}")
    assert not wanted, f"{reader.command} has no {', '.join(wanted)}"
    program = "window" if reader.command == "wce-desktop" else command.program
    return program, (*command.words, *words, *named), tuple(outputs)


def damage_input(case: Case, sandbox: Sandbox) -> None:
    """Copy what the case's format needs into the sandbox, and damage it."""
    assert case.damage is not None
    name, way_name, seed = case.damage
    one = FORMATS[name]
    source = sandbox.inputs / one.source
    target = sandbox.damaged / source.name
    if one.member:
        shutil.copytree(source, target, symlinks=True)
        target /= one.member
    else:
        shutil.copyfile(source, target)
    rng = random.Random(f"{way_name} {seed}")
    ways = {way.__name__: way for way in (*CONTENT_WAYS, *PLACE_WAYS, *one.ways)}
    ways[way_name](target, rng)
    sums = target.with_name(SUMS)
    if sums.is_file() and target != sums and rng.random() < 0.8:  # as one does who means harm
        write_sums(sums)


def write_sums(sums: Path) -> None:
    """Make the checksums of a model folder right for what is in it."""
    lines = []
    for line in sums.read_text(encoding="utf-8").splitlines():
        path = sums.with_name(line.split()[-1].lstrip("*"))
        if path.is_file() and path.stat().st_size < 2**30:
            line = line.replace(line.split()[0], hashlib.sha256(path.read_bytes()).hexdigest())
        lines.append(line)
    sums.write_text("\n".join(lines) + "\n", encoding="utf-8")
