"""`python -m training COMMAND`; see `training.commands.shell`. Imports no torch until a command needs it."""

from training.commands.shell import main
from training.files.terminal import end_process, run_into_pipe

if __name__ == "__main__":
    end_process(run_into_pipe(main))
