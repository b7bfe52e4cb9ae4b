"""The way to draw is the same for equal commands, or a line says why it is not."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from emlia3d.errors import DisplayError
from emlia3d.view.panda import display

FACTS = {"renderer": "some", "version": "1", "shaders": True, "texture_px": 4096}

Probing = Callable[[dict[str, object]], None]


@pytest.fixture(autouse=True)
def unprobed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is known of this machine, before and after."""
    monkeypatch.delenv("EMLIA3D_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(display.sys, "platform", "linux")
    for cached in (display.probe, display._warn_once):
        cached.cache_clear()
    yield
    for cached in (display.probe, display._warn_once):
        cached.cache_clear()


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Probing:
    """Have each pipe answer as it is said: with facts, an exit status, or never."""

    def answering_so(answers: dict[str, object]) -> None:
        def run(words: list[str], timeout: float, **_: object) -> object:
            answer = answers[words[-2]]
            if answer is None:
                raise subprocess.TimeoutExpired(words, timeout)
            if isinstance(answer, int):
                said = "no graphics pipe\n" if answer == 1 else ""
                return subprocess.CompletedProcess(words, answer, "", said)
            return subprocess.CompletedProcess(words, 0, json.dumps(answer), "")

        monkeypatch.setattr(display.subprocess, "run", run)

    return answering_so


@pytest.mark.parametrize(
    ("answer", "told"),
    [(None, "it did not answer within 60 seconds"), (-11, "it died (-11)"), (3, "it died (3)")],
)
def test_a_renderer_that_gives_no_answer_is_passed_over_in_one_line(
    answering: Probing, caplog: pytest.LogCaptureFixture, answer: int | None, told: str
) -> None:
    answering({"p3headlessgl": answer, "p3tinydisplay": FACTS})

    chosen = [display.choose(), display.choose()]

    assert {one.pipe for one in chosen} == {"p3tinydisplay"}
    assert [(one.levelno, one.getMessage()) for one in caplog.records] == [
        (logging.WARNING, f"p3headlessgl cannot be used this time: {told}")
    ]


def test_a_renderer_that_the_machine_lacks_is_passed_over_silently(
    answering: Probing, caplog: pytest.LogCaptureFixture
) -> None:
    answering({"p3headlessgl": 1, "p3tinydisplay": FACTS})

    assert display.choose().pipe == "p3tinydisplay"
    assert caplog.records == []


def test_a_renderer_that_is_named_is_the_one_or_none(answering: Probing) -> None:
    answering({"p3headlessgl": None, "p3tinydisplay": FACTS})

    with pytest.raises(DisplayError, match="p3headlessgl: did not answer within 60 seconds"):
        display.choose("p3headlessgl")


def test_the_line_is_on_standard_error() -> None:
    code = (
        "from emlia3d.view.panda import display\n"
        "display._warn_once('p3headlessgl cannot be used this time: \\x1b[2J')"
    )

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout == ""
    assert told.stderr == "p3headlessgl cannot be used this time: \\u001b[2J\n"
