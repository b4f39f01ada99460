"""OpenVINO in a process that gets signals and uses threads."""

import subprocess
import sys
from pathlib import Path

import pytest

DROP_IN_A_THREAD = """
import gc, signal, sys, threading
from pathlib import Path
import numpy as np
from training.compute.plan import choose_plan
from training.inference.engine import open_engine
from training.models.inference_network import network_of_model
from training.models.folder import ModelFolder

network = network_of_model(ModelFolder.open(Path(sys.argv[1])))
held = [open_engine(network, choose_plan("cpu"))]
held[0].run(np.zeros((1, network.input_size, network.input_size, 3), np.uint8))

def drop():
    held.clear()
    gc.collect()

thread = threading.Thread(target=drop)
thread.start()
thread.join()
rubbish = [bytes(20_000) for _ in range(1_000)]
signal.signal(signal.SIGINT, lambda *_: print("handled"))
signal.raise_signal(signal.SIGINT)
"""
STARTER = Path(__file__).parents[3] / "resources" / "models" / "starter"


@pytest.mark.skipif(sys.platform == "win32", reason="no alternative stack for signals on Windows")
def test_a_signal_is_handled_after_an_engine_was_dropped_in_another_thread() -> None:
    """OpenVINO 2026.4 frees the stack on which the signal would be handled, where its `Core` is destroyed there."""
    command = [sys.executable, "-X", "faulthandler", "-c", DROP_IN_A_THREAD, str(STARTER)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, f"ended with {ended.returncode}: {ended.stderr}"
    assert ended.stdout == "handled\n"
