"""The prior-guided pretraining behind the model in use, which has an explanation of its own."""

from training.methods.pgcon import PgConSettings
from training.pretraining.config import PretrainConfig
from wce_desktop.library.runs.lineage import Family
from wce_desktop.library.runs.run_files import method_of
from wce_desktop.library.runs.unfinished import can_start_from
from wce_desktop.library.work import Run
from wce_desktop.session.session import Session


def prior_pretraining(session: Session) -> Run | None:
    """The nearest pretraining with PGCon or WINCon that the model in use was derived from; None if there is none.

    Reads the library and cards.
    """
    if session.current_model is None:
        return None
    ancestors = Family.of(session.library).ancestors(session.current_model)
    return next((item for item in ancestors if isinstance(item, Run) and _has_prior_view(item)), None)


def _has_prior_view(run: Run) -> bool:
    """Whether it was trained around the reddest part of each frame, and its weights are still there."""
    method = method_of(run)
    is_known = method in PretrainConfig.methods and issubclass(PretrainConfig.of(method), PgConSettings)
    return is_known and can_start_from(run)
