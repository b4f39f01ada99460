import pytest
import torch

from training.losses.info_nce import KeyQueue


def test_starts_with_unit_vectors_of_the_seed() -> None:
    keys = KeyQueue(5, 3, seed=4).keys
    torch.testing.assert_close(keys.norm(dim=1), torch.ones(5))
    assert torch.equal(KeyQueue(5, 3, seed=4).keys, keys)
    assert not torch.equal(KeyQueue(5, 3, seed=5).keys, keys)


@pytest.mark.parametrize("batches", [(2, 2, 2, 2), (3, 1, 5, 2), (7, 12, 3), (1,) * 12, (5, 5)])
def test_is_first_in_first_out_and_wraps_around(batches: tuple[int, ...]) -> None:
    queue, number = KeyQueue(5, 2), 0
    expected = [row.tolist() for row in queue.keys]  # oldest first
    for count in batches:
        fresh = [[float(number + k), 1.0] for k in range(count)]
        number += count
        queue.push_(torch.tensor(fresh))
        expected = (expected + fresh)[-5:]
        place = int(queue.place)
        assert [row.tolist() for row in torch.cat([queue.keys[place:], queue.keys[:place]])] == expected


def test_its_state_holds_keys_and_place() -> None:
    queue, again = KeyQueue(4, 2), KeyQueue(4, 2, seed=9)
    queue.push_(torch.ones(3, 2))
    again.load_state_dict(queue.state_dict())
    for each in (queue, again):
        each.push_(torch.tensor([[2.0, 2.0], [3.0, 3.0]]))
    assert torch.equal(queue.keys, again.keys)
