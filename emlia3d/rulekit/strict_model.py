"""Base class for the tables of files that users write."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class StrictModel(BaseModel):
    """Table of a scenario or a unit set: unknown keys and wrong types are errors.

    Numbers must be finite. The validator is built on first use, because a command needs few tables.
    """

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True
    )
