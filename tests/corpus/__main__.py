"""Run the corpus and print what each reader made of it: python -m tests.corpus [words that names must hold]."""

import os
import platform
import sys
import tempfile
import time
from pathlib import Path

from tests.corpus.checking import Outcome, check_source
from tests.corpus.dicom_kinds import dicom_sources
from tests.corpus.kinds import kind_sources
from tests.corpus.sources import Source, all_sources
from tests.corpus.table import as_table, named


def main() -> None:
    """Make, read and count; exit with 1 if a read was wrong or a missing frame is not explained."""
    os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"  # its reports on damage would bury the table
    os.environ["SVT_LOG"] = "0"
    import av
    import av.logging
    import cv2

    av.logging.set_level(None)
    sources = [
        source
        for source in [*all_sources(), *kind_sources(), *dicom_sources()]
        if all(word in f"{source.group} {source.name}" for word in sys.argv[1:])
    ]
    began = time.process_time()
    outcomes = [_outcome(source) for source in sources]
    print(f"\n{len(sources)} sources in {time.process_time() - began:.0f} s of one core; {platform.machine()}, ")
    print(f"Python {platform.python_version()}, PyAV {av.__version__}, OpenCV {cv2.__version__}\n")
    print(as_table(outcomes))
    print(named(outcomes))
    sys.exit(any(outcome.wrong or outcome.unexplained for outcome in outcomes))


def _outcome(source: Source) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        return check_source(source, Path(folder))


if __name__ == "__main__":
    main()
