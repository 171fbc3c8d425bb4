"""A door that does everything that the protocol knows, for the tests."""

import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "sdk" / "python"))
from interplay import Refused, System, input, serve


class Door(System):
    outputs = ["opened", "shown(floor, up)", "greeted(visitor)"]

    def __init__(self):
        self.visitors = []
        self.emit("opened")

    @input
    def configured(self):
        return self.settings["constants"]["height"]

    @input
    def press(self, floor: int):
        if floor == 9:
            raise Refused("there is no floor 9")
        if floor == 8:
            raise KeyError("stuck")
        print("pressed")  # Goes to standard error.
        self.emit("shown", floor=floor, up=True)

    @input
    def paint(self, colour):
        self.emit("shown", floor=colour["mixed"][0], up=False)

    @input
    def arrive(self):
        self.visitors.append(f"visitor {len(self.visitors)}")
        return self.visitors[-1]

    @input
    def leave(self, visitor):
        self.visitors.remove(visitor)
        threading.Timer(0.01, lambda: self.emit("greeted", visitor=visitor)).start()

    def enabled(self):
        return ["press", *(("leave", {"visitor": visitor}) for visitor in self.visitors)]

    def snapshot(self):
        return f"{len(self.visitors)} visitors"


if __name__ == "__main__":
    serve(Door)
