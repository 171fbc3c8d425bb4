"""A counter that goes on counting after a reset, for the tests."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "sdk" / "python"))
from interplay import System, input, serve

total = 0


class Counter(System):
    outputs = ["sum(n)"]

    @input
    def add(self):
        global total
        total += 1
        self.emit("sum", n=total)


serve(Counter)
