"""Identities are safe as names of folders."""

import pytest

from wce_desktop.core.identity import is_random_id, is_safe_id, new_id


def test_new_ones_differ_and_are_safe() -> None:
    made = {new_id("s-") for _ in range(1000)}
    assert len(made) == 1000
    assert all(map(is_safe_id, made))


def test_a_random_identity_is_told_from_a_name() -> None:
    assert is_random_id(new_id("s-"))
    assert not any(map(is_random_id, ("P03", "s-57ff", "study", "")))


@pytest.mark.parametrize("text", ["", ".", "..", "../up", "a/b", "a\\b", "C:", "-x", "a" * 65, "a b", "end.", "é"])
def test_what_no_folder_should_be_called(text: str) -> None:
    assert not is_safe_id(text)
