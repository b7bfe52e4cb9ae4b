"""``python -m emlia3d`` is the command ``emlia3d``."""

import sys

from emlia3d.cli import main

sys.exit(main())
