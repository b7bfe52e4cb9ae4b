"""The page of a study, in a browser: on a screen and on paper."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from emlia3d.cli import main

CHROMIUM = shutil.which("chromium")
browser = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
A4_PX = 182 / 25.4 * 96, 269 / 25.4 * 96
"""What the margins of 14 mm leave of a sheet, CSS pixels."""

MEASURE = """
<script>
const boxes = query => [...document.querySelectorAll(query)].map(each => {
  const box = each.getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom, each.textContent.slice(0, 40)];
});
const found = {
  width: document.documentElement.scrollWidth,
  column: boxes("body")[0],
  names: boxes("td.name:first-child"), tables: boxes("table"),
  figures: boxes("figure"),
  charts: [...document.querySelectorAll("svg")].map(svg => {
    svg.setAttribute("data-measured", ""); const of = boxes("svg[data-measured]")[0];
    const texts = boxes("svg[data-measured] text"); svg.removeAttribute("data-measured");
    return {box: of, texts};
  }),
};
const text = JSON.stringify(found).replace(/&/g, "&amp;").replace(/</g, "&lt;");
document.body.innerHTML = "<pre>" + text + "</pre>";
</script>
"""

STUDIES = {
    "grid": ("bandits", "--vary", "unit.raiders.members=20,24", "--vary", "turns=1,2"),
    "against": ("kings-road", "--turns", "1", "--against", "doctrine,random"),
    "lone": ("bandits", "--turns", "1"),
}


@pytest.fixture(scope="module", params=STUDIES)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a small study."""
    folder = tmp_path_factory.mktemp(request.param)
    file = folder / f"{request.param}.html"
    words = [*STUDIES[request.param], "--runs", "2", "--processes", "1"]
    assert main(["study", *words, "--out", str(folder / "kept"), "--page", str(file)]) == 0
    return file


@pytest.mark.long
def test_the_page_stands_alone_and_has_every_part(page: Path) -> None:
    text = page.read_text("utf-8")

    titles = re.findall("<h2>(.*?)</h2>", text)
    assert not re.search(r"(src|href)=\"(?!#|data:image/png;base64,)", text)
    if page.stem == "grid":
        assert titles == [
            "Win rates", "Differences between variants", "Influence of each key",
            "Strength by turn", "Morale by turn", "On the field", "Units", "Luck", "Time",
            "Scenario and version",
        ]  # fmt: skip
        assert "unit.raiders.members=24" in text
    else:
        assert titles[0] == {"against": "Ratings of the commanders", "lone": "Win rates"}[page.stem]
        assert not {"Differences between variants", "Influence of each key"} & set(titles)


@pytest.mark.long
@browser
@pytest.mark.parametrize("paper", [False, True], ids=["screen", "paper"])
def test_nothing_is_cut_off(page: Path, tmp_path: Path, paper: bool) -> None:
    seen = laid_out(page, tmp_path, paper=paper)

    width = round(A4_PX[0]) if paper else 1280
    left, _, right, _, _ = seen["column"]
    assert all(one[2] - one[0] > 60 for one in seen["names"]), "a name is broken into syllables"
    assert seen["width"] <= width
    assert len(seen["charts"]) >= 6
    for part in [*seen["tables"], *seen["figures"]]:
        assert left - 1 <= part[0] < part[2] <= right + 1, part
    for chart in seen["charts"]:
        for text in chart["texts"]:
            assert _holds(chart["box"], text), text
    if paper:
        for figure in seen["figures"]:
            assert figure[3] - figure[1] <= A4_PX[1], "taller than a sheet"


@pytest.mark.long
@browser
def test_texts_of_a_chart_do_not_overlap(page: Path, tmp_path: Path) -> None:
    for chart in laid_out(page, tmp_path, paper=False)["charts"]:
        texts = chart["texts"]
        for number, one in enumerate(texts):
            for other in texts[:number]:
                assert not _overlap(one, other), (one, other)


@pytest.mark.long
@browser
def test_it_is_printed_on_a4(page: Path, tmp_path: Path) -> None:
    file = tmp_path / "page.pdf"
    _browse(tmp_path, "--no-pdf-header-footer", f"--print-to-pdf={file}", page.as_uri())

    sheets = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", file.read_bytes())
    assert 3 <= len(sheets) <= 6
    for wide, high in sheets:
        assert (float(wide), float(high)) == pytest.approx((595, 842), abs=1)


def laid_out(page: Path, folder: Path, *, paper: bool) -> Any:
    """Return where a browser puts the parts of a page, CSS pixels: left, top, right, bottom, text.

    paper : by the rules for print, at the width of a sheet between its margins
    """
    text = page.read_text("utf-8")
    measured = folder / "measured.html"
    if paper:
        assert "@media print" in text
        text = text.replace("@media print", "@media all")
    measured.write_text(text.replace("</html>", f"{MEASURE}</html>"), encoding="utf-8")
    width = round(A4_PX[0]) if paper else 1280
    dumped = _browse(folder, f"--window-size={width},2000", "--dump-dom", measured.as_uri())
    found = re.search("<pre>(.*)</pre>", dumped, re.DOTALL)
    assert found is not None
    return json.loads(html.unescape(found[1]))


def _browse(folder: Path, *words: str) -> str:
    assert CHROMIUM is not None
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    return subprocess.run(
        [*command, f"--user-data-dir={folder / 'browser'}", *words],
        check=True, capture_output=True, text=True, timeout=120,
    ).stdout  # fmt: skip


def _holds(outer: list[Any], inner: list[Any]) -> bool:
    return (
        outer[0] - 1 <= inner[0]
        and outer[1] - 1 <= inner[1]
        and inner[2] <= outer[2] + 1
        and inner[3] <= outer[3] + 1
    )


def _overlap(one: list[Any], other: list[Any]) -> bool:
    """Return whether two boxes share more than lines of text that touch."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > 1 and high > 4
