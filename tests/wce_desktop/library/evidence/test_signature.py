"""Signatures of reports: whatever is changed behind the program's back, a check says it."""

import base64
import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tests.wce_desktop.tampering import tampered
from training.errors import UserError
from training.runs.reporter import SilentReporter
from wce_desktop.library import Library
from wce_desktop.library.backup import backups
from wce_desktop.library.checking import check_library
from wce_desktop.library.evidence import audit_chain, signature
from wce_desktop.library.evidence.signature import Signed, SignedReport, Signer, canonical, fingerprint, read_file
from wce_desktop.library.removals import forget_in_backups
from wce_desktop.library.storage import encrypting, key_file

READER = "Dr Smith"


@pytest.fixture
def signer() -> Signer:
    return Signer(Ed25519PrivateKey.generate())


@pytest.fixture
def library(folder: Path, tmp_path: Path) -> Iterator[Library]:
    with Library.open(folder, READER) as made:
        made.studies.add(tmp_path / "v.mp4", study_id="s-1", fingerprint="f", frame_count=10)
        yield made


def sign(library: Library, signer: Signer | None, text: str = "page", **fields: Any) -> SignedReport:
    return library.reports.keep(
        "s-1",
        library.reports.next_version("s-1"),
        html=text.encode(),
        pdf=b"%PDF " + text.encode(),
        reader=READER,
        acknowledged={"unseen_flags": 3},
        signer=signer,
        **fields,
    )


def problems(library: Library) -> tuple[str, ...]:
    (report,) = library.reports.signed("s-1")
    return library.reports.check(report).problems


def change(library: Library, statement: str, *parameters: object) -> None:
    with tampered(library.folder) as raw:
        raw.execute(statement, parameters)


def test_a_signed_report_fits_and_names_its_key(library: Library, signer: Signer) -> None:
    report = sign(library, signer, content='{"a": 1}')
    result = library.reports.check(report)
    assert result.problems == ()
    assert result.notes == (f"Version 1 is signed with the key {signer.fingerprint}.",)
    assert library.reports.signed("s-1") == (report,)
    assert library.reports.reader_keys(READER) == (signer.public_key,)
    line = library.audit.entries("s-1")[-1]
    assert line.after is not None
    assert line.after["key"] == signer.fingerprint
    found = check_library(library, SilentReporter()).found
    assert [one for one in found if "video" not in one.problem] == []


def test_the_file_beside_a_report_can_be_verified_without_this_program(library: Library, signer: Signer) -> None:
    """As the documentation says; nothing here is code of the program."""
    report = sign(library, signer)
    document = json.loads(report.path.with_suffix(".signature.json").read_bytes())
    statement = json.dumps(document["statement"], sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(document["public_key"]))
    key.verify(base64.b64decode(document["signature"]), statement)
    assert document["algorithm"] == "Ed25519"
    assert document["statement"]["sha256"] == hashlib.sha256(report.path.read_bytes()).hexdigest()
    assert document["statement"]["html_sha256"] == hashlib.sha256(report.html_path.read_bytes()).hexdigest()
    assert document["statement"].keys() >= {"version", "study_id", "reader", "created_utc", "acknowledged", "replaces"}
    assert document["statement"]["audit"].keys() == {"lines", "hash"}
    digest = hashlib.sha256(base64.b64decode(document["public_key"])).hexdigest()
    assert document["fingerprint"].replace(" ", "") == digest[:32]


def test_a_report_without_a_key_is_a_note(library: Library) -> None:
    report = sign(library, None)
    result = library.reports.check(report)
    assert result.problems == ()
    assert "was signed without a key" in result.notes[0]
    assert not report.signature_path.exists()


@pytest.mark.parametrize("suffix", [".pdf", ".html", ".signature.json"])
def test_a_changed_file_is_said(library: Library, signer: Signer, suffix: str) -> None:
    path = sign(library, signer).path.with_suffix(suffix)
    path.write_bytes(path.read_bytes() + b" ")
    (said,) = problems(library)
    assert "changed" in said
    assert path.name in said


