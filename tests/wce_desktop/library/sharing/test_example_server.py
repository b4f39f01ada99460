"""The files with which a server is set up: they are valid, and a server with them lets in only who it should."""

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.postgres import is_installed, running
from training.errors import UserError
from wce_desktop.library.sharing import copying
from wce_desktop.library.storage import server

EXAMPLE = Path(__file__).parents[4] / "docs" / "examples" / "server"
PASSWORD = "k7-Zebra-Mond"


def test_the_compose_file_is_valid_and_names_what_is_there() -> None:
    document = yaml.safe_load((EXAMPLE / "compose.yaml").read_text())
    service = document["services"]["postgres"]
    assert int(service["image"].partition(":")[2]) >= 15
    assert "ssl=on" in service["command"]
    assert set(service["secrets"]) == set(document["secrets"])
    named = {volume.partition(":")[0] for volume in service["volumes"]}
    assert {name for name in named if not name.startswith(".")} == set(document["volumes"])
    assert (EXAMPLE / "pg_hba.conf").is_file()
    assert not any("PASSWORD" in name and not name.endswith("_FILE") for name in service["environment"])


def test_a_server_with_these_files_wants_encryption_and_a_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_installed() or shutil.which("openssl") is None:
        pytest.skip("PostgreSQL or openssl is not installed: apt-get install postgresql openssl")
    subprocess.run(["sh", EXAMPLE / "certificates.sh", "localhost"], cwd=tmp_path, check=True, capture_output=True)
    made = tmp_path / "certificates"
    with running() as postgres:
        name = postgres.database()
        postgres.execute(f"CREATE ROLE anna LOGIN PASSWORD '{PASSWORD}'")
        copying.create(postgres.address(name), tmp_path / "files")
        copying.allow(postgres.address(name), "anna", "reader")
        data = postgres.folder / "data"
        for source in (EXAMPLE / "pg_hba.conf", made / "server.crt", made / "server.key"):
            shutil.copy(source, data)
            (data / source.name).chmod(0o600)
            shutil.chown(data / source.name, data.stat().st_uid, data.stat().st_gid)
        with (data / "postgresql.conf").open("a") as settings:
            settings.write("ssl = on\n")  # the files have PostgreSQL's own names
        postgres.stop()
        postgres.start()
        passwords = tmp_path / "pgpass"
        passwords.write_text(f"*:*:*:anna:{PASSWORD}\n")
        passwords.chmod(0o600)
        place = f"anna@localhost:{postgres.port}/{name}"
        safe = f"postgresql://{place}?sslrootcert={made / 'authority.crt'}"
        monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))
        with pytest.raises(UserError, match="asks for a password"):
            server.folder_of(safe)
        monkeypatch.setenv("PGPASSFILE", str(passwords))
        assert server.folder_of(safe) == tmp_path / "files"
        with pytest.raises(UserError, match="does not let this account in"):
            server.folder_of(f"postgresql://{place}?sslmode=disable")
