"""Studies of many battles, and benchmarks of kernels and turns.

`run_study` plays a scenario and its variants many times, and gives an Arrow table and figures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.study.battles.study_run import StudyResult, run_study

__all__ = ["StudyResult", "run_study"]

__getattr__ = on_demand(__name__, dict.fromkeys(__all__, "emlia3d.study.battles.study_run"))
