#!/usr/bin/env python3
"""How many of the goals each method answers, and how fast: prints the table of README.md.

    cargo build --release -p interplay-cli && python3 examples/telephone/compare.py target/release/interplay
"""
import json, pathlib, re, statistics, subprocess, sys

here = pathlib.Path(__file__).resolve().parent
program = sys.argv[1] if len(sys.argv) > 1 else "interplay"
scenarios = len(re.findall(r"^scenario ", (here / "library.play").read_text(), re.M))

def asked(*options):
    command = [program, "scenario", "find", str(here / "telephone.play"), "--all", "--json", *options]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE).stdout)["goals"]

rows = [
    (f"`generalise`, full library ({scenarios})", ["--method", "generalise"]),
    (f"`generalise`, half of it ({scenarios // 2})", ["--method", "generalise", "--library", str(scenarios // 2)]),
    ("`generalise`, empty library", ["--method", "generalise", "--library", "0"]),
    ("all methods", []),
]
print("| method | reached | unreachable | contradictory | unknown | median | slowest answer | slowest to give up |")
print("|---|---|---|---|---|---|---|---|")
for name, options in rows:
    goals = asked(*options)
    count = lambda word: sum(goal["answer"] == word for goal in goals)
    known = [goal["seconds"] for goal in goals if goal["answer"] != "unknown"]
    given_up = [goal["seconds"] for goal in goals if goal["answer"] == "unknown"]
    told = lambda times, what: f"{what(times):.2f} s" if times else ""
    words = ["reached", "unreachable", "contradictory", "unknown"]
    cells = [str(count(word)) for word in words] + [told(known, statistics.median), told(known, max), told(given_up, max)]
    print(f"| {name} | {' | '.join(cells)} |")
