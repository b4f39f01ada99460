"""Why the list of flags is empty, and the action to fill it."""

import numpy as np

from wce_desktop.session.session import Session


def why_no_events(session: Session) -> tuple[str, str, str]:
    """Why no flags are shown, with title and action of the next step; empty texts where there is none."""
    reading = session.reading
    if reading is None:
        return "No study is open.", "Open study…", "open_files"
    if reading.events:
        return "", "", ""
    if session.current_model is None:
        return "There is no model yet.", "Add a model folder…", "add_model"
    if reading.scores is None and session.is_being_scored:
        return "This study is being scored. Its flags appear as scoring proceeds.", "", ""
    if reading.scores is None:
        return "This study has not been scored yet.", "Score this study", "score_study"
    highest = [np.nanmax(track) for name in reading.pathology_names if not np.isnan(track := reading.track(name)).all()]
    if not highest:
        return "The study has no scores: none of its frames could be read.", "", ""
    return (
        f"No flags at this threshold; the highest score is {max(highest):.2f}.",
        "Lower the threshold",
        "lower_threshold",
    )
