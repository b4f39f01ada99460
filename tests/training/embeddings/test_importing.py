"""Embeddings and scores of other programs: every format gives the same file, and what does not fit gets a sentence.

Covers `own_table.py`, too.
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from tests.training.embeddings.samples import go_on
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.file import EmbeddingFile
from training.embeddings.header import EmbeddingHeader
from training.embeddings.importing import import_table, renamed
from training.embeddings.own_table import ROWS, open_table
from training.embeddings.writer import EmbeddingWriter
from training.errors import UserError
from training.models.folder import ModelFolder
from training.models.inference_network import network_of_model
from training.runs.reporter import Cancelled, Reporter, SilentReporter
from training.video import FrameIndex

FRAMES, SIZE, CLASSES = 2500, 6, ("polyp", "blood")
RANDOM = np.random.default_rng(0)
EMBEDDINGS = RANDOM.normal(size=(FRAMES, SIZE)).astype(np.float32)
SCORES = RANDOM.random((FRAMES, 2)).astype(np.float32)
EVERY_THIRD = np.arange(0, FRAMES, 3)
INDEX = FrameIndex(
    np.arange(FRAMES) / 5,
    np.arange(FRAMES),
    np.ones(FRAMES, bool),
    Fraction(1, 5),
    np.zeros(0, np.int64),
    fingerprint="f1",
)


class Place:
    """A folder for one import."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.model, self.out = folder, folder / "vit-s14", folder / "P01.h5"

    def take(self, name: str, reporter: Reporter | None = None, like: Path | None = None) -> EmbeddingFile:
        table = open_table(self.folder / name)
        import_table(table, INDEX, self.model, self.out, reporter or SilentReporter(), like)
        return EmbeddingFile.open(self.out, "f1")

    def refusal(self, name: str) -> str:
        """What is said, with the hint; neither model nor file are left."""
        with pytest.raises(UserError) as caught:
            self.take(name)
        assert caught.value.hint
        assert {path.name for path in self.folder.iterdir()} == {name}
        return str(caught.value)

    def csv(self, header: str, *columns: Any, name: str = "table.csv") -> str:
        lines = [",".join(map(str, cells)) for cells in zip(*columns, strict=True)]
        (self.folder / name).write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
        return name

    def npz(self, name: str = "table.npz", **arrays: Any) -> str:
        np.savez(self.folder / name, **arrays)
        return name


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def write_npy(path: Path, rows: NDArray[np.int64]) -> None:
    np.save(path, EMBEDDINGS)


def write_npz(path: Path, rows: NDArray[np.int64]) -> None:
    np.savez_compressed(path, embeddings=EMBEDDINGS[rows], scores=SCORES[rows], frame_index=rows, classes=CLASSES)


def write_npz_seconds(path: Path, rows: NDArray[np.int64]) -> None:
    np.savez(path, embeddings=EMBEDDINGS[rows], scores=SCORES[rows], seconds=rows / 5 + 0.04, classes=CLASSES)


def write_hdf5(path: Path, rows: NDArray[np.int64]) -> None:
    with h5py.File(path, "w") as file:
        file.create_dataset("embeddings", data=EMBEDDINGS[rows], compression="gzip", chunks=(100, SIZE))
        file["scores"] = SCORES[rows]
        file["frame_index"] = rows
        file["scores"].attrs["classes"] = list(CLASSES)


def write_parquet(path: Path, rows: NDArray[np.int64]) -> None:
    columns = {"frame": rows, "seconds": rows / 5, "score_polyp": SCORES[rows, 0], "score_blood": SCORES[rows, 1]}
    columns |= {f"e{place}": EMBEDDINGS[rows, place] for place in range(SIZE)}
    pq.write_table(pa.table(columns), path)


def write_parquet_list(path: Path, rows: NDArray[np.int64]) -> None:
    columns = {"frame_index": rows, "embedding": list(EMBEDDINGS[rows]), "polyp": SCORES[rows, 0]}
    pq.write_table(pa.table({**columns, "blood": SCORES[rows, 1]}), path)


