"""The features of the application: the only module that knows all of them."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

from wce_desktop.features.audit.feature import AuditFeature
from wce_desktop.features.boxes import BoxesFeature
from wce_desktop.features.calculators.feature import CalculatorsFeature
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
from wce_desktop.features.reading.feature import ReadingFeature
from wce_desktop.features.report.feature import ReportFeature
from wce_desktop.features.safekeeping.feature import SafekeepingFeature
from wce_desktop.features.second_reading.feature import SecondReadingFeature
from wce_desktop.features.studies.feature import StudiesFeature
from wce_desktop.features.suggested_findings.feature import SuggestedFindingsFeature
from wce_desktop.features.viewing.feature import ViewingFeature
from wce_desktop.workspace import Feature, Workspace


@dataclass(frozen=True)
class Features:
    """All features, in the order in which they are started; they are closed in reverse order."""

    job_list: JobListFeature
    studies: StudiesFeature
    patients: PatientsFeature
    reading: ReadingFeature
    landmarks: LandmarksFeature
    boxes: BoxesFeature
    classes: ClassesFeature
    suggested_findings: SuggestedFindingsFeature
    neighbours: NeighboursFeature
    places: PlacesFeature
    explain: ExplainFeature
    exchange: ExchangeFeature
    calculators: CalculatorsFeature
    report: ReportFeature
    second_reading: SecondReadingFeature
    audit: AuditFeature
    safekeeping: SafekeepingFeature
    learning: LearningFeature
    live_scores: LiveScoresFeature
    models: ModelsFeature
    map: MapFeature
    viewing: ViewingFeature

    def __iter__(self) -> Iterator[Feature]:
        """Each feature."""
        for field in fields(self):
            yield getattr(self, field.name)


def make_features(workspace: Workspace) -> Features:
    """Create all features and connect those that need each other."""
    job_list = JobListFeature(workspace)
    studies = StudiesFeature(workspace)
    patients = PatientsFeature(workspace, studies)
    reading = ReadingFeature(workspace)
    landmarks = LandmarksFeature(workspace)
    boxes = BoxesFeature(workspace)
    classes = ClassesFeature(workspace)
    suggested_findings = SuggestedFindingsFeature(workspace)
    neighbours = NeighboursFeature(workspace)
    places = PlacesFeature(workspace, studies.scoring)
    explain = ExplainFeature(workspace, below=neighbours.neighbours)
    exchange = ExchangeFeature(workspace)
    calculators = CalculatorsFeature(workspace)
    report = ReportFeature(workspace)
    second_reading = SecondReadingFeature(workspace)
    audit = AuditFeature(workspace)
    safekeeping = SafekeepingFeature(workspace)
    learning = LearningFeature(workspace, studies.scoring)
    live_scores = LiveScoresFeature(workspace, studies.scoring, learning)
    models = ModelsFeature(workspace, learning, studies.scoring)
    embedding_map = MapFeature(workspace, neighbours)

    def show_strongest() -> None:
        events = workspace.session.scores.events_by("score")
        if events:
            explain.turn_on()
            reading.go_to_event(events[0])

    studies.demo_opened.connect(workspace.guard(show_strongest))
    return Features(
        job_list,
        studies,
        patients,
        reading,
        landmarks,
        boxes,
        classes,
        suggested_findings,
        neighbours,
        places,
        explain,
        exchange,
        calculators,
        report,
        second_reading,
        audit,
        safekeeping,
        learning,
        live_scores,
        models,
        embedding_map,
        ViewingFeature(workspace),
    )
