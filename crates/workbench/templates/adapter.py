#!/usr/bin/env python3
"""Connects a lock to Interplay. One line is one JSON message, in both directions; standard error is free for logs.

`Lock` stands for the system under test: replace it by calls to yours. Everything below it is protocol.
"""

import json
import sys


class Lock:
    """The implementation. `send` is called for every output, at any time."""

    def __init__(self, send):
        self.send = send
        self.locked = True
        self.blocked = False
        self.mistakes = 0

    def enter(self, code):
        if self.blocked or not self.locked:
            raise Refused("the lock takes no code now")
        if code == 1234:
            self.mistakes = 0
            self.locked = False
            self.send("opened")
        elif self.mistakes == 2:
            self.blocked = True
            self.send("alarm")
        else:
            self.mistakes += 1
            self.send("refused")

    def shut(self):
        if self.locked:
            raise Refused("the lock is shut already")
        self.locked = True


ACTIONS = [
    {"name": "enter", "direction": "input", "parameters": ["code"]},
    {"name": "shut", "direction": "input", "parameters": []},
    {"name": "opened", "direction": "output", "parameters": []},
    {"name": "refused", "direction": "output", "parameters": []},
    {"name": "alarm", "direction": "output", "parameters": []},
]


class Refused(Exception):
    """The system does not take this input now."""


def say(**message):
    print(json.dumps(message), flush=True)


def output(action, **args):
    say(type="output", action=action, args=args)


def give(system, message):
    """Passes one input to the system and says what became of it; its outputs come after that."""
    outputs = []
    system.send = lambda action, **args: outputs.append((action, args))
    inputs = {each["name"] for each in ACTIONS if each["direction"] == "input"}
    try:
        if message["action"] not in inputs:
            raise Refused(f"there is no input {message['action']}")
        result = getattr(system, message["action"])(**message.get("args", {}))
        say(type="accepted", id=message["id"], result=result)
    except Refused as reason:
        say(type="refused", id=message["id"], reason=str(reason))
    system.send = output
    for action, args in outputs:
        output(action, **args)


def main():
    say(type="hello", name="lock", protocol=1, actions=ACTIONS)
    system = Lock(output)
    for line in sys.stdin:
        try:
            message = json.loads(line)
            kind = message.get("type")
            if kind == "reset":
                system = Lock(output)
                say(type="ready", id=message["id"])
            elif kind == "input":
                give(system, message)
            elif kind == "bye":
                return
        except Exception as problem:  # Whatever went wrong here is not a verdict on the system.
            say(type="error", message=f"{type(problem).__name__}: {problem}")


if __name__ == "__main__":
    main()
