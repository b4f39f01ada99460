"""`python -m training COMMAND`; see `training.commands.shell`. Imports no torch until a command needs it."""

import sys

from training.commands.shell import main
from training.files.pipes import run_into_pipe

if __name__ == "__main__":
    sys.exit(run_into_pipe(main))
