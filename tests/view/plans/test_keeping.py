"""Pictures as files."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from emlia3d.view.plans.keeping import keep


@pytest.mark.parametrize("ending", [".png", ".jpg"])
def test_a_picture_takes_the_place_of_the_one_before_and_leaves_nothing_beside_it(
    tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"field{ending}"

    keep(Image.new("RGB", (8, 6), "red"), path)
    keep(Image.new("RGB", (4, 2), "blue"), path)

    with Image.open(path) as kept:
        assert kept.size == (4, 2)
    assert list(tmp_path.iterdir()) == [path]


def test_a_picture_that_cannot_be_written_whole_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "field.png"
    keep(Image.new("RGB", (8, 6), "red"), path)
    before = path.read_bytes()

    def full(self: Image.Image, file: Path, **_: object) -> None:
        Path(file).write_bytes(b"half a picture")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Image.Image, "save", full)

    with pytest.raises(OSError, match="No space"):
        keep(Image.new("RGB", (4, 2), "blue"), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
