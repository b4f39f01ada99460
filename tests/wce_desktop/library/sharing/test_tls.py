"""Certificates and passwords, with a server of its own: what is safe connects, the rest is refused with a sentence."""

import logging
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.postgres import Server, is_installed, running
from training.errors import UserError
from wce_desktop.library import Library
from wce_desktop.library.sharing import copying
from wce_desktop.library.storage import server
from wce_desktop.shell.cli import library_cli

PASSWORD = "k7-Zebra-Mond"
RULES = """
local all all trust
hostssl all anna 127.0.0.1/32 scram-sha-256
hostssl all anna ::1/128 scram-sha-256
hostssl all bert 127.0.0.1/32 cert
hostssl all bert ::1/128 cert
host all tests 127.0.0.1/32 trust
host all all all reject
"""


class Authority:
    """Signs certificates; made by itself."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name, self._key = folder, name, ec.generate_private_key(ec.SECP256R1())
        self.file = folder / f"{name}.crt"
        self._write(self.file, self._signed(name, self._key.public_key(), timedelta(days=9), is_authority=True))

    def issue(self, file: str, common_name: str, lasts: timedelta = timedelta(days=1)) -> tuple[Path, Path]:
        """A certificate for a host or an account, and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate, place = self._folder / f"{file}.crt", self._folder / f"{file}.key"
        self._write(certificate, self._signed(common_name, key.public_key(), lasts))
        plain = serialization.NoEncryption()
        form = serialization.PrivateFormat.PKCS8
        place.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
        place.chmod(0o600)
        return certificate, place

    def _signed(
        self, name: str, key: ec.EllipticCurvePublicKey, lasts: timedelta, *, is_authority: bool = False
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        named, by = (x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, each)]) for each in (name, self._name))
        begun = x509.CertificateBuilder().subject_name(named).issuer_name(by).public_key(key)
        dated = begun.serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(days=9))
        dated = dated.not_valid_after(now + lasts)
        dated = dated.add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        named_hosts = dated.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        return named_hosts.sign(self._key, hashes.SHA256())

    def _write(self, file: Path, certificate: x509.Certificate) -> None:
        file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))


class Secured:
    """A server that lets nobody in without a certificate and a password, with one library."""

    def __init__(self, postgres: Server, folder: Path) -> None:
        self.postgres, self.folder = postgres, folder
        self.authority = Authority(folder, "authority")
        self.use(*self.authority.issue("server", "localhost"))
        (postgres.folder / "data" / "pg_hba.conf").write_text(RULES)
        self._copy(self.authority.file, "clients.crt")
        with (postgres.folder / "data" / "postgresql.conf").open("a") as settings:
            settings.write(
                "ssl = on\nssl_cert_file = 'own.crt'\nssl_key_file = 'own.key'\nssl_ca_file = 'clients.crt'\n"
            )
        postgres.stop()
        postgres.start()
        self.name = postgres.database()
        postgres.execute(f"CREATE ROLE anna LOGIN PASSWORD '{PASSWORD}'", "CREATE ROLE bert LOGIN")
        copying.create(postgres.address(self.name), folder / "files")
        for account in ("anna", "bert"):
            copying.allow(postgres.address(self.name), account, "reader")

    def use(self, certificate: Path, key: Path) -> None:
        """Let the server prove itself by a certificate from its next start on."""
        self._copy(certificate, "own.crt")
        self._copy(key, "own.key")

    def _copy(self, source: Path, name: str) -> None:
        """Copy a file to the server's data; it is the server's alone, whatever mask new files have here."""
        data = self.postgres.folder / "data"
        target = Path(shutil.copy(source, data / name))
        target.chmod(0o600)
        shutil.chown(target, data.stat().st_uid, data.stat().st_gid)

    def address(self, account: str = "anna", host: str = "localhost", further: str = "") -> str:
        """Of the library, with the certificate of the authority."""
        root = f"sslrootcert={self.authority.file}"
        return f"postgresql://{account}@{host}:{self.postgres.port}/{self.name}?{root}{further}"


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    """The server; where PostgreSQL is not installed the test is skipped."""
    if not is_installed():
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with running() as postgres:
        yield Secured(postgres, tmp_path_factory.mktemp("tls"))


