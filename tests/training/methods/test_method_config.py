"""One command, several methods: common settings, each method's own, and what older versions wrote."""

import copy
from typing import Any

import pytest
from pydantic import ValidationError

from training.commands.common import find_command, make_config
from training.errors import UserError
from training.finetuning.config import FinetuneConfig, finetune_config
from training.finetuning.config import stored_config as stored_finetuning
from training.methods.method_config import MethodConfig
from training.methods.registry import FINETUNING, FRAME_PRETRAINING, PRETRAINING
from training.pretraining.config import PretrainConfig, pretrain_config, stored_config

WHERE: dict[str, Any] = {"studies": "s", "out": "o"}


@pytest.mark.parametrize("common", [PretrainConfig, FinetuneConfig])
def test_every_setting_is_described_and_belongs_to_all_methods_or_to_some(common: type[MethodConfig]) -> None:
    assert common.model_fields["method"].default == next(iter(common.methods))
    for name, info in common.every_field().items():
        assert info.description, name
        assert (name in common.model_fields) != bool(common.owners(name))
    for name in common.methods:
        assert set(common.own_fields(name)).isdisjoint(common.model_fields)


@pytest.mark.parametrize("method", PRETRAINING)
def test_a_config_has_the_common_settings_and_the_methods_own_flat(method: str) -> None:
    made = pretrain_config(**WHERE, method=method)
    assert isinstance(made, PretrainConfig)
    assert isinstance(made, PRETRAINING[method].settings_class)
    assert made.model_dump().keys() == {*PretrainConfig.model_fields, *PretrainConfig.own_fields(method)}
    for again in (copy.deepcopy(made), made.model_copy(), PretrainConfig.model_validate(made.model_dump())):
        assert type(again) is type(made)
        assert again == made


def test_settings_of_other_methods_and_unknown_ones_are_refused_in_a_sentence() -> None:
    with pytest.raises(UserError, match="the setting tile_size belongs to pgcon, wincon, pirl, not to simclr"):
        pretrain_config(**WHERE, method="simclr", tile_size=32)
    with pytest.raises(UserError, match="the setting margin belongs to tl-ba, tl-bh, not to cross-entropy"):
        finetune_config(**WHERE, labels="l", method="cross-entropy", margin=0.5)
    with pytest.raises(UserError, match="nonsense"):
        pretrain_config(**WHERE, nonsense=1)
    for method in ("x", ["simclr"], 3):
        with pytest.raises(UserError, match="method"):
            pretrain_config(**WHERE, method=method)


def test_assignments_of_the_shell_are_checked_by_the_chosen_method() -> None:
    command = find_command("pretrain")[0]
    made = make_config(command, {**WHERE, "method": "simclr"}, assignments=["temperature=0.2"])
    assert made.model_dump()["temperature"] == 0.2
    with pytest.raises(UserError, match="The setting temperature belongs to simclr, pgcon, wincon, pirl"):
        make_config(command, WHERE, assignments=["temperature=0.2"])
    with pytest.raises(UserError, match="There is no setting 'tempreature'"):
        make_config(command, WHERE, assignments=["tempreature=0.2"])


@pytest.mark.parametrize("method", FRAME_PRETRAINING)
def test_a_file_of_an_older_version_holds_the_settings_of_every_method(method: str) -> None:
    flat: dict[str, Any] = {}
    for name in FRAME_PRETRAINING:
        flat |= pretrain_config(**WHERE, method=name).model_dump(mode="json")
    flat |= {"method": method, "steps": 7}
    made = stored_config(flat)
    assert made.model_dump(mode="json") == {name: flat[name] for name in PretrainConfig.of(method).model_fields}
    assert made.steps == 7
    with pytest.raises(UserError, match="nonsense"):
        stored_config({**flat, "nonsense": 1})


@pytest.mark.parametrize("method", FINETUNING)
def test_finetunings_too(method: str) -> None:
    flat = {**WHERE, "labels": "l", "method": method, "margin": 0.7, "triplet_weight": 0.5}
    own = stored_finetuning(flat).model_dump()
    assert own.get("margin", 0.7) == 0.7
    assert ("margin" in own) == (method != "cross-entropy")


def test_what_is_given_wins_over_the_method_which_wins_over_the_preset_which_wins_over_the_papers_course() -> None:
    pgcon = pretrain_config(**WHERE, method="pgcon", preset="small")
    assert (pgcon.learning_rate, pgcon.sequences, pgcon.epochs) == (1e-3, 64, 0.0)  # preset, method, steps are said
    assert (pgcon.schedule, pgcon.model_dump()["frame_size"]) == ("cosine", 224)  # the paper's, the method's preset
    assert pretrain_config(**WHERE, method="pgcon", preset="small", sequences=8).sequences == 8
    with pytest.raises(ValidationError):
        PretrainConfig(**WHERE, method="pgcon", preset="none")
