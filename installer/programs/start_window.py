"""Where the bundled program `wce-desktop` starts."""

import sys

from wce_desktop.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
