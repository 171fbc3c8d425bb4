"""How long from the start of the program to the first state: reading, checking and compiling each of our examples."""

import re
import subprocess
import time

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


def to_first_state(command):
    """Seconds until the program says that it begins to search: it is compiled, and the first state is there."""
    start, first = time.monotonic(), None
    program = subprocess.Popen(list(map(str, command)), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    for line in program.stderr:
        if first is None and ("compiled code searches" in line or "the interpreter searches" in line):
            first = time.monotonic() - start
    program.wait()
    return first


def times(program):
    """The least time of a few runs for each; a setup that belongs to another file is left out."""
    found = []
    for file, setup in questions():
        command = [program, "-v", "explore", file, "--setup", setup, "--states", 1, "--threads", 1, "--json"]
        firsts = [to_first_state(command) for _ in range(RUNS)]
        if all(firsts):
            wall = min(measure.measure(command, ROOT, 20, False)[0]["wall"] for _ in range(RUNS))
            found.append((min(firsts), wall, f"{file.stem} {setup}"))
    return sorted(found, reverse=True)


def report(program):
    print("\n## From start to first state, compilation included\n")
    found = times(program)
    if not found:
        return print("No example could be run.")
    late = [each for each in found if each[0] > LONGEST]
    for first, wall, name in (late or found[:3])[:20]:
        print(f"- {name}: {first * 1e3:.0f} ms, and {wall * 1e3:.0f} ms to the end of `--states 1`")
    verdict = "MISSED " if late else "reached"
    print(f"- {verdict} at most {LONGEST * 1e3:.0f} ms on every example: {len(found) - len(late)} of {len(found)}")
    answered = sum(wall <= LONGEST for _, wall, _ in found)
    print(f"- the whole answer to `--states 1`, with formulas and remarks, within that: {answered} of {len(found)}")
