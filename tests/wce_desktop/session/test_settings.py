"""Settings are checked, kept, and a damaged file harms nobody."""

from pathlib import Path

import pytest

from training.errors import UserError
from wce_desktop.session.presets import built_in
from wce_desktop.session.settings import SETTINGS, Settings


def test_defaults_pass_their_own_check() -> None:
    for setting in SETTINGS:
        assert setting.check(setting.default) == setting.default
        assert bool(setting.help) == setting.is_in_dialog
        assert setting.allowed


def test_values_are_kept_over_restarts(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    Settings(path).set("rate_fps", 25)
    assert Settings(path)["rate_fps"] == 25
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("key", "value"), [("rate_fps", 0), ("rate_fps", 61), ("rate_fps", 8.5), ("threshold", 1.2), ("device", "tpu"),
                       ("is_overlay_on", 1), ("reader", 3)]
)  # fmt: skip
def test_what_does_not_fit_is_refused_in_a_sentence(tmp_path: Path, key: str, value: object) -> None:
    settings = Settings(tmp_path / "settings.json")
    before = settings[key]
    with pytest.raises(UserError, match="is not valid for the setting"):
        settings.set(key, value)
    assert settings[key] == before


@pytest.mark.parametrize("text", ["", "not json", "[1]", '{"rate_fps": 900}'])
def test_a_damaged_file_falls_back_to_the_defaults_and_says_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text, encoding="utf-8")
    settings = Settings(path)
    assert settings["rate_fps"] == 8
    assert settings.problem is not None


def test_every_shipped_preset_can_be_the_standard_one_and_choices_have_words() -> None:
    table = {setting.key: setting for setting in SETTINGS}
    assert tuple(table["finetune_preset"].titles) == tuple(preset.name for preset in built_in("finetune"))
    assert "pascual" in table["finetune_preset"].titles
    assert all(table[key].titles for key in ("finetune_preset", "device"))
