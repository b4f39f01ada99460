"""Figure 4 of Xiang et al. 2023: queries, and the clips that each scheme of the ablation retrieves."""

from collections.abc import Sequence

from training.experiments.reproduce import kept_frames, xiang_cells, xiang_rows
from training.experiments.reproduce.kept_frames import frame_name
from training.experiments.reproduce.pages.page import RIGHT, WRONG, Figure, Picture, Strip
from training.experiments.reproduce.phantom_setting import Cell

TITLE = "Queries and retrieved clips (figure 4)"
TEXT = (
    "Some queries, spread over the patients: frames of the query, then the middle frame of the clips that each encoder "
    "finds most alike, the most alike first. Green and “same”: the clip shows the lesion of the query."
)


def figures(
    setting: xiang_cells.XiangSetting, table: xiang_rows.XiangTable, untrained: Cell, trained: Sequence[Cell]
) -> list[Figure]:
    """The figure with the encoders of the first seed; nothing where no frames are kept."""
    names = {row.key: row.name for row in table.rows}
    first = {str(cell["key"]): cell for cell in reversed(trained) if "retrieved" in cell}
    strips = []
    for query in range(int(untrained.get("shown", 0)) if first else 0):
        place = xiang_cells.shown_folder(setting)
        frames = [Picture(place / frame_name(query, at)) for at in range(kept_frames.FRAMES)]
        strips.append(Strip(f"Query {query + 1}", frames))
        for key, cell in ((key, first[key]) for key in names if key in first):
            place = xiang_cells.shown_folder(setting, key, int(cell["seed"]))
            kinds = [("same", RIGHT) if is_right else ("other", WRONG) for is_right in cell["retrieved"][query]]
            clips = [Picture(place / frame_name(query, at), *kind) for at, kind in enumerate(kinds)]
            strips.append(Strip(f"{names[key]}, seed {cell['seed']}", clips))
    return [Figure(TITLE, TEXT, strips=strips)] if strips else []