def test_a_file_changed_with_its_checksum_no_longer_fits_the_signature(library: Library, signer: Signer) -> None:
    """What a checksum in the same database never showed."""
    report = sign(library, signer)
    report.path.write_bytes(b"%PDF another finding")
    change(library, "UPDATE reports SET sha256 = ?", hashlib.sha256(b"%PDF another finding").hexdigest())
    said = problems(library)
    assert any("contradicts what was signed as version 1 (sha256)" in one for one in said)
    assert any("the line of the audit log about version 1" in one for one in said)


@pytest.mark.parametrize(
    ("column", "value", "named"),
    [
        ("reader", "Dr Jones", "reader"),
        ("version", 2, "version"),
        ("created_utc", "2020-01-01T00:00:00.000000+00:00", "created_utc"),
        ("acknowledged", "{}", "acknowledged"),
        ("replaces", 7, "replaces"),
        ("content", "{}", "content_sha256"),
        ("html_sha256", "0" * 64, "html_sha256"),
    ],
)
def test_a_changed_row_is_said(library: Library, signer: Signer, column: str, value: object, named: str) -> None:
    sign(library, signer, content='{"a": 1}')
    change(library, f"UPDATE reports SET {column} = ?", value)
    assert any(
        f"contradicts what was signed as version 1 ({named}" in one or f"version 2 ({named}" in one
        for one in problems(library)
    )


@pytest.mark.parametrize("column", ["statement", "signature", "public_key"])
@pytest.mark.parametrize("value", [None, "", "x", "[]", base64.b64encode(bytes(32)).decode()])
def test_a_changed_or_removed_signature_is_said(
    library: Library, signer: Signer, column: str, value: str | None
) -> None:
    sign(library, signer)
    change(library, f"UPDATE reports SET {column} = ?", value)
    assert problems(library) != ()


def forge(library: Library, forger: Signer, report: SignedReport, text: bytes) -> dict[str, Any]:
    """Another report in the place of the signed one, with a signature that fits."""
    assert report.signed is not None
    report.path.write_bytes(text)
    values = {**report.signed.values, "sha256": hashlib.sha256(text).hexdigest()}
    statement = canonical(values)
    signed = Signed(statement, forger.public_key, forger.sign(statement))
    report.signature_path.write_bytes(signed.file)
    change(
        library,
        "UPDATE reports SET sha256 = ?, statement = ?, signature = ?, public_key = ?",
        values["sha256"],
        statement,
        signed.signature,
        signed.public_key,
    )
    return {"sha256": values["sha256"], "statement_sha256": hashlib.sha256(statement.encode()).hexdigest()}


def test_a_report_signed_anew_with_another_key_is_said(library: Library, signer: Signer) -> None:
    forger = Signer(Ed25519PrivateKey.generate())
    forge(library, forger, sign(library, signer), b"%PDF forged")
    said = problems(library)
    assert any(forger.fingerprint in one and "does not know as one of Dr Smith" in one for one in said)
    change(library, "UPDATE reader_keys SET public_key = ?", forger.public_key)
    assert any("a key was added or removed outside of the program" in one for one in problems(library))


def test_a_forger_who_also_writes_the_log_anew_is_told_by_its_chain(library: Library, signer: Signer) -> None:
    forger = Signer(Ed25519PrivateKey.generate())
    made = forge(library, forger, sign(library, signer), b"%PDF forged")
    change(library, "UPDATE reader_keys SET public_key = ?", forger.public_key)
    change(library, "UPDATE audit SET item_id = ? WHERE kind = 'signature key'", forger.fingerprint)
    after = json.dumps({"version": 1, "acknowledged": {"unseen_flags": 3}, "key": forger.fingerprint} | made)
    change(library, "UPDATE audit SET after = ? WHERE kind = 'report'", after)
    assert problems(library) == ()
    found = [one.problem for one in check_library(library, SilentReporter()).found if one.part == "Audit log"]
    assert any("breaks at 2 lines" in one for one in found)


