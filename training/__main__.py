"""`python -m training COMMAND`; see `training.commands.shell`. Imports no torch until a command needs it."""

from training.commands.shell import main
from training.files.pipes import run_into_pipe
from training.runs.exits import end_process

if __name__ == "__main__":
    end_process(run_into_pipe(main))
