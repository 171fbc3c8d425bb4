"""A door that does not say which inputs it would take: it refuses those that it does not."""

from interplay import Refused, System, input, serve


class Door(System):
    outputs = ["opened"]

    def __init__(self):
        self.code = None

    @input
    def lock(self, code):
        if self.code is not None:
            raise Refused("it is locked")
        self.code = code

    @input
    def unlock(self, code):
        if self.code != code:
            raise Refused("it is open, or the code is wrong")
        self.code = None
        if code == 2:
            self.emit("opened")


serve(Door)
