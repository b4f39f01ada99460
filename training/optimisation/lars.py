"""LARS: each weight's step is scaled by the quotient of its norm and its gradient's (You et al. 2017).

Intrator et al. 2023 name LARS and cite the paper of LAMB for it (You et al. 2020): LARS it is, as they say.

As in SimCLR's own code (Chen et al. 2020), which leaves biases and normalisation without scaling and weight decay.
Intrator et al. 2023 name LARS and cite the paper of LAMB (You et al. 2019).
"""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor


class Lars(torch.optim.Optimizer):
    """`g <- g + d w`; `v <- m v + r t |w| / |g| g`; `w <- w - v`; without the quotient where a norm is 0.

    r is the rate, m the momentum, d the weight decay and t the trust coefficient. Weights of one dimension (biases,
    normalisation) are stepped by plain momentum, without weight decay.
    """

    def __init__(
        self,
        params: Iterable[Tensor],
        lr: float,
        momentum: float = 0.9,
        weight_decay: float = 1e-6,
        trust: float = 1e-3,
    ) -> None:
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay, "trust": trust})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """One step; returns what the closure returns."""
        with torch.enable_grad():
            loss = closure() if closure is not None else None
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._step(weight, weight.grad, group)
        return loss

    def _step(self, weight: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        rate = group["lr"]
        if weight.ndim > 1:
            gradient = gradient + group["weight_decay"] * weight
            of_weight, of_gradient = weight.norm(), gradient.norm()
            quotient = group["trust"] * of_weight / of_gradient
            rate = rate * torch.where((of_weight > 0) & (of_gradient > 0), quotient, torch.ones_like(quotient))
        state = self.state[weight]
        if "momentum" not in state:
            state["momentum"] = torch.zeros_like(weight)
        state["momentum"].mul_(group["momentum"]).add_(rate * gradient)
        weight.sub_(state["momentum"])
