"""The command ``emlia3d``, also run as ``python -m emlia3d``."""

from __future__ import annotations

import gc
import os
import sys


def main() -> int:
    """Run the command line of the process; return its exit status."""
    _make_light()
    try:
        from emlia3d.cli import INTERRUPTED  # noqa: PLC0415  after what makes loading it cheaper
        from emlia3d.cli import main as run  # noqa: PLC0415
    except KeyboardInterrupt:
        # The handler of interrupts is not loaded yet.
        sys.stderr.write("emlia3d: interrupted\n")
        sys.stderr.flush()
        os._exit(130)
    status = run()
    if status == INTERRUPTED:
        # Python would end the process by the signal, without this status, if the interrupt came
        # while a module compiled a dataclass, although it has been handled since.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    # The collection at the end of the process would find nothing but what is alive.
    gc.freeze()
    return status


def _make_light() -> None:
    """Do without what takes a short command time and gives it nothing.

    Plugins of pydantic, for which it would search all installed packages; threads of the linear
    algebra in NumPy, which no command uses; and frequent garbage collection, because next to
    nothing that is loaded ever becomes garbage.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    gc.set_threshold(200_000, 20, 20)


if __name__ == "__main__":
    sys.exit(main())
