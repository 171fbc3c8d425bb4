"""A light that can name its state."""

from interplay import System, input, serve


class Light(System):
    outputs = ["on", "off"]

    def __init__(self):
        self.lit = False

    @input
    def press(self):
        self.lit = not self.lit
        self.emit("on" if self.lit else "off")

    def enabled(self):
        return ["press"]

    def snapshot(self):
        return str(self.lit)


serve(Light)
