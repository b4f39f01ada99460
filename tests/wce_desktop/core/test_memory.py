"""Memory is shared and given back without a word, whatever the system."""

from wce_desktop.core.memory import give_memory_back, share_arenas


def test_nothing_is_lost_when_memory_is_given_back() -> None:
    share_arenas()
    kept = [bytes([at]) * 100_000 for at in range(100)]
    del kept[::2]
    give_memory_back()
    assert all(set(block) == {2 * at + 1} for at, block in enumerate(kept))
