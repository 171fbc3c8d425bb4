"""What all recorders share: where the reference programs are, how values are written, and the file of traces.

A recorder walks through a reference program at random and writes down what the program did, in the words of the
specification: `tests/traces/NAME.jsonl`. The test suite then walks through the model along the same labels and compares
the enabled labels and the values of the expressions after every step.

    line 1   {"system": NAME, "setups": [...], "labels": [TEXT, ...]}
    others   {"setup": NAME, "initial": {EXPR: JSON, ...}, "steps": [[LABEL, [ENABLED, ...], {EXPR: JSON, ...}], ...]}

LABEL and ENABLED are places in the table of labels; ENABLED are all labels that were possible before the step; the
expressions after a step are only those whose value has changed.

A value of the specification is written here as: Bool, Int and String as in Python; `none` as None; a Seq or a tuple as
a list or a tuple; a Set as a frozenset; a Map or a record as a dict; a variant of an enum as `Variant("line", "1")`;
`some(x)` as `Some(x)`, which is needed only where a text is made of it.
"""
import argparse
import json
import random
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


class Variant:
    """A variant of an enum, with its payload if it has one."""

    def __init__(self, name, *args):
        self.name, self.args = name, args

    def __eq__(self, other):
        return isinstance(other, Variant) and (self.name, self.args) == (other.name, other.args)

    def __hash__(self):
        return hash((self.name, self.args))


class Some:
    """`some(x)`. As JSON it is only x."""

    def __init__(self, value):
        self.value = value


def name_text(name):
    """A name as the specification writes it: between back quotes unless it is a plain word."""
    plain = name.replace("_", "a").isalnum() and name.isascii() and not name[0].isdigit()
    return name if plain else f"`{name}`"


def value_text(value):
    """A value as the specification writes it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Some):
        return f"some({value_text(value.value)})"
    if isinstance(value, Variant):
        return event_text(value.name, *value.args)
    if isinstance(value, list):
        return "[" + ", ".join(map(value_text, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(value_text, value)) + ")"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(map(value_text, value))) + "}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{value_text(k)}: {value_text(v)}" for k, v in value.items()) + "}"
    raise TypeError(value)


def event_text(name, *args):
    """`dial("1", "2")`; no parentheses if there is nothing to put between them."""
    inside = ", ".join(map(value_text, args))
    return name_text(name) + (f"({inside})" if args else "")


def label_text(stimulus, outputs=()):
    """`offhook("1") / dialtone("1")`: an input with the texts of its outputs, which are sorted."""
    outputs = sorted(outputs)
    return stimulus + (" / " + ", ".join(outputs) if outputs else "")


def step_text(inputs, outputs):
    """`step req1, req3 / closed, moving`: a synchronous step; the inputs come in the order of their declaration."""
    return label_text("step" + (" " + ", ".join(inputs) if inputs else ""), outputs)


def value_json(value):
    """A value as JSON, so that equal values give equal JSON."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Some):
        return value_json(value.value)
    if isinstance(value, Variant):
        return {value.name: [value_json(a) for a in value.args]} if value.args else value.name
    if isinstance(value, (list, tuple)):
        return [value_json(v) for v in value]
    if isinstance(value, (set, frozenset)):
        return sorted((value_json(v) for v in value), key=compact)
    if isinstance(value, dict):
        return map_json(value)
    raise TypeError(value)


def map_json(value):
    """A Map is an object if its keys are texts or plain variants, otherwise a list of pairs."""
    keys = [k.name if isinstance(k, Variant) and not k.args else k for k in value]
    if all(isinstance(k, str) for k in keys):
        return {k: value_json(v) for k, v in sorted(zip(keys, value.values()))}
    return sorted(([value_json(k), value_json(v)] for k, v in value.items()), key=compact)


def compact(data):
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class Recording:
    """The file of traces while it grows."""

    def __init__(self, system, setups):
        self.system, self.setups = system, list(setups)
        self.labels, self.traces = {}, []

    def walk(self, setup, state, length, enabled, observe, choose):
        """Records one walk.

        `enabled(state)` gives the possible moves as pairs (label, next state), `observe(state)` the values of the
        expressions, `choose(moves)` takes one move. The walk ends early where no move is possible.
        """
        seen = {expr: value_json(value) for expr, value in observe(state).items()}
        trace = {"setup": setup, "initial": seen, "steps": []}
        for _ in range(length):
            moves = enabled(state)
            if not moves:
                break
            label, state = choose(moves)
            now = {expr: value_json(value) for expr, value in observe(state).items()}
            changed = {expr: value for expr, value in now.items() if value != seen[expr]}
            possible = sorted({self._index(text) for text, _ in moves})
            trace["steps"].append([self._index(label), possible, changed])
            seen = now
        self.traces.append(trace)

    def write(self, path):
        header = {"system": self.system, "setups": self.setups, "labels": list(self.labels)}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(compact(line) + "\n" for line in [header, *self.traces]), encoding="utf-8")
        print(f"{path.name}: {len(self.traces)} traces, {len(self.labels)} labels, {path.stat().st_size} bytes")

    def _index(self, label):
        return self.labels.setdefault(label, len(self.labels))


def prepare(system, folder):
    """Reads the command line, makes `import` find the reference programs of `folder`, returns the file to write."""
    parser = argparse.ArgumentParser(description=f"Records traces of the reference program of {system}.")
    parser.add_argument("reference", nargs="?", type=Path, default=CHECKOUT / ".." / "shared" / "reference",
                        help="the folder of the reference programs")
    parser.add_argument("--out", type=Path, default=CHECKOUT / "tests" / "traces" / f"{system}.jsonl")
    arguments = parser.parse_args()
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(arguments.reference / folder))
    return arguments.out


def source(seed):
    """The one source of chance of a recorder. The same seed gives the same file."""
    return random.Random(seed)
