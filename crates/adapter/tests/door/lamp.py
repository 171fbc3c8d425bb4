"""A synchronous lamp, for the tests."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "sdk" / "python"))
from interplay import System, serve


class Lamp(System):
    inputs = ["press", "level(x)"]
    outputs = ["shine(x)", "dark"]

    def __init__(self):
        self.on, self.x = False, 0

    def step(self, inputs):
        self.on ^= "press" in inputs
        self.x = inputs.get("level", {"x": self.x})["x"]
        return {"shine": {"x": self.x}} if self.on else ["dark"]


serve(Lamp)