def test_another_key_than_before_is_said_and_noted_in_the_log(library: Library, signer: Signer) -> None:
    sign(library, signer)
    other = Signer(Ed25519PrivateKey.generate())
    second = sign(library, other, "two", replaces=1)
    result = library.reports.check(second)
    assert result.problems == ()
    assert any(f"another key than before: Dr Smith first signed here with the key {signer.fingerprint}" in one
               for one in result.notes)  # fmt: skip
    lines = [line for line in library.audit.entries() if line.kind == "signature key"]
    assert [line.item_id for line in lines] == [signer.fingerprint, other.fingerprint]
    assert lines[1].after is not None
    assert lines[1].after["earlier"] == [signer.fingerprint]
    assert library.reports.reader_keys(READER) == (signer.public_key, other.public_key)


def test_a_log_cut_after_a_report_was_signed_is_told_by_the_report(library: Library, signer: Signer) -> None:
    """Its statement holds the end of the log of then, also where no backup does."""
    library.studies.update("s-1", name="Renamed")
    sign(library, signer)
    change(library, "DELETE FROM audit WHERE audit_id = 2")
    with tampered(library.folder) as raw:
        audit_chain.fill(raw.cursor())
    found = [one.problem for one in check_library(library, SilentReporter()).found if one.part == "Audit log"]
    assert any("does not continue that of version 1 of a signed report" in one for one in found)


@pytest.mark.parametrize("passphrase", ["", "four quiet words"])
def test_a_signature_comes_back_with_its_report(tmp_path: Path, signer: Signer, passphrase: str) -> None:
    folder = tmp_path / "library"
    with Library.open(folder, READER) as library:
        library.studies.add(tmp_path / "v.mp4", study_id="s-1", fingerprint="f", frame_count=10)
        sign(library, signer)
        library.back_up()
    if passphrase:
        assert encrypting.encrypt_library(folder, passphrase) == []
        assert not [path for path in folder.rglob("*") if path.is_file() and b'public_key"' in path.read_bytes()]
    shutil.rmtree(folder / "reports")
    backups.restore_backup(folder)
    with Library.open(folder, READER) as library:
        assert problems(library) == ()
    key_file.lock(folder)


def test_the_private_key_never_reaches_the_library(tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    with Library.open(tmp_path / "library", READER) as library:
        library.studies.add(tmp_path / "v.mp4", study_id="s-1", fingerprint="f", frame_count=10)
        sign(library, Signer(key))
        library.back_up()
    secret = key.private_bytes_raw()
    forms = (secret, secret.hex().encode(), base64.b64encode(secret))
    for path in (tmp_path / "library").rglob("*"):
        if path.is_file():
            assert not any(form in path.read_bytes() for form in forms), path


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: b"",
        lambda text: b"[]",
        lambda text: b"{}",
        lambda text: b"\xff\xfe",
        lambda text: b"[" * 100_000,
        lambda text: text.replace(b"Ed25519", b"none"),
        lambda text: text.replace(b"signed report 1", b"signed report 2"),
        lambda text: text.replace(b'"statement": {', b'"statement": 3, "other": {'),
    ],
)
def test_what_is_no_signature_is_refused(library: Library, signer: Signer, damage: Callable[[bytes], bytes]) -> None:
    content = sign(library, signer).signature_path.read_bytes()
    assert read_file(content).fits
    with pytest.raises(UserError, match="no signature of a report"):
        read_file(damage(content))


def test_a_fingerprint_of_no_key_is_a_question_mark() -> None:
    assert fingerprint("no base64") == "?"


def append_line(library: Library, **line: Any) -> None:
    """A line at the end of the log, chained as the program does it."""
    common = {"when_utc": "2026-11-27T10:00:00.000000+00:00", "reader": READER, "title": "A title", "study_id": None}
    with tampered(library.folder) as raw:
        audit_chain.append(raw, common | line)


def test_a_report_whose_signature_was_stripped_is_said(library: Library, signer: Signer) -> None:
    """Its files, its row and another line about it fit together; the first line still names the key."""
    report, text = sign(library, signer), b"%PDF forged"
    report.path.write_bytes(text)
    sha256 = hashlib.sha256(text).hexdigest()
    change(library, "UPDATE reports SET sha256 = ?, statement = NULL, signature = NULL, public_key = NULL", sha256)
    after = {"version": 1, "sha256": sha256, "acknowledged": {"unseen_flags": 3}}
    line = {"action": "sign", "kind": "report", "item_id": report.report_id, "study_id": "s-1", "after": after}
    append_line(library, when_utc=report.created_utc, **line)
    said = " ".join(problems(library))
    assert "The signature of version 1 was removed from the database" in said
    assert "contradicts the line of the audit log about version 1" in said
    assert "says 2 times that version 1 was signed" in said