def write_csv(path: Path, rows: NDArray[np.int64]) -> None:
    names = ["Frame index", *(f"e{place}" for place in range(SIZE)), *CLASSES]
    lines = [[row, *EMBEDDINGS[row].tolist(), *SCORES[row].tolist()] for row in rows]
    text = "\n".join(";".join(str(cell).replace(".", ",") for cell in line) for line in [names, *lines])
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("write", "suffix", "rows"),
    [
        (write_npy, "npy", np.arange(FRAMES)),
        (write_npz, "npz", EVERY_THIRD),
        (write_npz_seconds, "npz", EVERY_THIRD),
        (write_hdf5, "h5", EVERY_THIRD),
        (write_parquet, "parquet", EVERY_THIRD),
        (write_parquet_list, "parquet", np.arange(100, 2400)),
        (write_csv, "csv", np.array([0, 1, 7, 2499])),
    ],
)
def test_every_format_gives_rows_at_their_frames(
    place: Place, write: Callable[[Path, NDArray[np.int64]], None], suffix: str, rows: NDArray[np.int64]
) -> None:
    write(place.folder / f"table.{suffix}", rows)
    with place.take(f"table.{suffix}") as file:
        assert file.frame_index.tolist() == list(range(FRAMES))
        assert file.video_seconds.tolist() == INDEX.video_seconds.tolist()
        assert file.missing.nonzero()[0].tolist() == sorted(set(range(FRAMES)) - set(rows.tolist()))
        np.testing.assert_array_equal(file.embeddings[rows], EMBEDDINGS[rows].astype(np.float16))
        assert file.mean_color is None
        if suffix != "npy":
            assert file.header.classes == ("normal", *CLASSES)
            assert file.scores is not None
            wanted = np.column_stack([1 - SCORES[rows].max(axis=1), SCORES[rows]])
            np.testing.assert_allclose(file.scores[rows], wanted, atol=1e-6)
            assert np.isnan(np.delete(file.scores, rows, axis=0)).all()


def test_what_this_program_exports_is_read(place: Place) -> None:
    """The columns of `EmbeddingTable.to_pandas`, in which normal is a score and a missing frame a row of NaN."""
    normal = 1 - SCORES.max(axis=1)
    columns = {"frame": np.arange(FRAMES), "score_normal": normal, "score_polyp": SCORES[:, 0]}
    columns |= {f"e{at}": EMBEDDINGS[:, at].copy() for at in range(SIZE)}
    for name, values in columns.items():
        if name != "frame":
            values[9] = np.nan
    pq.write_table(pa.table(columns), place.folder / "a.parquet")
    with place.take("a.parquet") as file:
        assert file.header.classes == ("normal", "polyp")
        assert file.missing.nonzero()[0].tolist() == [9]
        assert file.scores is not None
        np.testing.assert_array_equal(file.scores[:, 0], normal)
    assert ModelFolder.open(place.model).config.scores == "softmax"


def test_scores_alone_stand_for_embeddings(place: Place) -> None:
    with place.take(place.csv("seconds,polyp,blood", [0, 2.0], [0.25, 0.5], [0.75, 0])) as file:
        assert file.scores is not None
        assert file.scores[[0, 10]].tolist() == [[0.25, 0.25, 0.75], [0.5, 0.5, 0.0]]
        assert file.embeddings[[0, 10]].tolist() == [[0.25, 0.75], [0.5, 0.0]]


def test_colours_tracks_and_view_come_from_another_file(place: Place) -> None:
    header = EmbeddingHeader(
        model_id="m", model_sha256="0" * 64, classes=(), tracks=("blood",), video_path="", created_utc="",
        preprocessing='{"field_of_view": {"kind": "all"}}', video_fingerprint="f1",
    )  # fmt: skip
    colors, codes = (RANDOM.integers(0, 255, (FRAMES, width), dtype=np.uint8) for width in (3, 1))
    other = place.folder / "other.h5"
    with EmbeddingWriter.create(other, header, EmbeddingLayout(FRAMES, 4, tracks=1), INDEX.video_seconds) as writer:
        writer.append(EmbeddingChunk(np.zeros((FRAMES, 4), np.float16), colors, tracks=codes))
        writer.finish()
    np.save(place.folder / "a.npy", EMBEDDINGS)
    with place.take("a.npy", like=other) as file:
        assert file.mean_color is not None
        np.testing.assert_array_equal(file.mean_color, colors)
        np.testing.assert_array_equal(file.track_codes, codes)
        assert "field_of_view" in file.header.preprocessing
    go_on(EmbeddingWriter.create(other, header, EmbeddingLayout(50, 16, 3, 2), np.arange(50.0)))
    with place.take("a.npy", like=other) as file:  # of other frames
        assert file.mean_color is None