class Store:
    """A key store in memory."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.held.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.held[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.held[service, username]


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    """The system's key store."""
    made = Store()
    for module in (server, copying):
        monkeypatch.setattr(module, "system_key_store", lambda: made)
    return made


def _refusal(address: str) -> str:
    with pytest.raises(UserError) as caught:
        server.folder_of(address)
    assert caught.value.hint
    assert PASSWORD not in f"{caught.value} {caught.value.hint} {caught.value.__cause__!r}"
    return str(caught.value)


def test_a_certificate_that_fits_connects_with_the_password_of_the_key_store(
    secured: Secured, store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    address = secured.address()
    monkeypatch.setattr(library_cli, "ask_passphrase", lambda _: PASSWORD)
    assert library_cli.main(["library", "password", address]) == 0
    assert list(store.held.values()) == [PASSWORD]
    folder = server.folder_of(address)
    with Library.open(folder, "") as library:
        assert library.account == "anna"
        with library.reading("it") as connection:
            asked = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
            assert connection.exec_driver_sql(asked).scalar_one() is True
    written = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    assert not any(PASSWORD.encode() in content for content in written)
    assert PASSWORD not in caplog.text


def test_a_certificate_that_does_not_fit_is_refused(secured: Secured, store: Store, tmp_path: Path) -> None:
    store.set_password(server.PASSWORDS, server.password_name(secured.address()), PASSWORD)
    assert "for another host name" in _refusal(secured.address(host="127.0.0.1"))
    other = Authority(tmp_path, "other")
    unknown = secured.address().replace(str(secured.authority.file), str(other.file))
    assert "is not of an authority that is trusted" in _refusal(unknown)
    missing = secured.address().replace(str(secured.authority.file), str(tmp_path / "none.crt"))
    assert "is not on this computer" in _refusal(missing)
    secured.use(*secured.authority.issue("old", "localhost", timedelta(days=-1)))
    secured.postgres.stop()
    secured.postgres.start()
    try:
        assert "has expired, or" in _refusal(secured.address())
    finally:
        secured.use(*secured.authority.issue("server", "localhost"))
        secured.postgres.stop()
        secured.postgres.start()
    assert server.folder_of(secured.address()) == secured.folder / "files"


def test_a_server_without_certificates_is_refused(secured: Secured) -> None:
    secured.postgres.execute("ALTER SYSTEM SET ssl = off", "SELECT pg_reload_conf()")
    try:
        assert "no encrypted connection" in _refusal(secured.address())
    finally:
        secured.postgres.execute("ALTER SYSTEM RESET ssl", "SELECT pg_reload_conf()")


def test_a_wrong_or_missing_password_is_refused(
    secured: Secured, store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))
    assert "asks for a password" in _refusal(secured.address())
    store.set_password(server.PASSWORDS, server.password_name(secured.address()), "wrong")
    assert "does not accept the account's password" in _refusal(secured.address())
    monkeypatch.setattr(library_cli, "ask_passphrase", lambda _: "wrong, too")
    assert library_cli.main(["library", "password", secured.address()]) == 1
    said = capsys.readouterr()
    assert "does not accept the account's password" in said.err
    assert "wrong, too" not in said.err + said.out
    assert store.held == {}


def test_the_servers_own_ways_work_too(
    secured: Secured, store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    passwords = tmp_path / "pgpass"
    passwords.write_text(f"localhost:{secured.postgres.port}:*:anna:{PASSWORD}\n")
    passwords.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    assert server.folder_of(secured.address()) == secured.folder / "files"
    certificate, key = secured.authority.issue("bert", "bert")
    own = f"&sslcert={certificate}&sslkey={key}"
    assert server.folder_of(secured.address("bert", further=own)) == secured.folder / "files"
    assert "asks for a certificate" in _refusal(secured.address("bert"))
