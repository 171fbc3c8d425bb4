"""Records random traces of the reference elevator (`ltl/elevator.py`, without a bug)."""
from common import Recording, prepare, source, step_text

OUT = prepare("elevator", "ltl")
import elevator as reference  # noqa: E402  (the reference program; it is found only after `prepare`)

TRACES = 1200
SETUP = "building"


def enabled(state):
    """Every set of requests, with what the controller does about it."""
    return [move(state, requests) for requests in reference.ins]


def move(state, requests):
    following, outputs = reference.step(state, requests)
    return step_text([r for r in reference.REQ if r in requests], outputs), following


def observe(state):
    floor, door_open, running, direction, pending = state
    return {
        "floor": floor,
        "door_open": door_open,
        "running": running,
        "heading": "up" if direction == 1 else "down",
        "pending": frozenset(pending),
    }


def main():
    chance = source(2001)
    recording = Recording("elevator", [SETUP])
    for _ in range(TRACES):
        # Uniform requests keep the elevator busy all the time; a quiet environment shows that it also comes to rest.
        quiet = chance.random() < 0.5
        choose = lambda moves: moves[0] if quiet and chance.random() < 0.6 else chance.choice(moves)
        recording.walk(SETUP, reference.INIT, chance.randint(5, 15), enabled, observe, choose)
    recording.write(OUT)


main()
