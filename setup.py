"""Build the kernels in ext/ into emlia3d/_ext. Everything else is in pyproject.toml.

Objects stay in build/kernels, so that a second build compiles only what has changed since.
"""

import hashlib
import os
import shutil
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

CHECKED = os.environ.get("EMLIA3D_CHECKED") == "1"
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": CHECKED,
    "cdivision": True,
}
# No fused multiply-add and no fast-math, so that every machine computes the same bits. No code
# reads the floating-point flags, so loops that need not set them in order become vectors.
# Debugging information would take a quarter of the time of a build.
FLAGS = ["-O3", "-g0", "-ffp-contract=off", "-fno-trapping-math"]
if sys.platform == "win32":
    FLAGS = ["/O2", "/fp:precise"]
# Reads and writes out of bounds, and what C leaves undefined, end the tests; see CONTRIBUTING.md.
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-g"]
if os.environ.get("EMLIA3D_SANITIZE") != "1":
    SANITIZE = []

# The kernels that know no rulebook, and a folder for those of each rulebook.
FOLDERS = ["ext", *sorted(path.as_posix() for path in Path("ext").iterdir() if path.is_dir())]

# Folders without modules, and outside the package: unit sets, scenarios, models.
DATA = ["emlia3d.armies", "emlia3d.maps", "emlia3d.models"]

BUILT = Path("build/kernels", "checked" if CHECKED else "fast")
if SANITIZE:
    BUILT = BUILT.with_name(f"{BUILT.name}-sanitized")

# Cython's code for array arguments. In a module of its own it is compiled once, not once a kernel.
SHARED = "emlia3d._ext.shared"


def kernel(name: str, source: Path) -> Extension:
    """Return the module *name* of one source."""
    return Extension(
        name,
        [source.as_posix()],
        include_dirs=FOLDERS,
        extra_compile_args=FLAGS + SANITIZE,
        extra_link_args=SANITIZE,
    )


class BuildKernels(build_ext):
    """Build command that translates kernels in parallel and reuses objects of equal sources."""

    def build_extensions(self) -> None:
        """Translate the kernels to C, and build each, the largest first."""
        changed = Path(__file__).stat().st_mtime  # maybe the directives, which Cython overlooks
        translated = cythonize(
            self.extensions,
            force=any(path.stat().st_mtime < changed for path in BUILT.rglob("*.c")),
            nthreads=os.cpu_count() or 1,
            build_dir=BUILT.as_posix(),
            include_path=list(FOLDERS),  # Cython extends the list
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED,
        )
        for ext, done in zip(self.extensions, translated, strict=True):
            ext.sources = done.sources
        # Cython puts copies of headers beside the C, where the compiler would prefer them.
        for copy in BUILT.rglob("*.h"):
            copy.unlink()
        self.headers = b"".join(path.read_bytes() for path in sorted(Path("ext").rglob("*.h")))
        self.extensions.sort(key=lambda ext: -Path(ext.sources[0]).stat().st_size)
        self.force = True  # timestamps miss a change of flags, which the digest includes
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        """Build one kernel, or copy what an earlier build made of the same sources."""
        target = Path(self.get_ext_fullpath(ext.name))
        kept = BUILT / "modules" / self.get_ext_filename(ext.name)
        record = kept.with_suffix(".digest")
        digest = self.digest(ext)
        if kept.exists() and record.exists() and record.read_text() == digest:
            sys.stdout.write(f"{ext.name}: unchanged\n")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(kept, target)
            return
        sys.stdout.write(f"{ext.name}: compiling\n")
        record.unlink(missing_ok=True)
        super().build_extension(ext)
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(target, kept)
        record.write_text(digest)

    def digest(self, ext: Extension) -> str:
        """Return a digest of what decides about the object of a kernel."""
        commands = [getattr(self.compiler, name, "") for name in ("compiler_so", "linker_so")]
        settings = repr((sys.version, commands, FLAGS + SANITIZE)).encode()
        source = Path(ext.sources[0]).read_bytes()
        return hashlib.sha256(settings + self.headers + source).hexdigest()


if __name__ == "__main__":  # processes that translate kernels may load this file
    setup(
        packages=[*find_packages(include=["emlia3d", "emlia3d.*"]), *DATA],
        ext_modules=[
            kernel(SHARED, Path("ext/shared.c")),
            *(
                kernel(
                    ".".join(["emlia3d", "_ext", *path.relative_to("ext").with_suffix("").parts]),
                    path,
                )
                for path in sorted(Path("ext").rglob("*.pyx"))
            ),
        ],
        cmdclass={"build_ext": BuildKernels},
        options={"build_ext": {"parallel": os.cpu_count()}},
    )
