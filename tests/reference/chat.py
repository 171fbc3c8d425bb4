"""Records random traces of the Chat model program (`chat/chat.py`).

The reference only explores; what it prints of an exploration without grouping is the whole graph, and the walks run on that.
"""
import ast
import re

from asynchronous import Instance, quietly, record
from common import prepare, value_text

OUT = prepare("chat", "chat")
import chat as reference  # noqa: E402  (the reference program; it is found only after `prepare`)

STATE = re.compile(r"  S(\d+) \w+ \w+ (.*)")
ARC = re.compile(r"    S(\d+) -(.*)-> S(\d+)")

SETUPS = {
    "figure1_ungrouped": dict(n=2, k=2),
    "two_messages_pending_5_ungrouped": dict(n=2, k=5, msgs=("hi", "bye")),
    "two_messages_repeated": dict(n=2, k=5, msgs=("hi", "bye"), nodup=False),
    "three_clients_pending_7_ungrouped": dict(n=3, k=7),
}


def graph(options):
    """{number: state} and {number: [(label, target, is it an output?)]} of one exploration."""
    _, text = quietly(lambda: reference.explore(grouping=False, verbose=True, **options))
    states, arcs = {}, {}
    for line in text.splitlines():
        if found := STATE.fullmatch(line):
            states[int(found[1])] = ast.literal_eval(found[2])
        elif found := ARC.fullmatch(line):
            action = ast.literal_eval(found[2])
            arcs.setdefault(int(found[1]), []).append((label(action), int(found[3]), action[0] == "?Deliver"))
    return states, arcs


def label(action):
    match action:
        case ("Create", c):
            return f"create() -> {client(c)}"
        case ("Enter", c):
            return f"enter({client(c)})"
        case ("Post", c, message):
            return f"post({client(c)}, {value_text(message)})"
        case ("?Deliver", route, message):
            sender, receiver = route.split("->")
            return f"deliver({client(sender)}, {client(receiver)}, {value_text(message)})"


def client(name):
    return f"Client#{str(name).removeprefix('c')}"


def observe(state):
    # The reference keeps members and senders in order; maps with clients as keys are written as pairs.
    clients, members = state
    queues = [[client(receiver), [[client(sender), queue] for sender, queue in senders]] for receiver, senders in members]
    pending = sum(len(queue) for _, senders in members for _, queue in senders)
    return {"members": queues, "Client.count": clients, "pending": pending}


def instance(setup, options):
    states, arcs = graph(options)
    return Instance(setup, 0, lambda s: arcs.get(s, []), lambda s: observe(states[s]))


record("chat", OUT, [instance(setup, options) for setup, options in SETUPS.items()], count=270, seed=1002)
