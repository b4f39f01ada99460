"""Where both bundled programs start: `wce-desktop`, and `wce-training`, the command line of `python -m training`."""

import sys
from pathlib import Path

from training.commands.shell import main as run_command
from training.files.terminal import end_process, run_into_pipe
from wce_desktop.__main__ import READER_COMMAND
from wce_desktop.__main__ import main as start_window

if __name__ == "__main__":
    if Path(sys.argv[0]).stem == "wce-training" and sys.argv[1:] != [READER_COMMAND]:
        end_process(run_into_pipe(run_command))
    sys.exit(start_window())
