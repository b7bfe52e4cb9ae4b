"""Makes the pictures of these pages anew: runs what pictures.md says, and makes the files small."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

DOCS = Path(__file__).parent
BLOCK = re.compile(r"```(sh|python)\n(.*?)```", re.DOTALL)


def remake(folder: Path) -> None:
    """Run every block of pictures.md in *folder*, in order; the pictures come to its docs."""
    program = [sys.executable, "-m", "emlia3d"]
    (folder / "docs").mkdir()
    for language, text in BLOCK.findall((DOCS / "pictures.md").read_text(encoding="utf-8")):
        if language == "python":
            subprocess.run([sys.executable, "-c", text], cwd=folder, check=True)
            continue
        for line in text.splitlines():
            words = re.findall(r'"([^"]*)"|(\S+)', line)
            asked = [quoted or plain for quoted, plain in words][1:]
            # A battle that is left before its end has no result, and says so by its status.
            status = subprocess.run([*program, *asked], cwd=folder, check=False).returncode
            if status not in {0, 1}:
                raise SystemExit(f"{line}: exit status {status}")


def in_few_colours(picture: Image.Image) -> Image.Image:
    """Return a picture in 256 colours that keep the colours of small things, such as markers."""
    palette = picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=3)
    return picture.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG)


def main() -> None:
    """Remake all pictures, in 256 colours each: they are looked at, not measured."""
    with tempfile.TemporaryDirectory() as name:
        remake(Path(name))
        for made in sorted((Path(name) / "docs").glob("*.png")):
            with Image.open(made) as picture:
                few = in_few_colours(picture.convert("RGB"))
            few.save(made, optimize=True)
            shutil.copy(made, DOCS / made.name)


if __name__ == "__main__":
    main()
