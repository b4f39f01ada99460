"""All methods by name."""

from training.methods.colo_scrl import ColoScrl
from training.methods.cross_entropy import CrossEntropy
from training.methods.method import FinetuneMethod
from training.methods.pgcon import PgCon, WinCon
from training.methods.pirl import Pirl
from training.methods.pretrain_method import PretrainMethod
from training.methods.simclr import SimClr
from training.methods.time_triplet import TimeTriplet
from training.methods.tl_ba import TripletBatchAll, TripletBatchHard
from training.methods.videomae import VideoMae

PRETRAINING: dict[str, type[PretrainMethod]] = {
    method.name: method for method in (TimeTriplet, SimClr, PgCon, WinCon, Pirl, VideoMae, ColoScrl)
}
"""In the window's order; the first one is the default."""
FRAME_PRETRAINING: dict[str, type[PretrainMethod]] = {
    name: method for name, method in PRETRAINING.items() if not method.encodes_clips
}
"""Those that train a network of single frames, which a fine-tuning can start from."""
FINETUNING: dict[str, type[FinetuneMethod]] = {
    method.name: method for method in (TripletBatchAll, TripletBatchHard, CrossEntropy)
}
"""In the window's order; the first one is the default."""


def method_title(name: str) -> str:
    """What the screen calls a method; the name itself, without hyphens, for one that is not among these."""
    known: dict[str, type[PretrainMethod] | type[FinetuneMethod]] = {**PRETRAINING, **FINETUNING}
    return known[name].title if name in known else name.replace("-", " ").replace("_", " ")
