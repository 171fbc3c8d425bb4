"""The tables of a comparison, in Markdown: ratios, growth, our own examples, and the figures to reach."""

import math

from .tools import NAMES, TOOLS


class Best:
    """Of all runs of one tool on one model at one size: the fewest seconds and bytes."""

    def __init__(self, records):
        self.cpu = max(min(record["cpu"] for record in records), 1e-3)
        self.wall = max(min(record["wall"] for record in records), 1e-3)
        self.rss = min(record["rss"] for record in records)
        self.states, self.transitions = records[0]["states"], records[0]["transitions"]
        self.bytes = self.rss / self.states


def best_of(records):
    groups = {}
    for record in records:
        if "error" not in record and "differs" not in record:
            groups.setdefault((record["model"], record["setup"], record["threads"], record["tool"]), []).append(record)
    return {key: Best(group) for key, group in groups.items()}


def table(header, rows):
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    left = [i < 2 or name == "tool" for i, name in enumerate(header)]
    rule = ["-" * width if l else "-" * (width - 1) + ":" for l, width in zip(left, widths)]
    for row in [header, rule, *rows]:
        cells = [cell.ljust(width) if l else cell.rjust(width) for l, cell, width in zip(left, row, widths)]
        print("| " + " | ".join(cells) + " |")


def times(value):
    return "" if value is None else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def ratios(best, sizes, base):
    print(f"\n## Cost, and how many times the cost of {NAMES[base]} at the same number of threads\n")
    header = ["model", "size", "threads", "tool", "states", "transitions", "CPU s", "wall s", "peak MB", "bytes/state"]
    header += ["CPU x", "wall x", "memory x", "speedup"]
    rows, means = [], {}
    for size in [size for size in sizes if size.scale != "XS" and not size.example]:
        for threads in (1, 2):
            reference = best.get((size.model, size.setup, threads, base))
            for tool in TOOLS:
                cost = best.get((size.model, size.setup, threads, tool))
                if cost is None:
                    continue
                ratio = [None] * 3
                if reference:
                    ratio = [cost.cpu / reference.cpu, cost.wall / reference.wall, cost.rss / reference.rss]
                    means.setdefault((threads, tool), []).append(ratio)
                single = best.get((size.model, size.setup, 1, tool))
                speedup = single.wall / cost.wall if threads > 1 and single else None
                row = [size.model, size.setup, threads, NAMES[tool], cost.states, cost.transitions, f"{cost.cpu:.2f}"]
                row += [f"{cost.wall:.2f}", f"{cost.rss / 1e6:.0f}", f"{cost.bytes:.0f}", *map(times, ratio), times(speedup)]
                rows.append(row)
    for threads in (1, 2):
        for tool in TOOLS:
            if (threads, tool) in means:
                of = means[threads, tool]
                row = ["geometric mean", f"of {len(of)}", threads, NAMES[tool], *[""] * 6]
                rows.append(row + [times(mean([ratio[i] for ratio in of])) for i in range(3)] + [""])
    table(header, rows)


def growth(best, sizes):
    print("\n## How cost grows: nanoseconds of CPU per transition, and peak bytes per state, one thread\n")
    tools = [tool for tool in TOOLS if any(key[2:] == (1, tool) for key in best)]
    header = ["model", "size", "states", "transitions"] + [f"{NAMES[t]} {unit}" for t in tools for unit in ("ns", "bytes")]
    rows = []
    sizes = [size for size in sizes if not size.example]
    for model in dict.fromkeys(size.model for size in sizes):
        steps = [size for size in sizes if size.model == model]
        for size in steps:
            row = [model, size.setup, size.states, size.transitions]
            for tool in tools:
                cost = best.get((model, size.setup, 1, tool))
                row += [f"{cost.cpu / cost.transitions * 1e9:.0f}", f"{cost.bytes:.0f}"] if cost else ["", ""]
            rows.append(row)
        # CPU ~ transitions ^ exponent, between the two largest sizes.
        row = [model, "exponent", "", ""]
        for tool in tools:
            costs = [c for c in (best.get((model, size.setup, 1, tool)) for size in steps) if c]
            row += [f"{exponent(costs[-2], costs[-1]):.2f}" if len(costs) > 1 else "", ""]
        rows.append(row)
    table(header, rows)


def exponent(small, large):
    return math.log(large.cpu / small.cpu) / math.log(large.transitions / small.transitions)


def examples(best, sizes):
    print("\n## Our examples at larger sizes, in Interplay\n")
    rows = []
    for size in sizes:
        for threads in (1, 2):
            cost = best.get((size.model, size.setup, threads, "interplay"))
            if size.example and cost:
                rate = f"{cost.transitions / cost.cpu:.0f}"
                row = [size.model, size.setup, threads, cost.states, cost.transitions, f"{cost.cpu:.2f}"]
                rows.append(row + [f"{cost.wall:.2f}", f"{cost.rss / 1e6:.0f}", f"{cost.bytes:.0f}", rate])
    if not rows:
        return print("Interplay was not run.")
    header = ["example", "setup", "threads", "states", "transitions", "CPU s", "wall s", "peak MB", "bytes/state"]
    table(header + ["transitions/s and core"], rows)


def targets(best, sizes):
    """The figures to reach, at the largest size of each model that was run."""
    print("\n## Figures to reach, at the largest sizes of this run\n")
    largest = {}
    for size in sizes:
        if not size.example and (size.model, size.setup, 1, "interplay") in best:
            largest[size.model] = size
    if not largest:
        return print("Interplay was not run.")
    at = lambda size, threads, tool: best.get((size.model, size.setup, threads, tool))

    def against(tool):
        pairs = [(at(size, 1, tool), at(size, 1, "interplay")) for size in largest.values()]
        return [other.cpu / ours.cpu for other, ours in pairs if other]

    def line(text, value, good):
        print(f"- {'reached' if good else 'MISSED '} {text}: {times(value)}")

    spin, stateright, native = against("spin"), against("stateright"), against("native")
    if spin:
        line("SPIN / Interplay, CPU, one thread, geometric mean, at least 3", mean(spin), mean(spin) >= 3)
        line("SPIN / Interplay, CPU, one thread, worst, at least 1", min(spin), min(spin) >= 1)
    if stateright:
        line("Stateright / Interplay, CPU, one thread, geometric mean, at least 5", mean(stateright), mean(stateright) >= 5)
    if native:
        slower = mean([1 / ratio for ratio in native])
        line("Interplay / native, CPU, one thread, geometric mean, at most 3", slower, slower <= 3)
    for size in [size for size in sizes if size.example]:
        if at(size, 1, "interplay"):
            rate = at(size, 1, "interplay").transitions / at(size, 1, "interplay").cpu / 1e6
            line(f"million transitions per second and core, {size.id}, at least 1", rate, rate >= 1)
    for size in largest.values():
        ours, two = at(size, 1, "interplay"), at(size, 2, "interplay")
        if ours.states >= 1_000_000:
            line(f"bytes per state, peak, {size.id}, at most 32 where a state fits 8", ours.bytes, ours.bytes <= 32)
        if two and ours.wall > 5:
            line(f"two threads, {size.id}, at least 1.7 times one", ours.wall / two.wall, ours.wall / two.wall >= 1.7)
