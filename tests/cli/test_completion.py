"""Words that shells complete on a command line of emlia3d."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from emlia3d.cli import COMPLETES


def completed(run, monkeypatch, *words: str) -> list[str]:
    """Return the answers for the last of some words, as the script of Bash gets them."""
    monkeypatch.setenv(COMPLETES, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["emlia3d", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    told = run([])
    assert told.status == 0
    return told.out.split()


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        (["sig"], ["plain,sight"]),
        (["battle", "s"], ["plain,scrapyard", "plain,shallows", "file,s"]),
        (["sight", "du"], ["plain,duel", "file,du"]),
        (["battle", "--hea"], ["plain,--headless"]),
        (["march", "x"], []),
    ],
)
def test_commands_options_and_bundled_scenarios_are_completed(
    run, monkeypatch, words: list[str], answers: list[str]
) -> None:
    assert completed(run, monkeypatch, *words) == answers


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_names_the_variable_that_it_sets(run, shell: str) -> None:
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("no Bash here, whose version the script needs")
    told = run(["--completion", shell])

    assert told.status == 0
    assert f"{COMPLETES}={shell}_complete" in told.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="no Bash here")
def test_bash_accepts_its_script(run) -> None:
    script = run(["--completion", "bash"]).out

    subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_another_shell_is_refused_in_one_line(run) -> None:
    told = run(["--completion", "cmd"])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert "'bash', 'zsh', 'fish'" in told.complaints[0]
