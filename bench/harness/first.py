"""How long from the start of the program to the first state: reading, checking and compiling each of our examples."""

import re

from . import measure
from .places import HERE, ROOT

LONGEST = 0.050  # seconds
RUNS = 3


def questions():
    """The examples and the models of this benchmark, with all their setups."""
    files = [*sorted((ROOT / "examples").glob("*/*.play")), *sorted((HERE / "models").glob("*.play"))]
    for file in files:
        text = file.read_text()
        if not re.search(r"^system ", text, re.M):
            continue
        around = [text] if file.parent == HERE / "models" else [other.read_text() for other in file.parent.glob("*.play")]
        for setup in sorted({name for other in around for name in re.findall(r"^setup (\w+)", other, re.M)}):
            yield file, setup


def times(program):
    """The least time of a few runs for each; a setup that belongs to another file is left out."""
    found = []
    for file, setup in questions():
        command = [program, "explore", file, "--setup", setup, "--states", 1, "--threads", 1, "--json"]
        runs = [measure.measure(command, ROOT, 20, False) for _ in range(RUNS)]
        if all('"states"' in out for _, out in runs):
            wall = min(run["wall"] for run, _ in runs)
            cpu = min(run["cpu"] for run, _ in runs)
            found.append((wall, cpu, f"{file.stem} {setup}"))
    return sorted(found, reverse=True)


def report(program):
    print("\n## From start to first state, compilation included\n")
    found = times(program)
    if not found:
        return print("No example could be run.")
    late = [each for each in found if each[0] > LONGEST]
    for wall, cpu, name in (late or found[:1])[:20]:
        print(f"- {name}: {wall * 1e3:.0f} ms, of these {cpu * 1e3:.0f} ms CPU")
    verdict = "MISSED " if late else "reached"
    print(f"- {verdict} at most {LONGEST * 1e3:.0f} ms on every example: {len(found) - len(late)} of {len(found)}")