REFUSED: dict[str, tuple[Callable[[Place], str], str]] = {
    "wrong number of rows": (lambda p: p.npz(embeddings=EMBEDDINGS[:9]), "has 9 rows, but the study has 2,500 frames"),
    "no rows": (lambda p: p.npz(embeddings=EMBEDDINGS[:0]), "has no rows"),
    "frame beyond the end": (
        lambda p: p.csv("frame,polyp", [3, 2500], [0, 1]),
        "row for frame 2500, but the frames of the study are 0 to 2,499",
    ),
    "frames from -1": (lambda p: p.csv("frame,polyp", [-1], [0]), "frame -1"),
    "half a frame": (lambda p: p.csv("frame,polyp", [1.5], [0]), "frame 1.5"),
    "no frame": (lambda p: p.csv("frame,polyp", ["", 2], [0, 1]), "frame_index holds values that are no numbers"),
    "a frame twice": (lambda p: p.csv("frame,polyp", [4, 4], [0, 1]), "frame 4 stands there twice"),
    "not in order": (lambda p: p.csv("frame,polyp", [4, 3], [0, 1]), "frame 3 stands there behind a later one"),
    "two times of a frame": (lambda p: p.csv("seconds,polyp", [1, 1.01], [0, 1]), "frame 5 stands there twice"),
    "no such second": (
        lambda p: p.csv("seconds,polyp", [1, 600], [0, 1]),
        "second 600.000, at which the study has no frame; the nearest is at 499.800",
    ),
    "before the first second": (lambda p: p.csv("seconds,polyp", [-0.2], [0]), "second -0.200"),
    "half a row": (
        lambda p: p.npz(embeddings=np.array([[1, 1], [np.nan, 1]], np.float32), frame_index=[5, 6]),
        "row of frame 6 has a value that is not finite",
    ),
    "infinity": (
        lambda p: p.npz(embeddings=np.array([[np.inf, 1]], np.float32), frame_index=[5]),
        "row of frame 5 has a value that is not finite",
    ),
    "beyond float16": (
        lambda p: p.npz(embeddings=np.array([[1e6, 1]]), frame_index=[5]),
        "frame 5 has a value beyond 65,504",
    ),
    "words": (lambda p: p.npz(embeddings=np.array([["a", "b"]]), frame_index=[5]), "values of the type <U1"),
    "objects": (lambda p: p.npz(embeddings=np.array([[None]])), "holds Python objects"),
    "complex": (lambda p: p.npz(embeddings=np.array([[1j]]), frame_index=[0]), "of the type complex128"),
    "frames in words": (lambda p: p.npz(embeddings=EMBEDDINGS[:1], frame_index=["a"]), "no numbers"),
    "three dimensions": (lambda p: p.npz(embeddings=np.zeros((2, 3, 4))), "embeddings has the shape (2, 3, 4)"),
    "nothing": (lambda p: p.npz(vectors=EMBEDDINGS), "has no array embeddings"),
    "by columns": (lambda p: p.npz(embeddings=np.asfortranarray(EMBEDDINGS)), "stored by columns"),
    "other rows": (lambda p: p.npz(embeddings=EMBEDDINGS, frame_index=[1, 2]), "but there are 2,500 rows"),
    "two keys": (lambda p: p.csv("frame,frame_index,polyp", [1], [1], [0]), "has both frame_index and frame"),
    "no key": (lambda p: p.csv("time,polyp", [1], [1]), "neither a column frame_index nor a column seconds"),
    "logits": (lambda p: p.csv("frame,polyp", [7], [-3]), "a score of frame 7 is not between 0 and 1"),
    "no classes": (lambda p: p.csv("frame", [7]), "nor columns of classes"),
    "only normal": (lambda p: p.csv("frame,normal", [7], [1]), "at least 2 classes"),
    "class twice": (lambda p: p.csv("frame,polyp,score_polyp", [7], [1], [1]), "names a class twice"),
    "class without a name": (lambda p: p.csv("frame,polyp,", [7], [1], [1]), "class names must be unique"),
    "class in other letters": (lambda p: p.npz(scores=SCORES, classes=["a", "b\x07"]), "printable characters"),
    "scores without names": (lambda p: p.npz(scores=SCORES), "the names of 0 classes"),
    "a column of words": (lambda p: p.csv("frame,polyp,who", [7], [1], ["me"]), "line 2: “me” is no number"),
    "short line": (lambda p: p.csv("frame,polyp,blood", [7], [1]), "2 cells for 3 columns"),
    "e1 without e0": (lambda p: p.csv("frame,e1,e2", [7], [1], [1]), "are not e0, e1, e2"),
    "other format": (lambda p: p.csv("frame,polyp", [7], [1], name="table.xlsx"), "no table of a known format"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_gets_a_sentence_and_leaves_nothing(place: Place, case: str) -> None:
    write, sentence = REFUSED[case]
    assert sentence in place.refusal(write(place))


@pytest.mark.parametrize("suffix", ["npy", "npz", "h5", "parquet"])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.7])
def test_a_damaged_file_gets_a_sentence(place: Place, suffix: str, share: float) -> None:
    whole = place.folder / f"table.{suffix}"
    {"npy": write_npy, "npz": write_npz, "h5": write_hdf5, "parquet": write_parquet}[suffix](whole, np.arange(FRAMES))
    whole.write_bytes(whole.read_bytes()[: int(share * whole.stat().st_size)])
    assert "cannot be read" in place.refusal(whole.name)


