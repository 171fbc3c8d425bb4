"""Records random traces of the reference telephone switch (`phone/phone.py`) with different sets of features."""
from common import Recording, Some, Variant, event_text, label_text, prepare, source

OUT = prepare("telephone", "phone")
import phone as reference  # noqa: E402  (the reference program; it is found only after `prepare`)

PHONES = ["1", "2", "3"]
# The setups of examples/telephone/setups.play: how many phones, which features, how many traces.
SETUPS = {
    "pots_2": (2, "", 90),
    "pots_3": (3, "", 110),
    "waiting_3": (3, "CW", 130),
    "three_way_3": (3, "TWC", 130),
    "waiting_three_way_3": (3, "CW TWC", 150),
    "display_3": (3, "CND CW CFBL", 100),
    "forwarding_2": (2, "TCS FPR INCF CFBL", 100),
    "forwarding_3": (3, "TCS FPR INCF CFBL", 90),
    "teen_line_2": (2, "INTL RC", 180),
    "billing_2": (2, "INFB INCC CELL FPR", 100),
    "all_2": (2, " ".join(reference.FEATS), 60),
    "all_3": (3, " ".join(reference.FEATS), 40),
}
# Uniform choice would activate features all the time and hardly ever complete a call, so that what makes a call go on
# is preferred: (word of the label, weight), where the first word that occurs in a label counts.
WEIGHTS = [
    ("bridge", 60), ("cw-tone", 80), ("flash", 25), ("onhook", 2), ("return_call", 60), ("announce", 10), ("ring(", 25),
    ("busytone", 2), ("connect", 20), ("pin", 8), ("offhook", 4), ("activate", 6), ("set_night", 1), ("init", 1),
]

MODES = {
    "IDLE": "idle", "DIALING": "dialing", "BUSY": "busy", "RINGBACK": "calling", "RINGING": "ringing",
    "TALKING": "talking", "ANN": "announced", "HELD": "on_hold",
}
# The names of the specification, where they are not those of the reference.
FLAGS = {f: f for f in ["cw", "twc", "cnd", "intl", "infb", "incc", "rc", "cell"]} | {"pin_ok": "pinok"}
LINKS = {r: r for r in ["call", "peer", "waiting", "held", "last", "answers", "fpr", "incf"]} | {
    "cfbl": "cf", "shown": "display", "tcs": "tcs",
}


def payers(texts):
    return frozenset(payer(text) for text in texts)


def payer(text):
    kind, dash, address = text.partition("-")
    return Variant(kind, address) if dash else Variant("line", text)


def act_text(act):
    match act:
        case ("busy", x):
            return event_text("busytone", x)
        case ("announce", x, reason):
            return event_text("announce", x, Variant(reason.replace("-", "_")))
        case ("start-billing", who):
            return event_text("start-billing", payers(who))
        case ("bridge", x, held, other):
            return event_text("bridge", x, held, None if other is None else Some(other))
        case _:
            return event_text(*act)


def input_text(event):
    return event_text(event[0].replace("-", "_"), *event[1:])


def moves_of(users, features):
    def enabled(state):
        moves = []
        for event in reference.events(users, features, state):
            if reaction := reference.apply(state, event):
                following, acts = reaction
                moves.append((label_text(input_text(event), map(act_text, acts)), (event[0], following)))
        return moves

    return lambda step: enabled(step[1])


def observe(step):
    state = step[1]
    relations = {}
    for (relation, address), value in sorted(state.r.items(), key=lambda item: item[0]):
        relations.setdefault(relation, {})[address] = value
    values = {
        "known": frozenset(state.known),
        "night": state.night,
        "mode": {x: MODES[state.get("mode", x)] for x in state.known},
        "payers": {x: payers(who) for x, who in relations.get("payers", {}).items()},
    }
    values |= {name: frozenset(relations.get(flag, {})) for name, flag in FLAGS.items()}
    values |= {name: relations.get(link, {}) for name, link in LINKS.items()}
    return values


def weight(label):
    return next(w for word, w in WEIGHTS if word in label)


def chooser(chance):
    """Takes a kind of move (what goes in and the names of what comes out) by its weight, then one of that kind."""

    def choose(moves):
        kinds = {}
        for move in moves:
            kinds.setdefault((weight(move[0]), move[1][0]), []).append(move)
        activations = sum(kind.startswith("activate") for _, kind in kinds)
        weights = [w / activations if kind.startswith("activate") else w for w, kind in kinds]
        return chance.choice(kinds[chance.choices(list(kinds), weights)[0]])

    return choose


def main():
    chance = source(2003)
    recording = Recording("telephone", SETUPS)
    for setup, (phones, features, traces) in SETUPS.items():
        enabled = moves_of(PHONES[:phones], set(features.split()))
        for _ in range(traces):
            # The first events only make the phones known, so a walk with more phones has to be longer.
            length = chance.randint(5 if phones == 2 else 9, 15)
            recording.walk(setup, ("", reference.start()), length, enabled, observe, chooser(chance))
    recording.write(OUT)


main()
