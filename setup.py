"""Builds the kernels in ext/ into emlia3d/_ext. Everything else is in pyproject.toml."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, find_packages, setup

CHECKED = os.environ.get("EMLIA3D_CHECKED") == "1"
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": CHECKED,
    "cdivision": True,
}
# No fused multiply-add and no fast-math: the same bits on every machine. Nobody asks for the
# floating-point flags, and loops that need not set them in order become vectors.
FLAGS = ["-O3", "-ffp-contract=off", "-fno-trapping-math"]
if sys.platform == "win32":
    FLAGS = ["/O2", "/fp:precise"]
# Reads and writes out of place, and what C leaves undefined, end the tests; see CONTRIBUTING.md.
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-g"]
if os.environ.get("EMLIA3D_SANITIZE") != "1":
    SANITIZE = []

# The kernels that know no rulebook, and a folder for those of each rulebook.
FOLDERS = ["ext", *sorted(path.as_posix() for path in Path("ext").iterdir() if path.is_dir())]

# Folders without modules, and outside the package: unit sets, scenarios, models.
DATA = ["emlia3d.armies", "emlia3d.maps", "emlia3d.models"]

kernels = [
    Extension(
        ".".join(["emlia3d", "_ext", *path.relative_to("ext").with_suffix("").parts]),
        [path.as_posix()],
        include_dirs=FOLDERS,
        depends=["ext/widths.h"],  # which headers include: Cython sees no farther than those
        extra_compile_args=FLAGS + SANITIZE,
        extra_link_args=SANITIZE,
    )
    for path in sorted(Path("ext").rglob("*.pyx"))
]
setup(
    packages=[*find_packages(include=["emlia3d", "emlia3d.*"]), *DATA],
    ext_modules=cythonize(kernels, include_path=FOLDERS, compiler_directives=DIRECTIVES),
    options={"build_ext": {"parallel": os.cpu_count()}},
)
