"""The notebook view of a scenario: a picture of its start."""

from __future__ import annotations

from io import BytesIO

from emlia3d.battle.moment import Moment
from emlia3d.errors import DisplayError

SIZE_PX = (960, 540)


def png_of(moment: Moment) -> bytes | None:
    """Return a picture of the battle as PNG; None if there is no working renderer."""
    from PIL import Image  # noqa: PLC0415  loaded to draw only

    from emlia3d.view import picture  # noqa: PLC0415

    try:
        image = picture(moment.setup, moment.state, size=SIZE_PX)
    except DisplayError:
        return None
    file = BytesIO()
    Image.fromarray(image).save(file, "PNG")
    return file.getvalue()
