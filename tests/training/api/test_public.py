"""The public interface: what it names, what importing it costs, and what it says of wrong arguments."""

import re
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch import nn

import training as typed_training
from tests.videos import write_video

training: Any = typed_training
"""Untyped here: wrong arguments are the point."""
ROOT = Path(__file__).resolve().parents[3]
HEAVY = ("torch", "cv2", "numpy", "av", "pydantic", "scipy", "h5py", "sklearn", "openvino")


def modules_after(code: str) -> list[str]:
    code += f"\nimport sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT, timeout=60
    )
    return list(ast_list(done.stdout))


def ast_list(text: str) -> list[str]:
    return re.findall(r"'(\w+)'", text)


def test_importing_is_quick_and_light() -> None:
    assert modules_after("import training; assert dir(training)") == []
    code = "import time; start = time.process_time(); import training; print(time.process_time() - start)"
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout)
        for _ in range(3)
    ]
    assert min(times) < 0.2


@pytest.mark.parametrize(
    "code",
    [
        "import training.methods, training.models; training.methods.register_method; training.models.register_backbone",
        "import training; training.open_study; training.UserError; training.Model; training.finetune",
        "from training.methods import FinetuneMethod, Settings",
    ],
)
def test_torch_is_imported_only_by_what_needs_it(code: str) -> None:
    assert not {"torch", "cv2", "av"} & {*modules_after(code)}


def test_reading_a_study_needs_no_torch(tmp_path: Path) -> None:
    write_video(tmp_path / "a.mp4", 12)
    assert "torch" not in modules_after(f"import training; training.open_study({str(tmp_path / 'a.mp4')!r})[3]")


def test_every_name_is_there_and_documented() -> None:
    page = (ROOT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    for name in training.__all__:
        value = getattr(training, name)
        if name not in ("__version__", "cleaning", "losses", "methods", "models"):
            assert f"::: training.{name}\n" in page
            assert value.__doc__
    for module in ("cleaning", "losses", "methods", "models"):
        for name in getattr(training, module).__all__:
            assert getattr(getattr(training, module), name) is not None
            assert f"::: training.{module}.{name}\n" in page
    assert {*training.__all__} <= {*dir(training)}
    with pytest.raises(AttributeError, match="no attribute 'open_video'"):
        _ = training.open_video


def test_the_package_is_typed() -> None:
    assert (ROOT / "training" / "py.typed").is_file()


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_video(tmp_path_factory.mktemp("study") / "a.mp4", 20)


def flat_trunk() -> nn.Sequential:
    """Four layers, none of which makes the map smaller."""
    return nn.Sequential(OrderedDict({f"layer{number}": nn.Identity() for number in range(1, 5)}))


WRONG: list[tuple[str, Any, type[Exception], str]] = [
    ("open_study", lambda v: training.open_study(5), TypeError, "path must be a path"),
    ("empty", lambda v: training.open_study(""), ValueError, "path is empty"),
    ("bytes", lambda v: training.open_study(b"a.mp4"), TypeError, "path"),
    ("nothing there", lambda v: training.open_study("no.mp4"), training.UserError, "no.mp4"),
    ("index", lambda v: training.open_study(v, index=3), TypeError, "index must be a path"),
    ("slice", lambda v: training.open_study(v)[1:3], TypeError, "frame must be a whole number, not slice"),
    ("float", lambda v: training.open_study(v)[1.0], TypeError, "frame must be a whole number, not float"),
    ("beyond", lambda v: training.open_study(v)[20], IndexError, "20"),
    ("before", lambda v: training.open_study(v)[-21], IndexError, "-1"),
    ("every", lambda v: training.open_study(v).torch_dataset(every=0), ValueError, "every must be at least 1"),
    ("every text", lambda v: training.open_study(v).torch_dataset(every="5"), TypeError, "every must be a whole"),
    ("size", lambda v: training.open_study(v).torch_dataset(size=2.5), TypeError, "size must be a whole"),
    ("stop", lambda v: training.open_study(v).torch_dataset(stop=21), IndexError, "stop must be at most 20"),
    ("transform", lambda v: training.open_study(v).torch_dataset(transform=3), TypeError, "transform must be"),
    ("model", lambda v: training.load_model(None), TypeError, "path must be a path"),
    ("no model", lambda v: training.load_model("no/model"), training.UserError, "no/model"),
    ("device", lambda v: training.load_model("x", device="gpu"), ValueError, "device must be one of"),
    ("space", lambda v: training.load_model("x", space="head"), ValueError, "space must be one of"),
    ("table", lambda v: training.open_embeddings(1), TypeError, "path must be a path"),
    (
        "by",
        lambda v: training.evaluate("x", studies="m", labels="l", by="sex"),
        training.UserError,
        "setting by belongs",
    ),
    ("images", lambda v: training.evaluate("x", images=1, labels="l"), TypeError, "images must be a path"),
    ("evaluated", lambda v: training.evaluate(1, images="i", labels="l"), TypeError, "model must be a path"),
    ("labels", lambda v: training.finetune(studies="m", labels=[1]), TypeError, "labels must be a path"),
    ("studies", lambda v: training.finetune(studies=3, labels="l"), TypeError, "studies must be a path"),
    ("no data", lambda v: training.finetune(labels="l"), training.UserError, "give either studies"),
    ("method", lambda v: training.finetune(studies="m", labels="l", method=3), TypeError, "method must be"),
    ("no method", lambda v: training.finetune(studies="m", labels="l", method="tl"), training.UserError, "tl-ba"),
    ("setting", lambda v: training.finetune(studies="m", labels="l", stepz=3), training.UserError, "stepz"),
    ("loss", lambda v: training.finetune(studies="m", labels="l", loss="l"), TypeError, "loss must be"),
    ("on_event", lambda v: training.finetune(studies="m", labels="l", on_event=1), TypeError, "on_event must be"),
    (
        "no loss",
        lambda v: training.finetune(studies="m", labels="l", loss=max, method="cross-entropy"),
        ValueError,
        "loss",
    ),
    ("registered", lambda v: training.methods.register_method(int), TypeError, "method must be"),
    ("taken", lambda v: training.models.register_backbone("resnet18", list, embedding_size=3), ValueError, "name"),
    ("backbone", lambda v: training.models.register_backbone("b", 3, embedding_size=3), TypeError, "make_trunk"),
    (
        "embedding size",
        lambda v: training.models.register_backbone("b", list, embedding_size=0),
        ValueError,
        "embedding_size",
    ),
    ("no trunk", lambda v: training.models.register_backbone("b", list, embedding_size=3), TypeError, "make_trunk"),
    ("flat", lambda v: training.models.register_backbone("b", flat_trunk, embedding_size=3), ValueError, "layer1"),
]


@pytest.mark.parametrize(("call", "error", "sentence"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_wrong_arguments_get_a_sentence(video: Path, call: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=re.escape(sentence)):
        call(video)


def test_a_study_is_a_sequence_of_frames(video: Path) -> None:
    from tests.videos import number_of

    with training.open_study(str(video)) as study:
        assert (len(study), study[np.int64(3)].shape, study.missing) == (20, (64, 64, 3), [])
        assert [number_of(study[number]) for number in (7, -1, 0)] == [7, 19, 0]
        assert [number_of(picture) for picture in study] == [*range(20)]
        assert [number for number, _ in study.frames(2, 12, every=4)] == [2, 6, 10]
        assert study.seconds[:2].tolist() == pytest.approx([0, 0.04])
        assert training.open_study(study) is study
