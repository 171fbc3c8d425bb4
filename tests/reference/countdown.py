"""Records random traces of START/MSG/STOP (`iosts/startmsgstop.py`, where STOP returns to the start)."""
from asynchronous import iosts, quietly, record
from common import prepare

OUT = prepare("countdown", "iosts")
reference, _ = quietly(lambda: __import__("startmsgstop"))

PLACES = {"l0": "Idle", "l1": "Sending"}


def countdown(setup, values):
    model = reference.S(cyclic=True)
    model.sig = {"START": [("p", values)], "MSG": [("m", values)]}
    return iosts(setup, model, PLACES)


record("countdown", OUT, [countdown("paper", range(-1, 3)), countdown("longer", range(-2, 6))], count=600, seed=1003)