def test_parquet_columns_of_another_kind(place: Place) -> None:
    pq.write_table(pa.table({"frame": [1], "polyp": ["yes"]}), place.folder / "a.parquet")
    assert "the column polyp holds string" in place.refusal("a.parquet")


def test_parquet_lists_of_different_lengths(place: Place) -> None:
    pq.write_table(pa.table({"frame": [1, 2], "embedding": [[1.0, 2.0], [1.0]]}), place.folder / "a.parquet")
    assert "different lengths" in place.refusal("a.parquet")


def test_without_pyarrow_parquet_says_what_to_install(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    write_parquet(place.folder / "a.parquet", EVERY_THIRD)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pip install 'wce-desktop[parquet]'" in place.refusal("a.parquet")


def test_the_studies_of_a_model_have_equal_columns(place: Place) -> None:
    place.take(place.npz("a.npz", embeddings=EMBEDDINGS)).close()
    first, file = ModelFolder.open(place.model).sha256, place.out.read_bytes()
    for other, sentence in (
        (place.npz("b.npz", embeddings=EMBEDDINGS[:, :4]), "embeddings of 4 numbers, but those of the model vit-s14"),
        (place.npz("c.npz", embeddings=EMBEDDINGS, scores=SCORES, classes=CLASSES), "has the classes normal, polyp"),
    ):
        with pytest.raises(UserError, match=sentence):
            place.take(other)
    assert (ModelFolder.open(place.model).sha256, place.out.read_bytes()) == (first, file)
    place.out = place.folder / "P02.h5"
    with place.take("a.npz") as second:
        assert second.header.model_sha256 == first


def test_the_classes_of_a_model_stay(place: Place) -> None:
    place.take(place.csv("frame,polyp,blood", [1], [0], [0])).close()
    with pytest.raises(UserError, match="classes normal, polyp, ulcer, but the model vit-s14 has normal, polyp, blood"):
        place.take(place.csv("frame,polyp,ulcer", [1], [0], [0]))


def test_two_models_of_one_name_differ(tmp_path: Path) -> None:
    digests = set()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        place = Place(tmp_path / name)
        place.take(place.npz(embeddings=EMBEDDINGS)).close()
        digests.add(ModelFolder.open(place.model).sha256)
    assert len(digests) == 2


def test_a_model_with_a_network_takes_no_import(place: Place) -> None:
    table = place.npz(embeddings=EMBEDDINGS)
    place.model = Path("resources/models/starter")
    with pytest.raises(UserError, match="computes its scores"):
        place.take(table)
    assert ModelFolder.open(place.model)


@pytest.mark.parametrize("name", ["über", "a b", "-x", "x" * 90])
def test_names_of_models(place: Place, name: str) -> None:
    place.model = place.folder / name
    assert "cannot be imported as the model" in place.refusal(place.npz(embeddings=EMBEDDINGS))


def test_a_folder_that_is_no_model_stays(place: Place) -> None:
    table = place.npz(embeddings=EMBEDDINGS)
    place.model.mkdir()
    (place.model / "notes.txt").touch()
    with pytest.raises(UserError, match="is no model folder"):
        place.take(table)
    assert (place.model / "notes.txt").exists()


def test_nothing_is_computed_with_an_imported_model(place: Place) -> None:
    place.take(place.npz(embeddings=EMBEDDINGS)).close()
    with pytest.raises(UserError, match="has no network that could score or explain frames"):
        network_of_model(ModelFolder.open(place.model))


def test_a_cancelled_import_leaves_nothing(place: Place) -> None:
    class Ends(SilentReporter):
        def check(self) -> None:
            raise Cancelled

    table = place.npz(embeddings=EMBEDDINGS)
    with pytest.raises(Cancelled):
        place.take(table, Ends())
    assert [path.name for path in place.folder.iterdir()] == [table]


def test_classes_are_called_as_here(place: Place) -> None:
    table = open_table(place.folder / place.csv("frame,Polyp,fresh_blood,NORMAL", [1], [0], [0], [1]))
    assert renamed(table, {}).classes == table.classes
    assert renamed(table, {"fresh_blood": "blood"}, ("polyp", "blood")).classes == ("polyp", "blood", "normal")
    with pytest.raises(UserError, match="scores of 'fresh_blood', which is no class here"):
        renamed(table, {}, ("polyp", "blood"))


def test_a_long_table_is_read_in_parts(place: Place) -> None:
    for write, suffix in ((write_npz, "npz"), (write_hdf5, "h5"), (write_parquet, "parquet")):
        path = place.folder / f"table.{suffix}"
        write(path, EVERY_THIRD if suffix != "npz" else np.arange(FRAMES))
        lengths = [len(embeddings) for embeddings, _ in open_table(path).parts() if embeddings is not None]
        assert max(lengths) <= ROWS
