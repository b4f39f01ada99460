"""Presets that a person saves."""

from pathlib import Path

import pytest

from training.errors import UserError
from wce_desktop.session.presets import PresetStore, built_in, full_config


def test_a_saved_preset_is_there_again_with_all_it_set(tmp_path: Path) -> None:
    base = built_in("pretrain")[0]
    PresetStore(tmp_path / "p.json").save("pretrain", "Night", base, "simclr", {"steps": 900, "projection": (64, 64)})
    again = PresetStore(tmp_path / "p.json").find("pretrain", "Night")
    assert (again.base, again.method, again.is_saved) == (base.name, "simclr", True)
    config = full_config("pretrain", again.method, again).model_dump()
    assert (config["steps"], config["projection"], config["backbone"]) == (900, (64, 64), "efficientnet_lite0")


def test_saving_again_replaces_and_deleting_forgets(tmp_path: Path) -> None:
    store = PresetStore(tmp_path / "p.json")
    base = built_in("finetune")[0]
    store.save("finetune", "Mine", base, "tl-ba", {"margin": 0.3})
    store.save("finetune", "Mine", base, "tl-ba", {"margin": 0.4})
    assert [preset.settings for preset in store.of("finetune") if preset.is_saved] == [{"margin": 0.4}]
    store.delete("finetune", "Mine")
    assert not any(preset.is_saved for preset in PresetStore(tmp_path / "p.json").of("finetune"))


@pytest.mark.parametrize("name", ["", "  ", "small", "Small"])
def test_a_name_is_needed_that_is_not_taken(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError):
        PresetStore(tmp_path / "p.json").save("pretrain", name, built_in("pretrain")[0], "simclr", {})


def test_a_damaged_file_is_told_and_kept_aside(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text("{", encoding="utf-8")
    store = PresetStore(tmp_path / "p.json")
    assert "could not be read" in store.problem
    assert (tmp_path / "p.damaged").read_text(encoding="utf-8") == "{"
    assert store.of("pretrain") == built_in("pretrain")


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    store = PresetStore(tmp_path / "gone" / "p.json")
    with pytest.raises(UserError, match="cannot be written"):
        store.save("pretrain", "Night", built_in("pretrain")[0], "simclr", {})
    assert store.of("pretrain") == built_in("pretrain")
