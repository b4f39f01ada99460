"""Files on stores: copied once, used again, renewed, bounded; S3 by a store of this kind on the loopback."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.videos import number_of, write_video
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.files import stores
from training.runs.reporter import Cancelled
from training.video import build_index, fingerprint, open_source

fsspec = pytest.importorskip("fsspec", reason="the extra store is not installed")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "cache"
    monkeypatch.setenv(stores.FOLDER_VARIABLE, str(folder))
    monkeypatch.setattr(stores, "_checked", {})
    yield folder
    while stores._held:
        stores._held.popitem()[1].close()


@pytest.fixture
def share(tmp_path: Path) -> Path:
    folder = tmp_path / "share"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    server_module = pytest.importorskip("moto.server", reason="moto is not installed")
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    changed = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in changed.items():
            patch.setenv(name, value)
        system = fsspec.filesystem("s3")
        system.mkdir("studies")
        yield "s3://studies"
        type(system).clear_instance_cache()
    server.stop()


class _Bytes:
    """Notes how far copies are; cancels the second block where asked."""

    def __init__(self, *, cancels: bool = False) -> None:
        self.done: list[int] = []
        self.lines: list[str] = []
        self._cancels = cancels

    def check(self) -> None:
        if self._cancels:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        self.done.append(done)

    def log(self, line: str) -> None:
        self.lines.append(line)


def test_a_video_on_s3_is_read_by_its_frame_numbers(bucket: str, tmp_path: Path) -> None:
    video = write_video(tmp_path / "P01.mp4", 30)
    stores.put(video, f"{bucket}/site/P01.mp4")
    place = stores.place_of(f"{bucket}/site/P01.mp4")
    assert place.name == "P01.mp4"
    assert not place.exists()
    assert stores.address_of(place) == f"{bucket}/site/P01.mp4"
    with open_source(place) as source:
        assert [number_of(source.read(frame)) for frame in (0, 17, 29)] == [0, 17, 29]
    assert fingerprint(place) == fingerprint(video)
    system, _ = fsspec.core.url_to_fs(bucket)
    assert system.find("studies/site") == ["studies/site/P01.mp4"], "nothing half-written stays"


def test_a_folder_on_s3_comes_whole_and_its_parts_do_not(bucket: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    (folder / "inner").mkdir(parents=True)
    (folder / "card.json").write_text("{}")
    (folder / "inner" / "weights").write_bytes(bytes(1000))
    (folder / ".weights.partial-1-2").write_bytes(b"half")
    stores.put(folder, f"{bucket}/models/m1")
    copy = stores.fetched(stores.place_of(f"{bucket}/models/m1"))
    assert sorted(path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()) == [
        "card.json",
        "inner/weights",
    ]


def test_a_copy_is_used_again_and_renewed_when_the_store_has_another_file(
    share: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (share / "a.txt").write_text("first")
    place = stores.place_of(f"file://{share}/a.txt")
    assert stores.fetched(place).read_text() == "first"
    noted = _Bytes()
    stores._checked.clear()
    stores.fetched(place, noted)
    assert noted.done == [], "nothing was copied again"
    (share / "a.txt").write_text("second version")
    assert stores.fetched(place).read_text() == "first", "the store is not asked at each reading"
    stores._checked.clear()
    assert stores.fetched(place).read_text() == "second version"
    (share / "a.txt").unlink()
    stores._checked.clear()
    assert stores.fetched(place, noted).read_text() == "second version", "it is still there while the store is away"
    assert noted.lines == [
        f"The copy of file://{share}/a.txt on this computer is used: There is no file file://{share}/a.txt."
    ]


def test_a_cancelled_copy_leaves_nothing(share: Path) -> None:
    (share / "a.bin").write_bytes(bytes(100))
    place = stores.place_of(f"file://{share}/a.bin")
    with pytest.raises(Cancelled):
        stores.fetched(place, _Bytes(cancels=True))
    assert sorted(path.name for path in place.parent.iterdir()) == ["address.json", "in-use"]


def test_copies_stay_below_their_limit(share: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(stores.LIMIT_VARIABLE, "0.000003")  # 3,000 bytes
    monkeypatch.setattr(stores, "_IN_USE", 1)
    places = []
    for number in range(4):
        (share / f"{number}.bin").write_bytes(bytes(1000))
        places.append(stores.fetched(stores.place_of(f"file://{share}/{number}.bin")))
        os.utime(places[-1].parent / "in-use", (number, number))
    assert [place.exists() for place in places] == [False, True, True, True], "the oldest went"
    assert stores.fetched(places[0]).exists(), "and comes back when it is asked for"
    assert sum(place.exists() for place in places) == 3
    (share / "large.bin").write_bytes(bytes(4000))
    with pytest.raises(UserError, match="no room for a copy"):
        stores.fetched(stores.place_of(f"file://{share}/large.bin"))


def test_a_copy_that_another_process_uses_is_not_removed(share: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (share / name).write_bytes(bytes(1000))
    first = stores.fetched(stores.place_of(f"file://{share}/a"))
    program = (
        "import sys; from pathlib import Path; from training.files import stores\n"
        "try: stores.fetched(stores.place_of(sys.argv[1]))\n"
        "except Exception as error: print(type(error).__name__)\n"
    )
    environment = {**os.environ, stores.LIMIT_VARIABLE: "0.0000015"}
    command = [sys.executable, "-c", program, f"file://{share}/b"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "UserError"
    assert first.exists()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("s3://anna:secret@host/a.mp4", "holds a password"),
        ("s3://", "is not the address of a file"),
        ("file:///", "is not the address of a file"),
    ],
)
def test_addresses_that_cannot_be(address: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence) as raised:
        stores.place_of(address)
    assert "secret" not in str(raised.value)


def test_what_stores_refuse_is_a_sentence(share: Path, bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="There is no file"):
        stores.fetched(stores.place_of(f"file://{share}/missing.mp4"))
    with pytest.raises(UserError, match="There is no file"):
        stores.fetched(stores.place_of(f"{bucket}/missing.mp4"))
    with pytest.raises(UserError, match="cannot be read"):
        stores.fetched(stores.place_of("nosuch://host/a.mp4"))
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    fsspec.filesystem("s3").clear_instance_cache()
    with pytest.raises(UserError, match="cannot be reached"):
        stores.fetched(stores.place_of(f"{bucket}/away.mp4"))
    fsspec.filesystem("s3").clear_instance_cache()


def test_paths_of_this_computer_stay_what_they_are(tmp_path: Path) -> None:
    assert not any(map(stores.is_address, ("C:/videos/a.mp4", "/videos/a.mp4", "a.mp4", "postgresql://host/library")))
    for path in (tmp_path / "a.mp4", Path("a.mp4"), Path("C:/a.mp4")):
        assert stores.place_of_path(path) == path
        assert stores.fetched(path) == path
    assert stores.place_of_path(Path("s3://bucket/a.mp4")) == stores.place_of("s3://bucket/a.mp4")


def test_a_manifest_on_a_store_names_studies_beside_it(share: Path, tmp_path: Path) -> None:
    write_video(share / "P01.mp4", 5)
    entries = [
        {"study_id": "P01", "patient_id": "P01", "path": "P01.mp4"},
        {"study_id": "P02", "patient_id": "P02", "path": f"file://{share}/P01.mp4"},
    ]
    (share / "manifest.json").write_text(json.dumps({"studies": entries}))
    manifest = load_manifest(stores.fetched(stores.place_of(f"file://{share}/manifest.json")))
    assert [study.frame_count() for study in manifest.studies] == [5, 5]
    assert stores.address_of(manifest["P01"].path) == f"file://{share}/P01.mp4"


def test_commands_read_from_a_store_and_write_to_it(share: Path) -> None:
    from training.commands import common
    from training.runs.reporter import SilentReporter

    write_video(share / "P01.mp4", 5)
    config_class, run, _ = common.find_command("index")
    config = common.make_config(config_class, {"path": f"file://{share}/P01.mp4", "out": f"file://{share}/out/P01.npz"})
    run(config, SilentReporter())
    assert (share / "out" / "P01.npz").is_file()
    assert len(build_index(share / "P01.mp4")) == 5
    written = (share / "out" / "P01.npz").read_bytes()
    (share / "out" / "P01.npz").write_bytes(b"of somebody else")
    with pytest.raises(UserError, match="already exists"):
        run(config, SilentReporter())
    assert (share / "out" / "P01.npz").read_bytes() == b"of somebody else"
    replaced = common.make_config(config_class, {**dict(config), "overwrite": True})
    run(replaced, SilentReporter())
    assert (share / "out" / "P01.npz").read_bytes() == written
