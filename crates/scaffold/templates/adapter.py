#!/usr/bin/env python3
"""Connects a lock to Interplay. `Lock` stands for the system under test: replace what its methods do by calls to yours.

The kit beside this file, `interplay.py`, speaks the protocol; standard output belongs to it.
"""

from interplay import Refused, System, input, serve


class Lock(System):
    name = "lock"
    outputs = ["opened", "refused", "alarm"]

    def __init__(self):  # Every reset makes a new one.
        self.locked = True
        self.blocked = False
        self.mistakes = 0

    @input
    def enter(self, code: int):
        if self.blocked or not self.locked:
            raise Refused("the lock takes no code now")
        if code == 1234:
            self.mistakes = 0
            self.locked = False
            self.emit("opened")
        elif self.mistakes == 2:
            self.blocked = True
            self.emit("alarm")
        else:
            self.mistakes += 1
            self.emit("refused")

    @input
    def shut(self):
        if self.locked:
            raise Refused("the lock is shut already")
        self.locked = True

    def close(self):
        """Called before the next reset and at the end: stop here what `__init__` started."""


if __name__ == "__main__":
    serve(Lock)
