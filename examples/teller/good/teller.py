"""The Teller as a program of its own: a customer may answer the questions of one request in any order."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "sdk" / "python"))

from interplay import Refused, System, input, serve  # noqa: E402

MENUS = {
    "Welcome": {"startService": "Login"},
    "Menu": {"startDeposit": "Deposit", "startWithdrawal": "Withdrawal", "startTransfer": "Transfer", "quit": "end"},
    "end": {},
}


class Teller(System):
    forms = {"Login": ["name", "pin"], "Deposit": ["tgt", "amt"], "Withdrawal": ["src", "amt"], "Transfer": ["src", "tgt", "amt"]}
    valid = {"checking", "savings"}

    def __init__(self):
        self.place = "Welcome"
        self.got = {}
        self.balance = {"checking": 0, "savings": 0, "moneymarket": 0}

    def enabled(self):
        return list(MENUS[self.place]) if self.place in MENUS else list(self.forms[self.place])

    def snapshot(self):
        return repr((self.place, sorted(self.got.items()), sorted(self.balance.items())))

    def choose(self, label):
        if label not in MENUS.get(self.place, {}):
            raise Refused(f"there is no {label} here")
        self.place, self.got = MENUS[self.place][label], {}

    def fill(self, label, value):
        if label not in self.forms.get(self.place, []):
            raise Refused(f"nobody asked for {label}")
        self.got[label] = value
        if self.accepts():
            getattr(self, "do_" + self.place.lower())(**self.got)
            self.place, self.got = "Menu", {}

    def accepts(self):
        """Everything is there, and nothing is wrong with it."""
        got = self.got
        if any(label not in got for label in self.forms[self.place]):
            return False
        if self.place == "Login":
            return got["name"] == got["pin"]
        accounts = [got[label] for label in ("src", "tgt") if label in got]
        if not all(account in self.valid for account in accounts) or got["amt"] <= 0:
            return False
        if "src" in got and not self.covers(got["src"], got["amt"]):
            return False
        return len(set(accounts)) == len(accounts)

    def covers(self, account, amount):
        return amount <= self.balance[account]

    def do_login(self, name, pin):
        pass

    def do_deposit(self, tgt, amt):
        self.balance[tgt] += amt

    def do_withdrawal(self, src, amt, tgt=None):
        self.balance[src] -= amt

    def do_transfer(self, src, tgt, amt):
        self.balance[src] -= amt
        self.balance[tgt] += amt

    @input
    def startService(self):
        self.choose("startService")

    @input
    def startDeposit(self):
        self.choose("startDeposit")

    @input
    def startWithdrawal(self):
        self.choose("startWithdrawal")

    @input
    def startTransfer(self):
        self.choose("startTransfer")

    @input
    def quit(self):
        self.choose("quit")

    @input
    def name(self, user):
        self.fill("name", user)

    @input
    def pin(self, user):
        self.fill("pin", user)

    @input
    def src(self, account):
        self.fill("src", account)

    @input
    def tgt(self, account):
        self.fill("tgt", account)

    @input
    def amt(self, dollars):
        self.fill("amt", dollars)


if __name__ == "__main__":
    serve(Teller)
