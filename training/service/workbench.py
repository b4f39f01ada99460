"""What answers requests: networks that stay loaded, studies that stay open, and the work itself."""

from collections.abc import Iterator

from training.compute.plan import DeviceName, inference_device
from training.runs.reporter import Reporter
from training.service.answer_files import Answer
from training.service.embedding import embed
from training.service.explaining import Explainer
from training.service.networks import Networks
from training.service.requests import EmbedRequest, ExplainRequest
from training.service.studies import OpenStudies


class Workbench:
    """Answers one request at a time."""

    def __init__(self, device: DeviceName, networks: int, reporter: Reporter) -> None:
        self.device, note = inference_device(device)
        if note:
            reporter.log(note)
        self._networks = Networks(self.device, networks)
        self._studies = OpenStudies()

    def answers(self, request: ExplainRequest | EmbedRequest, reporter: Reporter) -> Iterator[Answer]:
        """One answer, or two where the first is a quick one.

        Raises:
            UserError: model, study, frame, class or layer cannot be used.
            Cancelled: it is no longer needed.
        """
        reporter.check()
        if isinstance(request, EmbedRequest):
            yield embed(request, self._networks, self._studies, reporter)
        else:
            yield from Explainer(request, self._networks, self._studies, reporter).answers()

    def close(self) -> None:
        """Let all files go."""
        self._studies.close()

    def forget(self) -> None:
        """Let all networks go: memory has run out."""
        self._networks.forget()
        if self.device != "cpu":
            import torch

            from training.compute.out_of_memory import forget_the_rest

            forget_the_rest(torch.device(self.device))
