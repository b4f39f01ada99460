"""Explanations of one frame: those that are kept already, else made now and kept."""

from collections.abc import Iterator
from dataclasses import replace

from training.errors import UserError
from training.inference.explain import explain, explain_refining
from training.inference.explanation import Explanation, Method
from training.runs.reporter import Reporter
from training.service.answer_files import ExplanationAnswer, read_answer, write_answer
from training.service.networks import LoadedNetwork, Networks
from training.service.pictures import Picture, frame_of
from training.service.requests import ExplainRequest, kept_path
from training.service.studies import OpenStudies
from training.texts import Text


class Explainer:
    """Answers one request to explain; made for it and thrown away."""

    def __init__(self, request: ExplainRequest, networks: Networks, studies: OpenStudies, reporter: Reporter) -> None:
        self._request = request
        self._networks = networks
        self._studies = studies
        self._reporter = reporter
        self._sha256 = networks.sha256(networks.origin(request.model, request.step))

    def answers(self) -> Iterator[ExplanationAnswer]:
        """The explanation asked for; where it takes its time and `refine` is set, the quick form before it.

        Raises:
            UserError: model, study, frame, class, layer or method cannot be used.
            Cancelled: it is no longer needed.
        """
        request = self._request
        if (kept := self._kept(request.method)) is not None:
            yield kept
            return
        if request.refine and request.method == "score-cam":
            yield from self._refined()
            return
        yield self._made(request.method)

    def _kept(self, method: Method) -> ExplanationAnswer | None:
        """What an earlier request left; None where there is nothing that can be read."""
        if self._request.keep_in is None:
            return None
        path = kept_path(self._request.keep_in, self._sha256, self._request, method)
        if not path.is_file():
            return None
        try:
            answer = read_answer(path)
        except UserError as error:
            self._reporter.log(str(error))
            return None
        return answer if isinstance(answer, ExplanationAnswer) else None

    def _refined(self) -> Iterator[ExplanationAnswer]:
        """The quick form, then the exact one, which asks only the channels that the quick one did not."""
        if (kept := self._kept("quick")) is not None:
            yield replace(kept, is_final=False)
            yield self._made("score-cam")
            return
        network, picture = self._ready()
        request = self._request
        found = explain_refining(
            network.model, *picture, class_name=request.class_name, layer=request.layer, reporter=self._reporter
        )
        for explanation in found:
            yield replace(self._answer(explanation, network), is_final=explanation.method == request.method)

    def _made(self, method: Method) -> ExplanationAnswer:
        request = self._request
        network, picture = self._ready()
        explanation = explain(
            network.model,
            *picture,
            method,
            class_name=request.class_name,
            layer=request.layer,
            reporter=self._reporter,
        )
        return self._answer(explanation, network)

    def _ready(self) -> tuple[LoadedNetwork, Picture]:
        """The network and the frame, loaded."""
        request, reporter = self._request, self._reporter
        network = self._networks.get(request.model, request.step, request.precision, reporter)
        reporter.check()
        return network, frame_of(request, self._studies, reporter)

    def _answer(self, explanation: Explanation, network: LoadedNetwork) -> ExplanationAnswer:
        answer = ExplanationAnswer(self._request.frame_index, explanation, network.sha256)
        self._keep(answer, explanation)
        return answer

    def _keep(self, answer: ExplanationAnswer, explanation: Explanation) -> None:
        """Keep it as it was asked for, and under the class's name; a full disk costs the copy, not the answer."""
        request = self._request
        if request.keep_in is None:
            return
        named = request.model_copy(update={"class_name": explanation.class_name})
        try:
            for each in {request.class_name: request, named.class_name: named}.values():
                write_answer(kept_path(request.keep_in, self._sha256, each, explanation.method), answer)
        except UserError as error:
            self._reporter.log(Text("The explanation could not be stored: {error}", error))
