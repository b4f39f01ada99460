"""A GPU's memory that runs out: smaller chunks, the same triplets, and a word on it."""

import pytest
import torch
from torch import Tensor

from tests.training.optimisation.tiny_network import TinyPretrainer, gradients_of, sequence_batch, tiny_pretrainer
from training.compute.out_of_memory import SMALLEST, Chunks
from training.methods.time_triplet import TimeTriplet
from training.optimisation.gradients import Gradients, cached_gradients
from training.runs.failure import describe_failure
from training.runs.reporter import SilentReporter


class SmallCard(TimeTriplet):
    """Runs out of memory where more than `room` frames keep their activations."""

    room = 1000

    def embed(self, images: Tensor) -> Tensor:
        projection = super().embed(images)  # statistics have moved when the memory runs out
        if len(images) > self.room:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
        return projection


class Listener(SilentReporter):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)


def small_card(network: TinyPretrainer, room: int) -> SmallCard:
    method = SmallCard(network, margin=0.5, window=2)
    method.room = room
    return method


def test_memory_that_runs_out_halves_the_chunks_until_they_fit() -> None:
    images, labels = sequence_batch(0, 0, frames=20)
    network, wanted = tiny_pretrainer(train=True), tiny_pretrainer(train=True)
    chunks, listener = Chunks(), Listener()
    Gradients(small_card(network, 6), chunks, listener)(images, labels)
    cached_gradients(TimeTriplet(wanted, margin=0.5, window=2), images, labels, 5)
    assert chunks.size == 5
    assert chunks.was_reduced
    assert "10 frames at a time" in listener.lines[0]
    assert "5 frames at a time" in listener.lines[1]
    assert "5 frames at a time" in chunks.note()
    found = gradients_of(network)
    assert all(torch.equal(found[name], value) for name, value in gradients_of(wanted).items())
    # What the attempts that failed did to the statistics is undone.
    buffers = dict(wanted.named_buffers())
    assert all(torch.equal(value, buffers[name]) for name, value in network.named_buffers())


def test_the_next_step_begins_with_the_chunks_that_fitted() -> None:
    images, labels = sequence_batch(0, 0, frames=20)
    chunks, listener = Chunks(), Listener()
    gradients = Gradients(small_card(tiny_pretrainer(train=True), 12), chunks, listener)
    gradients(images, labels)
    gradients(images, labels)
    assert chunks.size == 10
    assert len(listener.lines) == 1


def test_a_card_that_holds_next_to_nothing_ends_the_run_with_a_sentence() -> None:
    images, labels = sequence_batch(0, 0, frames=20)
    with pytest.raises(torch.OutOfMemoryError) as caught:
        Gradients(small_card(tiny_pretrainer(train=True), SMALLEST - 1), Chunks(), SilentReporter())(images, labels)
    outcome = describe_failure(caught.value)
    assert outcome.kind == "failed"
    assert outcome.message == "The graphics card ran out of memory."


def test_without_trouble_nothing_is_cached_and_nothing_said() -> None:
    images, labels = sequence_batch(0, 0)
    network, wanted = tiny_pretrainer(train=True), tiny_pretrainer(train=True)
    chunks, listener = Chunks(), Listener()
    losses = Gradients(TimeTriplet(network, margin=0.5, window=2), chunks, listener)(images, labels)
    TimeTriplet(wanted, margin=0.5, window=2).losses(images, labels).total.backward()  # type: ignore[no-untyped-call]
    assert not losses.total.requires_grad
    assert chunks.size is None
    assert chunks.note() == ""
    assert listener.lines == []
    found = gradients_of(network)
    assert all(torch.equal(found[name], value) for name, value in gradients_of(wanted).items())


def test_gradients_of_the_step_before_are_gone() -> None:
    images, labels = sequence_batch(0, 0)
    network = tiny_pretrainer(train=False)
    gradients = Gradients(TimeTriplet(network, margin=0.5, window=2), Chunks(4), SilentReporter())
    gradients(images, labels)
    once = gradients_of(network)
    gradients(images, labels)
    assert all(torch.equal(value, once[name]) for name, value in gradients_of(network).items())
