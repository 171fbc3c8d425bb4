"""Counts down, behind the adapter protocol; the kit stands in `sdk/python`."""
import os
import sys

sys.path.insert(0, os.path.join(os.environ.get("INTERPLAY", "../../.."), "sdk", "python"))
from interplay import System, input, serve


class Countdown(System):
    outputs = ["MSG(m)", "STOP"]

    @input
    def START(self, p: int):
        for m in range(p, 0, -1):
            self.emit("MSG", m=m)
        self.emit("STOP")


serve(Countdown)
