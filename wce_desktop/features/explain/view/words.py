"""How things stand with an explanation, in words for the panel and the corner of the frame."""

from wce_desktop.core.clock import counted, format_frame
from wce_desktop.features.explain.model.explain_methods import waiting_words
from wce_desktop.features.explain.model.frame_maps import FrameMaps
from wce_desktop.features.explain.view.asking import Asking
from wce_desktop.session.session import Session


def missing_words(maps: FrameMaps) -> str:
    """What stands in the corner of a frame without a map."""
    title = "CAM" if maps.method == "cam" else "Score-CAM"
    return "No CAM for this frame" if maps.is_from_scores else f"No {title} of this frame yet (E)"


def note_words(session: Session, maps: FrameMaps) -> str:
    """What the chosen method shows, or what is missing for it."""
    reading, model = session.reading, session.current_model
    if reading is None:
        return "Open a study to see what the model says of its frames."
    if model is None:
        return "There is no model that could be asked. Add a model folder with Ctrl+Shift+M."
    if maps.is_from_scores and reading.embeddings is not None and reading.embeddings.cams is not None:
        height, width = reading.embeddings.cams.shape[-2:]
        return (
            f"CAM of {model.title}: where the model's evidence for the class lies. The lighter, the stronger; "
            f"the map is coarse, {height} by {width} cells over the whole field of view."
        )
    if maps.method == "cam":
        return (
            f"{model.title} kept no CAM of this study while scoring, so frames are explained one by one as they rest "
            "on screen, each on its own scale. S scores them all."
        )
    return (
        f"Score-CAM of {model.title}: parts of the frame are shown to the model alone, and those that raise the "
        "score are light. Each frame has its own scale: the map says where, the score how much."
    )


def state_words(session: Session, maps: FrameMaps, asking: Asking, seconds_left: float | None) -> str:
    """How things stand with the frame on screen."""
    reading = session.reading
    if reading is None or maps.is_from_scores:
        return ""
    frame, asked = reading.frame_index, asking.current
    found = maps.explanation(frame)
    is_asked = asking.is_asked(frame)
    if found is not None and is_asked:
        return waiting_words(found, seconds_left)
    if found is not None and found.agreement is not None:
        return f"Quick: agrees {found.agreement:.2f} with the exact one, on average over a test set."
    if found is not None:
        return found.note or ("" if found.method == "cam" else "Exact.")
    if is_asked:
        return f"Explaining frame {format_frame(frame + 1)}…"
    if asked is not None:
        return f"Explaining frame {format_frame(asked.frame_index + 1)}; {counted(asking.waiting_count, 'frame')} left."
    return "This frame is not explained yet."


def corner_words(session: Session, maps: FrameMaps, asking: Asking, seconds_left: float | None) -> str:
    """What stands in the corner of the frame on screen while something is computed for it."""
    reading = session.reading
    if reading is None or not asking.is_asked(reading.frame_index):
        return ""
    wait = f" in {max(1, round(seconds_left))} s" if seconds_left else "…"
    return f"Exact{wait} (Esc stops)" if maps.explanation(reading.frame_index) else f"Explaining{wait} (Esc stops)"
