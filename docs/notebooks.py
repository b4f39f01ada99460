"""Makes the notebooks of `docs/examples` from the scripts, whose cells begin with `# %%`: `python docs/notebooks.py`.

Notebooks hold no outputs; `tests/test_examples.py` checks that they are those of the scripts.
"""

import json
import re
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parent / "examples"
_CELL = re.compile(r"^# %%( \[markdown\])?\n", re.MULTILINE)


def notebook_of(script: str) -> str:
    """The text of the notebook of a script."""
    parts = _CELL.split(script)
    cells = [_cell(number, bool(kind), text.strip("\n")) for number, (kind, text) in
             enumerate(zip(parts[1::2], parts[2::2], strict=True))]  # fmt: skip
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    content = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _cell(number: int, is_markdown: bool, text: str) -> dict[str, Any]:
    if is_markdown:
        text = re.sub(r"^# ?", "", text, flags=re.MULTILINE)
    cell = {"cell_type": "markdown" if is_markdown else "code", "id": f"cell-{number}", "metadata": {}}
    source = {"source": text.splitlines(keepends=True)}
    return cell | source if is_markdown else cell | {"execution_count": None, "outputs": []} | source


def main() -> None:
    """Write all of them."""
    for script in sorted(EXAMPLES.glob("*.py")):
        script.with_suffix(".ipynb").write_text(notebook_of(script.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
