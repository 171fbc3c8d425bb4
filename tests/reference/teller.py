"""Records random traces of the Teller service (`sisl/teller.py`)."""
from asynchronous import Instance, record
from common import Variant, event_text, prepare

OUT = prepare("teller", "sisl")
import teller as reference  # noqa: E402  (the reference program; it is found only after `prepare`)
from teller_literal import enabled, send  # noqa: E402

PLACES = {
    "start": "Welcome", "login": "Login", "choice": "Menu",
    "deposit": "Deposit", "withdraw": "Withdrawal", "transfer": "Transfer",
}


def moves(state):
    # All actions are inputs: the service never speaks by itself.
    return [(label(name, value), send(state, name, value), False)
            for name in enabled(state) for value in reference.values[name]]


def label(name, value):
    if value is None:
        return name
    return event_text(name, Variant(value) if isinstance(value, str) else value)


def observe(state):
    node, _, (checking, savings) = state
    places = {f"at {place}": node == key for key, place in PLACES.items()}
    return {"balance": {"checking": checking, "savings": savings}, **places}


record("teller", OUT, [Instance("paper", reference.START, moves, observe)], count=1200, seed=1001)
