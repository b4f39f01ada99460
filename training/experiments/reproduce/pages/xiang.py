"""Figure 4 of Xiang et al. 2023: queries, and the clips that each scheme of the ablation retrieves."""

from collections.abc import Sequence

from training.experiments.reproduce import xiang_cells, xiang_rows
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
    cells = {key: first[key] for key in names if key in first}
    strips = []
    for query in range(int(untrained.get("shown", 0)) if cells else 0):
        place = xiang_cells.shown_folder(setting)
        frames = range(min(xiang_cells.FRAMES_SHOWN, setting.budget.clips.length))
        pictures = [Picture(place / xiang_cells.shown_name(query, at)) for at in frames]
        strips.append(Strip(f"Query {query + 1}", pictures))
        for key, cell in cells.items():
            place = xiang_cells.shown_folder(setting, key, int(cell["seed"]))
            pictures = [
                Picture(
                    place / xiang_cells.shown_name(query, at),
                    "same" if is_right else "other",
                    RIGHT if is_right else WRONG,
                )
                for at, is_right in enumerate(cell["retrieved"][query])
            ]
            strips.append(Strip(f"{names[key]}, seed {cell['seed']}", pictures))
    return [Figure(TITLE, TEXT, strips=strips)] if strips else []
