"""Early stopping: training ends when the held-out AUC no longer rises, and the best weights are kept.

Ours; the papers train for a fixed number of steps. Kumar et al. 2022 stop early in the same way.
"""

from collections.abc import Collection
from pathlib import Path

from torch import nn

from training.errors import UserError
from training.files.safetensors import read_header
from training.files.tensors import load_tensors
from training.runs.checkpoint import write_tensors


class EarlyStopping:
    """The best weights so far, in a file, so that a resumed run has them."""

    def __init__(self, path: Path, evaluated_at: Collection[int], patience: int, first_step: int = 0) -> None:
        """Read the best weights of the run that is resumed.

        Args:
            path: file for the weights.
            evaluated_at: the steps after which the network is evaluated.
            patience: evaluations without a higher AUC before training ends, at least 1.
            first_step: step from which the run is resumed; weights of a later step are not used.
        """
        self._path, self._evaluated_at, self._patience = path, evaluated_at, patience
        self.best_step, self.best_auc = _stored(path)
        if self.best_step > first_step:
            self.best_step, self.best_auc = 0, float("-inf")

    def add(self, step: int, auc: float | None, network: nn.Module) -> None:
        """Take an evaluation; of equal ones the later weights are kept. None: no class had a figure."""
        if auc is None or auc < self.best_auc:
            return
        self.best_step, self.best_auc = step, auc
        _write(self._path, network, step, auc)

    def is_over(self, step: int) -> bool:
        """Whether training should end after a step."""
        return sum(self.best_step < at <= step for at in self._evaluated_at) >= self._patience

    def restore(self, network: nn.Module) -> None:
        """Load the best weights, if any."""
        if self.best_step:
            network.load_state_dict(load_tensors(self._path))


def _write(path: Path, network: nn.Module, step: int, auc: float) -> None:
    state = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_tensors(path, state, {"step": str(step), "auc": repr(auc)})


def _stored(path: Path) -> tuple[int, float]:
    """Step and AUC of the stored weights; 0 and -inf if there are none, or the file is damaged."""
    try:
        header = read_header(path).metadata
        return int(header["step"]), float(header["auc"])
    except (UserError, KeyError, ValueError):
        return 0, float("-inf")
