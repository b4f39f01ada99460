"""`wce-desktop check-report`: a saved report against the signature beside it, without a library."""

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from wce_desktop.__main__ import main
from wce_desktop.library import Library
from wce_desktop.library.evidence.signature import Signed, Signer, canonical


@pytest.fixture
def signer() -> Signer:
    return Signer(Ed25519PrivateKey.generate())


@pytest.fixture
def report(tmp_path: Path, signer: Signer) -> Path:
    with Library.open(tmp_path / "library", "Dr Smith") as library:
        library.studies.add(tmp_path / "v.mp4", study_id="s-1", fingerprint="f", frame_count=10)
        made = library.reports.keep(
            "s-1", 1, html=b"<p>", pdf=b"%PDF", reader="Dr Smith", acknowledged={}, signer=signer
        )
    path = tmp_path / "saved" / "report of March.pdf"
    path.parent.mkdir()
    path.write_bytes(made.path.read_bytes())
    path.with_name(path.name + ".signature.json").write_bytes(made.signature_path.read_bytes())
    return path


def beside(report: Path) -> Path:
    return report.with_name(report.name + ".signature.json")


def test_a_report_that_fits_says_who_signed_it_with_which_key(
    report: Path, signer: Signer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check-report", str(report)]) == 0
    said = capsys.readouterr().out
    assert "The file is the one that was signed.\nSigned by Dr Smith, " in said
    assert f"Key: {signer.fingerprint} (Ed25519)" in said
    assert "Anybody can make a key for any name" in said
    for key in (signer.fingerprint, signer.fingerprint.replace(" ", "").upper()):
        assert main(["check-report", str(report), "--key", key]) == 0
        assert "Anybody" not in capsys.readouterr().out


def test_the_files_in_a_library_are_checked_as_well(tmp_path: Path, report: Path) -> None:
    for suffix in ("pdf", "html"):
        (path,) = (tmp_path / "library" / "reports" / "s-1").glob(f"*.{suffix}")
        assert main(["check-report", str(path)]) == 0


@pytest.mark.parametrize("content", [b"", b"%PDF changed"])
def test_a_changed_report_fails(report: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    report.write_bytes(content)
    assert main(["check-report", str(report)]) == 1
    assert "report of March.pdf is not the file that was signed" in capsys.readouterr().err


def test_another_key_and_a_changed_statement_fail(
    report: Path, signer: Signer, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Signer(Ed25519PrivateKey.generate())
    assert main(["check-report", str(report), "--key", other.fingerprint]) == 1
    assert f"signed with another key: {signer.fingerprint}" in capsys.readouterr().err
    document = json.loads(beside(report).read_text())
    document["statement"]["reader"] = "Dr Jones"
    beside(report).write_text(json.dumps(document))
    assert main(["check-report", str(report)]) == 1
    assert "The signature does not fit" in capsys.readouterr().err


def test_names_of_a_foreign_file_do_not_reach_the_terminal_as_they_are(
    report: Path, signer: Signer, capsys: pytest.CaptureFixture[str]
) -> None:
    values = json.loads(beside(report).read_text())["statement"] | {"reader": "\x1b]0;x\x07\ud800", "version": [1]}
    statement = canonical(values | {"reader": "\x1b]0;x\x07"})
    signed = Signed(statement, signer.public_key, signer.sign(statement))
    beside(report).write_bytes(signed.file)
    assert main(["check-report", str(report)]) == 0
    assert "\x1b" not in capsys.readouterr().out
    beside(report).write_text(json.dumps(json.loads(signed.file) | {"statement": values}))
    assert main(["check-report", str(report)]) == 1


@pytest.mark.parametrize("case", ["missing", "no signature", "folder", "no report", "long", "zeros"])
def test_what_cannot_be_checked_has_a_sentence(report: Path, case: str, capsys: pytest.CaptureFixture[str]) -> None:
    named = report
    match case:
        case "missing":
            beside(report).unlink()
        case "no signature":
            beside(report).write_bytes(b"{}")
        case "folder":
            named = report.parent
        case "no report":
            named = report.with_name("none.pdf")
        case "long":
            named = report.with_name("x" * 5000)
        case "zeros":
            beside(report).write_bytes(bytes(2_000_000))
    assert main(["check-report", str(named)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.strip()
    assert "Traceback" not in said.err
