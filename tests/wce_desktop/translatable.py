"""The texts that translators get, collected once."""

import runpy
from functools import cache
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "translate.py"


@cache
def translatable_texts() -> tuple[str, ...]:
    """All of them, as `python docs/translate.py` finds them in the code."""
    return tuple(runpy.run_path(str(SCRIPT))["texts"]())
