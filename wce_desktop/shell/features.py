"""The features of the application: the only module that knows all of them."""

from collections.abc import Iterator
from functools import partial

from wce_desktop.features.audit.feature import AuditFeature
from wce_desktop.features.boxes.feature import BoxesFeature
from wce_desktop.features.calculators.feature import CalculatorsFeature
from wce_desktop.features.capture.feature import CaptureFeature
from wce_desktop.features.classes.feature import ClassesFeature
from wce_desktop.features.embedding_map.feature import MapFeature
from wce_desktop.features.exchange.feature import ExchangeFeature
from wce_desktop.features.explain.feature import ExplainFeature
from wce_desktop.features.job_list.feature import JobListFeature
from wce_desktop.features.landmarks.feature import LandmarksFeature
from wce_desktop.features.learning.feature import LearningFeature
from wce_desktop.features.live_scores.feature import LiveScoresFeature
from wce_desktop.features.models.feature import ModelsFeature
from wce_desktop.features.neighbours.feature import NeighboursFeature
from wce_desktop.features.patients.feature import PatientsFeature
from wce_desktop.features.places.feature import PlacesFeature
from wce_desktop.features.reading import annotating
from wce_desktop.features.reading.feature import ReadingFeature
from wce_desktop.features.report.feature import ReportFeature
from wce_desktop.features.safekeeping.feature import SafekeepingFeature
from wce_desktop.features.second_reading.feature import SecondReadingFeature
from wce_desktop.features.sharing.feature import SharingFeature
from wce_desktop.features.studies.feature import StudiesFeature
from wce_desktop.features.suggested_findings.feature import SuggestedFindingsFeature
from wce_desktop.features.viewing.feature import ViewingFeature
from wce_desktop.workspace import Feature, Workspace


class Features:
    """All features, in the order in which they are started; they are closed in reverse order."""

    def __init__(self, workspace: Workspace) -> None:
        """Create all features and connect those that need each other."""
        self._workspace = workspace
        self.job_list = JobListFeature(workspace)
        self.studies = studies = StudiesFeature(workspace)
        self.patients = PatientsFeature(workspace, studies.leave)
        self.reading = ReadingFeature(workspace)
        self.landmarks = LandmarksFeature(workspace)
        self.boxes = BoxesFeature(workspace)
        self.capture = CaptureFeature(workspace)
        self.classes = ClassesFeature(workspace)
        self.suggested_findings = SuggestedFindingsFeature(
            workspace, partial(annotating.answer_part, workspace.session), self.reading.go_to_event
        )
        self.neighbours = NeighboursFeature(workspace)
        self.places = PlacesFeature(workspace, studies.scoring)
        self.explain = ExplainFeature(workspace, self.neighbours.neighbours, self.boxes.following.at)
        self.exchange = ExchangeFeature(workspace)
        self.calculators = CalculatorsFeature(workspace)
        self.report = ReportFeature(workspace)
        self.second_reading = SecondReadingFeature(workspace)
        self.audit = AuditFeature(workspace)
        self.safekeeping = SafekeepingFeature(workspace)
        self.sharing = SharingFeature(workspace)
        self.learning = LearningFeature(workspace, studies.scoring)
        self.live_scores = LiveScoresFeature(workspace, studies.scoring, self.learning.keep_live_model)
        self.models = ModelsFeature(workspace, self.learning, studies.scoring, self.neighbours.errors.show_run)
        self.map = MapFeature(workspace, self.neighbours)
        self.viewing = ViewingFeature(workspace)
        studies.demo_opened.connect(workspace.guard(self._show_strongest))

    def __iter__(self) -> Iterator[Feature]:
        """Each feature."""
        return (part for part in vars(self).values() if isinstance(part, Feature))

    def _show_strongest(self) -> None:
        events = self._workspace.session.scores.events_by("score")
        if events:
            self.explain.turn_on()
            self.reading.go_to_event(events[0])