def test_a_key_that_is_dated_back_is_said_and_does_not_become_the_first(library: Library, signer: Signer) -> None:
    forger, report = Signer(Ed25519PrivateKey.generate()), sign(library, signer)
    early, late = "2000-01-01T00:00:00.000000+00:00", "2026-11-27T10:00:00.000000+00:00"
    change(library, "INSERT INTO reader_keys VALUES (?, ?, ?)", forger.public_key, READER, early)
    after = {"public_key": forger.public_key, "earlier": []}
    append_line(library, when_utc=late, action="add", kind="signature key", item_id=forger.fingerprint, after=after)
    result = library.reports.check(report)
    assert not any("another key than before" in note for note in result.notes)
    assert any("are not those of the audit log" in one for one in result.problems)
    assert library.reports.reader_keys(READER) == (signer.public_key, forger.public_key)


def test_a_changed_reason_of_an_amendment_is_said(library: Library, signer: Signer) -> None:
    for key in (signer, None):
        report = sign(library, key, f"page {key is None}", replaces=1, reason="A polyp was missed")
        assert library.reports.check(report).problems == ()
    change(library, "UPDATE reports SET reason = 'Nothing'")
    first, second = library.reports.signed("s-1")
    said = " ".join(library.reports.check(first).problems)
    assert "contradicts what was signed as version 1 (reason)" in said
    assert "contradicts the line of the audit log about version 1" in said
    assert "contradicts the line of the audit log about version 2" in " ".join(library.reports.check(second).problems)


def test_a_signature_of_an_earlier_version_without_a_reason_fits(library: Library, signer: Signer) -> None:
    report = sign(library, signer)
    assert report.signed is not None
    values = {name: value for name, value in report.signed.values.items() if name != "reason"}
    assert signature.differing(report, values) == []


def all_problems(library: Library) -> list[str]:
    """What a check of the whole library says, but that its video does not exist."""
    return [one.problem for one in check_library(library, SilentReporter()).found if "video" not in one.problem]


def test_a_signed_report_that_vanished_is_said(library: Library, signer: Signer) -> None:
    report = sign(library, signer)
    assert all_problems(library) == []
    change(library, "DELETE FROM reports")
    shutil.rmtree(report.path.parent)
    (said,) = all_problems(library)
    assert said.startswith("The log says that 1 report was signed that is no longer in the database")


@pytest.mark.parametrize(("column", "value"), [("path", "/etc/passwd"), ("version", "x"), ("acknowledged", "[]")])
def test_a_signed_report_whose_row_is_invalid_is_said(
    library: Library, signer: Signer, column: str, value: object
) -> None:
    sign(library, signer)
    change(library, f"UPDATE reports SET {column} = ?", value)
    assert any(column in one and "This row is left out" in one for one in all_problems(library))


def test_a_report_that_went_with_its_study_or_with_a_restored_backup_is_no_problem(
    tmp_path: Path, signer: Signer
) -> None:
    folder = tmp_path / "library"
    with Library.open(folder, READER) as library:
        library.studies.add(tmp_path / "v.mp4", study_id="s-1", fingerprint="f", frame_count=10)
        early = library.back_up()
        sign(library, signer)
        late = library.back_up()
    for chosen in (early, late):
        backups.restore_backup(folder, chosen)
        with Library.open(folder, READER) as library:
            assert all_problems(library) == []
    with Library.open(folder, READER) as library:
        library.removals.remove(["s-1"])
        assert all_problems(library) == []
    forget_in_backups(folder, datetime.now(UTC) + timedelta(days=31))
    backups.restore_backup(folder, late)
    with Library.open(folder, READER) as library:
        assert all_problems(library) == []
