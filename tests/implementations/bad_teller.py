"""The Teller as a bad partner: the first argument says how."""

import json
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "teller" / "good"))

from teller import Teller, serve  # noqa: E402

MODE = sys.argv[1]
STDOUT = sys.stdout.buffer


class Bad(Teller):
    asked = 0

    def __init__(self):
        super().__init__()
        if MODE == "never-ready":
            time.sleep(3600)

    def enabled(self):
        self.asked += 1
        offers = super().enabled()
        if MODE == "unknown-event" and self.place == "Menu":
            return [*offers, "bribe"]
        if MODE == "changes-by-itself" and self.place == "Deposit" and self.asked > 1:
            return []
        if MODE == "nonsense-enabled" and self.place == "Deposit":
            return [(7, None)]
        return offers

    def fill(self, label, value):
        self.asked = 0
        if label == "amt":
            if MODE == "dies" or MODE == "dies-late" and self.place == "Withdrawal":
                os._exit(3)
            if MODE == "speaks-nonsense":
                STDOUT.write(b"Thank you for your money!\n")
            if MODE == "answers-twice":
                STDOUT.write(json.dumps({"type": "accepted", "id": 1}).encode() + b"\n")
            if MODE == "throws":
                raise KeyError("no such account")
        super().fill(label, value)

    def choose(self, label):
        self.asked = 0
        super().choose(label)


serve(Bad)
