"""Build the kernels in ext/ into emlia3d/_ext. Everything else is in pyproject.toml.

Generated C and compiled modules stay in build/kernels, so that a second build makes only those
whose sources changed.
"""

import hashlib
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import Cython
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


def digest(settings: object, *contents: bytes) -> str:
    """Return a digest of settings and of the contents of files."""
    return hashlib.sha256(b"\0".join([repr(settings).encode(), *contents])).hexdigest()


def contents(pattern: str) -> list[bytes]:
    """Return the contents of the files of ext/ with matching names."""
    return [path.read_bytes() for path in sorted(Path("ext").rglob(pattern))]


@dataclass(frozen=True)
class Kept:
    """File that stays for later builds, with the digest of its sources beside it.

    Timestamps would not do: each build by pip has new files of Cython, and other flags have none.
    """

    path: Path
    digest: str

    @property
    def record(self) -> Path:
        """The file with the digest."""
        return self.path.with_name(f"{self.path.name}.digest")

    def is_current(self) -> bool:
        """Return whether the file was made of the same sources."""
        found = self.path.exists() and self.record.exists()
        return found and self.record.read_text() == self.digest


class BuildKernels(build_ext):
    """Build command that translates kernels in parallel and keeps what it builds."""

    def build_extensions(self) -> None:
        """Translate the kernels to C, and build each, the largest first."""
        settings = (Cython.__version__, DIRECTIVES)
        headers = contents("*.pxd")
        outdated = []
        for ext in self.extensions:
            (source,) = map(Path, ext.sources)
            of_kernel = [source.read_bytes()] if source.suffix == ".pyx" else []
            code = Kept(BUILT / source.with_suffix(".c"), digest(settings, *of_kernel, *headers))
            if not code.is_current():
                code.record.unlink(missing_ok=True)
                outdated.append((ext, code))
        if outdated:
            cythonize(
                [ext for ext, _ in outdated],
                force=True,
                nthreads=os.cpu_count() or 1,
                build_dir=BUILT.as_posix(),
                include_path=list(FOLDERS),  # Cython extends the list
                compiler_directives=DIRECTIVES,
                shared_utility_qualified_name=SHARED,
            )
        for _, code in outdated:
            code.record.write_text(code.digest)
        # Cython puts copies of headers beside the C, where the compiler would prefer them.
        for copy in BUILT.rglob("*.h"):
            copy.unlink()
        for ext in self.extensions:
            ext.sources = [(BUILT / ext.sources[0]).with_suffix(".c").as_posix()]
        self.extensions.sort(key=lambda ext: -Path(ext.sources[0]).stat().st_size)
        self.force = True
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        """Build one kernel, or copy what an earlier build made of the same C."""
        commands = [getattr(self.compiler, name, "") for name in ("compiler_so", "linker_so")]
        settings = (sys.version, commands, FLAGS, SANITIZE)
        code = Path(ext.sources[0]).read_bytes()
        module = Kept(
            BUILT / "modules" / self.get_ext_filename(ext.name),
            digest(settings, code, *contents("*.h")),
        )
        target = Path(self.get_ext_fullpath(ext.name))
        if module.is_current():
            sys.stdout.write(f"{ext.name}: unchanged\n")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(module.path, target)
            return
        sys.stdout.write(f"{ext.name}: compiling\n")
        module.record.unlink(missing_ok=True)
        super().build_extension(ext)
        module.path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(target, module.path)
        module.record.write_text(module.digest)


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
