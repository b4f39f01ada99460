"""How many images a second a training learns from on this device, tried out on noise."""

import time

from training.runs.reporter import Reporter

TIMED = 3


def images_per_second(
    backbone: str, input_size: int, batch: int, device_name: str, threads: int | None, reporter: Reporter
) -> float:
    """Time a few steps of a network at this size: forward, backward, optimizer; no reading of frames."""
    import torch

    from training.compute.devices import choose_autocast, training_device
    from training.models.config import ModelConfig
    from training.models.network import FrameClassifier
    from training.optimisation.pace import threads_for_training

    device = training_device(device_name, reporter)  # type: ignore[arg-type]
    autocast = choose_autocast("auto", device)
    config = ModelConfig(backbone=backbone, classes=("normal", "other"), input_size=input_size)
    network = FrameClassifier(config, classifier_gradient=True).to(device).to(memory_format=torch.channels_last).train()
    optimizer = torch.optim.SGD(network.parameters(), lr=1e-3)
    frames = torch.randint(0, 255, (batch, input_size, input_size, 3), dtype=torch.uint8, device=device)

    def step() -> float:
        started = time.perf_counter()
        with torch.autocast(device.type, autocast, enabled=autocast is not None):
            loss = network(frames).logits.float().square().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        loss.item()  # waits for the device
        return time.perf_counter() - started

    with threads_for_training(threads):
        step()
        return batch / min(step() for _ in range(TIMED))
