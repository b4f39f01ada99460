"""Where the bundled program `wce-training` starts: the command line of `python -m training`."""

import sys

from training.commands.shell import main
from training.files.terminal import end_process, run_into_pipe
from wce_desktop.__main__ import READER_COMMAND
from wce_desktop.__main__ import main as start_window

if __name__ == "__main__":
    if sys.argv[1:] == [READER_COMMAND]:
        sys.exit(start_window())
    end_process(run_into_pipe(main))
